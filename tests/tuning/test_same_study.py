"""A study is what was asked and played: any computer reads it, goes on with it and proves it."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count
from math import inf, nextafter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from support.samples import Write
from support.studies import STUDY, tuned

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.config.settings import from_data
from arena.config.yaml_file import Document
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
        """The next float, within the range of the one weight that is a float."""
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
    """Each tuner is made on another processor than the one before."""
    readings, make = count(), TuningConfig.tuner

    def tuner(config: TuningConfig, *more: int) -> Tuner:
        return ElsewhereTuner(make(config, *more), inf if next(readings) % 2 else -inf)

    monkeypatch.setattr(TuningConfig, "tuner", tuner)


def asked_points(study: Study) -> list[tuple[Values, ...]]:
    return [trial.points for trial in study.trials.asked]


def rows_of(folder: Path) -> list[list[tuple[object, ...]]]:
    """What is kept of the games and the search in a folder."""
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        tables = ("games", "asked_trials", "search")
        return [database.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


def games_by_round(study: Study) -> Counter[int]:
    return Counter(read_store(study.folder, Store.rounds) or ())


@METHODS_ONCE
@pytest.mark.usefixtures("elsewhere")
def test_the_last_bits_of_a_tuner_decide_nothing_that_was_asked(write: Write, method: str) -> None:
    text = SHORT.replace("method: spsa", f"method: {method}")
    seen = list[object]()
    stopped = tuned(write, text, watch=seen.append, stop=lambda: len(seen) > 40)
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
    assert once_more.verdict == whole.verdict
    assert once_more.advice == whole.advice
    assert (rows_of(whole.folder), rows_of(whole.matches.test.folder)) == kept


@METHODS_ONCE
def test_a_study_that_was_read_goes_on_as_if_it_had_never_stopped(
    write: Write, method: str
) -> None:
    text = SHORT.replace("method: spsa", f"method: {method}")
    calm = tuned(write, text)
    calm = arena.open_study(calm.folder.rename(calm.folder.with_name("calm")))
    seen = list[object]()
    for end in (3, 29, 10**9):
        seen.clear()
        study = tuned(write, text, watch=seen.append, stop=lambda end=end: len(seen) > end)
    assert study.trials.told == calm.trials.told
    assert study.advice == calm.advice


@pytest.mark.parametrize("method", ["ascent", "spsa", "tpe"])
def test_floats_that_are_proposed_have_eight_digits(write: Write, method: str) -> None:
    study = tuned(write, SHORT.replace("method: spsa", f"method: {method}"))
    weights = [point["weight"] for points in asked_points(study) for point in points]
    is_short = {weight == float(f"{weight:.8g}") for weight in weights[1:]}
    assert is_short == {method != "tpe"}, "what Optuna gives is played as it is"
    assert study.values["weight"] == float(f"{study.values['weight']:.8g}")


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders from before trials were kept, whose engines are here now."""
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
def test_an_older_folder_is_read_as_it_was_made_or_refused_in_a_sentence(
    older: Path, method: str, setting: str
) -> None:
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
        patched.setattr("arena.tuning.kept_trials.TrialEnd", fail, raising=False)
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
