"""A study is what was asked and played: any computer goes on with it, and no kill changes it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from importlib.util import find_spec
from itertools import count
from math import inf, nextafter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from support.edited_runs import records_in
from support.forty_studies import GAMES, TRIALS
from support.processes import is_worker, kill_workers, running, workers_of
from support.samples import ROOT, Write
from support.studies import COIN, OPPONENT, STUDY, after, facts, same, tuned
from support.sweep import cases

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.config.settings import from_data
from arena.config.yaml_file import Document
from arena.match.record import key
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.method import Advice, Forecast, Trial, TrialResult, Tuner
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Values
from arena.tuning.study import Study
from arena.tuning.trials import Trials

OLDER = Path(__file__).parents[1] / "data" / "older_studies.tar.xz"
"""Finished studies from before trials were kept: each was played with all that the processor and
the libraries could do, and once more with as little as they can."""
SHORT = STUDY.replace("budget: 120", "budget: 80").replace("pairs: 300", "pairs: 40")
METHODS = {
    "ascent": "ascent",
    "spsa": "spsa",
    "tpe": "tpe",
    "cmaes": "cmaes",
    "named": "{sampler: optuna.samplers.RandomSampler}",
}
METHODS_ONCE = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


class ElsewhereTuner:
    """A tuner whose every float is one last bit off, as on another processor."""

    def __init__(self, tuner: Tuner, towards: float) -> None:
        self._tuner, self._towards = tuner, towards

    def _moved(self, values: Values) -> Values:
        return {
            name: self._beside(value) if isinstance(value, float) else value
            for name, value in values.items()
        }

    def _beside(self, value: float) -> float:
        return min(max(nextafter(value, self._towards), 0.0), 1.0)

    def ask(self) -> Trial:
        trial = self._tuner.ask()
        notes = {
            name: [nextafter(x, self._towards) for x in note] for name, note in trial.note.items()
        }
        points = tuple(map(self._moved, trial.points))
        return replace(trial, points=points, centre=self._moved(trial.centre), note=notes)

    def repeat(self, trial: Trial) -> None:
        self._tuner.repeat(trial)

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        return nextafter(self._tuner.tell(trial, answer), self._towards)

    def recommend(self) -> Sequence[Advice]:
        advice = self._tuner.recommend()
        values = self._moved({each.name: each.value for each in advice})
        return [replace(each, value=values[each.name]) for each in advice]

    def forecast(self) -> Forecast | None:
        return self._tuner.forecast()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    readings, make = count(), TuningConfig.tuner

    def tuner(config: TuningConfig, *more: int) -> Tuner:
        return ElsewhereTuner(make(config, *more), inf if next(readings) % 2 else -inf)

    monkeypatch.setattr(TuningConfig, "tuner", tuner)


def asked_points(study: Study) -> list[tuple[Values, ...]]:
    return [trial.points for trial in study.trials.asked]


def rows_of(folder: Path) -> list[list[tuple[object, ...]]]:
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        tables = ("games", "asked_trials", "search")
        return [database.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


def games_by_round(study: Study) -> Counter[int]:
    return Counter(read_store(study.folder, Store.rounds) or ())


@METHODS_ONCE
@pytest.mark.usefixtures("elsewhere")
def test_the_last_bits_of_a_tuner_decide_nothing_that_was_asked(write: Write, method: str) -> None:
    text = SHORT.replace("method: spsa", f"method: {method}")
    stopped = tuned(write, text, **after(40))
    read = arena.open_study(stopped.folder)
    assert read.trials.told == stopped.trials.told
    assert len(read.trials.told) > 2
    assert asked_points(read) == asked_points(stopped)
    whole = tuned(write, text)
    asked = asked_points(read)
    assert asked_points(whole)[: len(asked)] == asked
    assert games_by_round(whole) == dict.fromkeys(range(1, 11), 8)
    again = arena.open_study(whole.folder)
    assert again.trials.told == whole.trials.told
    assert again.advice == whole.advice
    assert again.verdict == whole.verdict
    kept = rows_of(whole.folder), rows_of(whole.matches.test.folder)
    once_more = tuned(write, text)
    assert (once_more.verdict, once_more.advice) == (whole.verdict, whole.advice)
    assert (rows_of(whole.folder), rows_of(whole.matches.test.folder)) == kept


@METHODS_ONCE
def test_a_study_that_was_read_goes_on_as_if_never_stopped(write: Write, method: str) -> None:
    text = SHORT.replace("method: spsa", f"method: {method}")
    calm = tuned(write, text)
    calm = arena.open_study(calm.folder.rename(calm.folder.parents[1] / "calm"))
    seen = list[object]()
    for end in (3, 29, 83, 10**9):
        seen.clear()
        watch = {"watch": seen.append, "watch_verification": seen.append}
        study = tuned(write, text, **watch, stop=lambda end=end: len(seen) > end)
    assert same(study, calm)


@pytest.mark.parametrize("method", ["ascent", "spsa", "tpe"])
def test_floats_that_are_proposed_have_eight_digits(write: Write, method: str) -> None:
    study = tuned(write, SHORT.replace("method: spsa", f"method: {method}"))
    weights = [point["weight"] for points in asked_points(study) for point in points]
    is_short = {weight == float(f"{weight:.8g}") for weight in weights[1:]}
    assert is_short == {method != "tpe"}, "what Optuna gives is played as it is"
    assert study.values["weight"] == float(f"{study.values['weight']:.8g}")


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with tarfile.open(OLDER) as archive:
        archive.extractall(tmp_path, filter="data")
    for file in tmp_path.rglob("config.yaml"):
        file.write_text(file.read_text().replace("/older/", f"{tmp_path}/"))
    for file in tmp_path.rglob("arena.db"):
        with closing(sqlite3.connect(file)) as database:
            database.execute(
                "UPDATE facts SET json = replace(json, '/older/', ?)", (f"{tmp_path}/",)
            )
            database.commit()
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*.*")}


def run(*words: object) -> Result:
    return CliRunner().invoke(command, list(map(str, words)))


@pytest.mark.parametrize("setting", ["own", "plain"])
@pytest.mark.parametrize("method", ["ascent", "spsa", "tpe"])
def test_an_older_folder_is_read_as_made_or_refused(older: Path, method: str, setting: str) -> None:
    folder = older / setting / "results" / f"old_{method}"
    before = contents(folder)
    tuned_weight = from_data(Document(folder / "tuned.yaml").data).players[0].engine.parameters
    report = run("report", folder)
    again = run("tune", older / setting / f"old_{method}.yaml", "--results", folder.parent)
    if report.exit_code:
        assert method != "tpe", "the names of its players tell its trials"
        for refused in (report, again):
            assert "its trials cannot be found again, such as trial " in str(refused.exception)
        assert contents(folder) == before
        return
    assert "Take the weights in " in report.output
    assert again.exit_code == 0
    study = arena.open_study(folder)
    assert study.values == {name: tuned_weight[name] for name in ("weight", "power")}
    assert study.advice == arena.open_study(folder).advice
    assert len(study.trials.told) == 20
    assert sum(games_by_round(study).values()) == 80
    assert {*games_by_round(study).values()} == {4}


@pytest.mark.parametrize("method", ["ascent", "spsa"])
def test_nothing_is_played_on_top_of_trials_that_are_not_found(older: Path, method: str) -> None:
    folder = older / "own" / "results" / f"old_{method}"
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        database.execute("UPDATE names SET name = replace(name, '=0.', '=0.0')")
        database.commit()
    before = contents(folder)
    for words in (("report", folder), ("tune", older / "own" / f"old_{method}.yaml")):
        refused = run(*words, *(("--results", folder.parent) if words[0] == "tune" else ()))
        assert isinstance(refused.exception, ConfigError)
        assert "its trials cannot be found again, such as trial 1: " in str(refused.exception)
    assert contents(folder) == before


def test_older_folders_of_a_processor_like_this_one_are_found(older: Path) -> None:
    """Of what was played plainly and with all that a processor can do, one is as here, where that
    is a processor of the same kind."""
    spsa = [older / setting / "results" / "old_spsa" for setting in ("own", "plain")]
    found = [run("report", folder).exit_code == 0 for folder in spsa]
    if "AVX512" in str(np.show_config(mode="dicts")["SIMD Extensions"].get("found")):
        assert found[0]
    assert found != [True, True]


@pytest.mark.parametrize("method", ["ascent", "spsa", "tpe"])
def test_an_older_study_that_was_stopped_is_taken_over_whole_or_not_at_all(
    older: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = (
        "own"
        if run("report", older / "own" / "results" / f"old_{method}").exit_code == 0
        else "plain"
    )
    folder = older / setting / "results" / f"old_{method}"
    if run("report", folder).exit_code:
        pytest.skip("no processor of those that played it")
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        database.execute("DELETE FROM games WHERE round > 12")
        database.commit()
    words = "tune", older / setting / f"old_{method}.yaml", "--results", folder.parent

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("arena.tuning.study.trials_of", fail)
        run(*words)
    with monkeypatch.context() as patched:
        patched.setattr(Trials, "jobs", fail)
        run(*words)  # ends after what was played is taken over
    before = asked_points(arena.open_study(folder))
    assert len(before) >= 12
    assert run(*words).exit_code == 0
    study = arena.open_study(folder)
    assert asked_points(study)[: len(before)] == before
    assert games_by_round(study) == dict.fromkeys(range(1, 21), 4)
    if method != "tpe":
        proposed = [point["weight"] for points in asked_points(study)[14:] for point in points]
        assert any(weight != float(f"{weight:.8g}") for weight in proposed), "never rounded"


DAMAGES = {
    "number": lambda kept: kept["trial"].update(number=77),
    "no point": lambda kept: kept["trial"].update(points=[]),
    "a third point": lambda kept: kept["trial"]["points"].append(kept["trial"]["points"][0]),
    "a text": lambda kept: kept["trial"]["points"][0].update(weight="x"),
    "a truth": lambda kept: kept["trial"]["points"][0].update(weight=True),
    "no number": lambda kept: kept["trial"]["points"][0].update(weight=float("nan")),
    "out of range": lambda kept: kept["trial"]["points"][0].update(weight=7.5),
    "a huge whole number": lambda kept: kept["trial"]["points"][0].update(power=10**400),
    "another parameter": lambda kept: kept["trial"]["points"][0].update(other=1),
    "another weight": lambda kept: kept["trial"]["points"][0].update(weight=0.123),
    "no centre": lambda kept: kept["trial"].update(centre={}),
    "a long note": lambda kept: kept["trial"].update(note={"step": [1.0] * 5}),
    "a note without a number": lambda kept: kept["trial"].update(note={"step": [float("nan")] * 2}),
    "no opening": lambda kept: kept["starts"][0].__setitem__(1, "z99"),
    "another condition": lambda kept: kept["starts"][0].__setitem__(0, "odd"),
    "a late end": lambda kept: kept["end"].update(openings=999),
    "no list": lambda kept: kept.update(starts=3),
}


@pytest.mark.parametrize("method", ["spsa", "tpe"])
def test_damaged_trials_are_faults_of_the_folder(write: Write, method: str) -> None:
    study = tuned(write, SHORT.replace("method: spsa", f"method: {method}"))
    file = study.folder / "arena.db"
    for name, damage in DAMAGES.items():
        with closing(sqlite3.connect(file)) as database:
            (text,) = database.execute("SELECT json FROM asked_trials WHERE round = 3").fetchone()
            kept = json.loads(text)
            damage(kept)
            change = "UPDATE asked_trials SET json = ? WHERE round = 3"
            database.execute(change, (json.dumps(kept),))
            database.commit()
            for words in (("report", study.folder), ("tune", "study.yaml")):
                refused = run(*words)
                assert isinstance(refused.exception, ConfigError), (name, words, refused.output)
            database.execute(change, (text,))
            database.commit()
    for other in ("", "[" * 100_000, "{}", "3", "null"):
        for name, table in (("3", "asked_trials"), ("found", "search")):
            with closing(sqlite3.connect(file)) as database:
                key = "round" if table == "asked_trials" else "name"
                where = f"FROM {table} WHERE {key} = ?"
                (text,) = database.execute(f"SELECT json {where}", (name,)).fetchone()
                change = f"UPDATE {table} SET json = ? WHERE {key} = ?"
                database.execute(change, (other, name))
                database.commit()
                read = run("report", study.folder)
                assert not read.exit_code or isinstance(read.exception, ConfigError), read.output
                database.execute(change, (text, name))
                database.commit()
    assert run("report", study.folder).exit_code == 0


SUPPORT = Path(__file__).parents[1] / "support"
SETTINGS = {"here": [], "plain": ["plain.py"], "libm": ["plain.py", "libm"]}


def studies_command(words: list[str], *more: object) -> str:
    programs = [str(SUPPORT / word) if word.endswith(".py") else word for word in words]
    wrapped = [sys.executable, *programs] if programs else []
    line = [*wrapped, sys.executable, str(SUPPORT / "forty_studies.py"), *map(str, more)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SUPPORT.parent), str(ROOT)])}
    return subprocess.run(line, check=True, capture_output=True, text=True, env=env).stdout


@pytest.mark.slow
def test_studies_are_found_gone_on_with_and_proved_on_other_processors(tmp_path: Path) -> None:
    played, folder = tmp_path / "played", tmp_path / "studies"
    studies_command([], "play", folder)
    folder.rename(played)  # engines are found by their paths, which stay
    found: dict[str, dict[str, Any]] = {}
    for name, words in SETTINGS.items():
        shutil.copytree(played, folder)
        found[name] = json.loads(studies_command(words, "go_on", folder))
        shutil.rmtree(folder)
    assert len(found["here"]) == (42 if find_spec("torch") else 37)
    for study, here in found["here"].items():
        for name in SETTINGS:
            there = found[name][study]
            before, after = there["before"], there["after"]
            assert before == here["before"], (study, name)
            assert after["asked"][: len(before["asked"])] == before["asked"], (study, name)
            assert after["told"][: len(before["told"])] == before["told"], (study, name)
            assert len(after["told"]) == TRIALS, (study, name)
            is_pruned = study.startswith("users")
            assert is_pruned or {*after["games"].values()} == {GAMES}, (study, name)
            assert before["told"], (study, name)
            if len(before["told"]) == TRIALS:
                assert after == before, (study, name)
            else:
                assert after["test"], (study, name)


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
UNHURRIED = COIN.replace("limit):", "limit):\n        __import__('time').sleep(0.004)")
LONG = OPPONENT.replace("budget: 120", "budget: 1600").replace("pairs: 300", "pairs: 100")


def tune_command(file: Path) -> list[str]:
    results = str(file.parent / "results")
    return [sys.executable, *f"-m arena tune {file} --workers 2 --results {results}".split()]


def games_kept(file: Path) -> int:
    with suppress(FileNotFoundError):
        return (file.parent / "results/study/arena.log").read_text().count(" plies")
    return 0


def wait_for_games(file: Path, process: subprocess.Popen[bytes], games: int) -> None:
    while process.poll() is None and games_kept(file) < games:
        time.sleep(0.02)


def assert_same_as_undisturbed(file: Path) -> None:
    """The study, its proof and Optuna's tables, and every game there once."""
    calm = arena.tune(file, workers=2, results=file.parent / "calm")
    stormy = arena.tune(file, workers=2, results=file.parent / "results")
    assert calm.trials.is_over
    assert same(stormy, calm)
    numbers = Counter(number for number, *_ in facts(stormy))
    assert sorted(numbers) == list(range(200))
    assert set(numbers.values()) == {1}
    games = list(map(key, records_in(stormy.folder)))
    assert len(games) == len(set(games)) == 1600
    with closing(sqlite3.connect(stormy.folder / "arena.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@on_linux
@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    "method", ["ascent", "{sampler: optuna.samplers.TPESampler}"], ids=["ascent", "named"]
)
def test_kills_of_the_study_change_nothing(write: Write, method: str) -> None:
    write(UNHURRIED, "coin.py")
    file = write(LONG.replace("spsa", method), "study.yaml")
    random, orphans, killed = Random(method), set(), 0
    while killed < cases(20):
        with running(tune_command(file), stdout=subprocess.DEVNULL) as process:
            wait_for_games(file, process, games_kept(file) + random.randint(1, 70))
            orphans |= set(workers_of(process))
            time.sleep(random.uniform(0, 0.1))
            assert process.poll() is None, f"it was over after {killed} kills"
            process.kill()
            killed += 1
    time.sleep(0.5)
    assert orphans
    assert not [pid for pid in orphans if is_worker(pid)]
    assert_same_as_undisturbed(file)


@on_linux
@pytest.mark.slow
@pytest.mark.sweep
def test_kills_of_workers_change_nothing(write: Write) -> None:
    write(UNHURRIED, "coin.py")
    file = write(LONG, "study.yaml")
    with running(tune_command(file), stdout=subprocess.DEVNULL) as process:
        time.sleep(2.5)
        assert kill_workers(process, cases(40), pause=0.2) == cases(40)
        assert process.wait(120) == 0
    assert_same_as_undisturbed(file)
