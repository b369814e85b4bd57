"""Studies of a brain's values: the same as of parameters, in each way of telling the brain."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from support.good_files import faults_of
from support.samples import ROOT, Write

import arena
from arena import ConfigError
from arena.config.reader import read_config
from arena.config.settings import Player, player_data, value_changes
from arena.plugins import load
from arena.plugins.load import Named
from arena.report.live import watching
from arena.tuning.proof.report import proof_notes
from arena.tuning.settings.config import tuning_data, tuning_from_data
from arena.tuning.settings.reader import read_tuning
from arena.tuning.study import Study, StudyReferee
from arena.tuning.trials import point_name

STUDY = """
game: {{gomoku: {{size: 7}}}}
engine: {engine}
parameters:
{searched}
method: {method}
budget: {budget}
games: 4
seed: 3
openings: {{random: {{plies: 2}}}}
max_plies: 30
verification: {{elo0: -400, elo1: -300, pairs: 60}}
"""
SEARCHED = """\
  three: {low: 1, high: 1000, log: true}
  caution: {low: 0, high: 5}
  centre: {low: 0, high: 20}"""
VALUES = "three: 300, caution: 1, centre: 9.5"
HERE = f"{{engine: ./weighted.py, {VALUES}}}"
INFO = 'three: "{three}", caution: "{caution}", centre: "{centre}"'
WORDS = f"{sys.executable}, -S, weighted.py"
GIVEN = {
    "command": f'[{WORDS}, "--three={{three}}", "--caution={{caution}}", "--centre={{centre}}"]',
    "info": f"[{WORDS}], info: {{{INFO}}}",
    "template": f'[{WORDS}, "--weights={{template}}"], template: weights.txt',
    "all three": f'[{WORDS}, "--weights={{template}}", "--three={{three}}"], '
    'info: {caution: "{caution}"}, template: centre.txt',
}
"""A brain's command, and what else tells it its values."""
OWN = """
from typing import Annotated

from weighted import GAMES, Weighted

from arena.engine import NamedValues


def engine(game, *, weights: Annotated[dict[str, float] | None, NamedValues()] = None):
    return Weighted(game.size, **weights)
"""
TEMPLATE = "{{\r\n  three = {three}\r\n  caution = {caution}\r\n  centre = {centre}\r\n}}\r\n"


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Files and programs stand in the test's folder; nothing stays in that for temporary files."""
    shutil.copy(ROOT / "tests" / "data" / "weighted.py", tmp_path)
    (tmp_path / "weights.txt").write_bytes(TEMPLATE.encode())
    (tmp_path / "centre.txt").write_text("centre = {centre}")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield
    assert not list(temporary.iterdir())


def brain(place: str) -> str:
    return f"{{engine: gomocup, command: {GIVEN[place]}, values: {{{VALUES}}}}}"


def study_file(
    write: Write, engine: str, name: str = "study", method: str = "spsa", searched: str = SEARCHED
) -> Path:
    text = STUDY.format(engine=engine, method=method, budget=8, searched=searched)
    return write(text, f"{name}.yaml")


def played(file: Path, workers: int = 0, **more: Any) -> Study:
    return arena.tune(file, workers=workers, results=file.parent / "results", **more)


def floats(values: Mapping[str, Any]) -> str:
    return str({key: float(value) for key, value in values.items()})


def ends(study: Study) -> tuple[object, ...]:
    assert study.proof
    records = [asdict(record) for _, record in study.matches.test.records()]
    games = [{key: each[key] for key in ("first", "second", "moves", "reason")} for each in records]
    return study.trials.told, study.advice, study.proof, games


@pytest.mark.slow
@pytest.mark.parametrize("place", GIVEN)
def test_values_in_any_place_make_the_study_of_the_engine(write: Write, place: str) -> None:
    there = played(study_file(write, brain(place), "there"))
    here = played(study_file(write, HERE, "here"))
    assert ends(there) == ends(here)
    assert there.proof
    assert there.proof.has_passed


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_brains_start_only_for_other_values(write: Write, tmp_path: Path, workers: int) -> None:
    engine = brain("command").replace("]", f', "--starts={tmp_path / "starts"}"]')
    study = played(study_file(write, engine, method="random"), workers)
    weights = [told.trial.points[0] for told in study.trials.told]
    assert len(weights) == 2
    default = {"three": 300, "caution": 1, "centre": 9.5}
    # On trial, and as the opponent of all.
    expected = Counter(map(floats, [*weights, default, default]))
    started = (tmp_path / "starts").read_text().splitlines()
    assert Counter(started[: 1 + 1 + 2]) == expected  # and then those of the test


def test_tuned_values_stand_in_a_file_that_runs_and_template(write: Write, tmp_path: Path) -> None:
    study = played(study_file(write, brain("template")))
    tuned, default = read_config(study.folder / "tuned.yaml").players
    assert tuned.engine.parameters["values"] == study.values != default.engine.parameters["values"]
    beside = study.folder / "tuned_weights.txt"
    expected = TEMPLATE.format(**study.values)
    assert beside.read_bytes() == expected.encode()
    assert f"Filled in with the tuned values: {beside}" in proof_notes(study.matches)
    again = arena.run(study.folder / "tuned.yaml", workers=0, results=tmp_path / "again")
    records = [[record.moves for _, record in run.records()] for run in (again, study.matches.test)]
    assert records[0] == records[1]


@pytest.mark.slow
def test_a_study_without_a_proof_leaves_no_template_of_another(write: Write) -> None:
    file = study_file(write, brain("template"))
    study = played(file)
    text = file.read_text().replace("elo0: -400, elo1: -300", "elo0: 400, elo1: 600")
    file.write_text(text.replace("plies: 2", "plies: 3"))
    assert len(list(study.folder.glob("tuned*"))) == 2
    again = played(file, fresh=True)
    assert again.proof
    assert not again.proof.has_passed
    assert not list(study.folder.glob("tuned*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (" = {three}", " = {three} # other", "the code of default changed .*weights.txt"),
        ("three: 300", "three: 200", r"players.default.values.three: 300 -> 200"),
    ],
)
def test_a_study_goes_on_only_with_the_same_values_and_the_same_template(
    write: Write, tmp_path: Path, old: str, new: str, words: str
) -> None:
    file = study_file(write, brain("template"))
    played(file)
    for each in (file, tmp_path / "weights.txt"):
        each.write_text(each.read_text().replace(old, new))
    with pytest.raises(ConfigError, match=words):
        played(file)


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("caution: {low", "cautoin: {low", "5:3", "unknown parameter 'cautoin'; did you mean 'cau"),
        ("caution: {low: 0, high: 5}", "caution: {low: 0}", "5:12", "caution needs high: the eng"),
        ("caution: {low: 0,", "caution: {low: 0.5,", "5:18", "must be a whole number, as cau"),
        ("caution: 1,", "caution: 9,", "5:12", "caution is 9 now, which is not from 0 to 5"),
        ("caution: 1,", "caution: fast,", "5:12", "caution is no number: give its choices"),
        ("caution: 1,", "caution: [1],", "2:", "values must be a number or text, not [1]"),
        ("caution: 1,", "board: 1,", "2:", "'board' is a parameter of the engine: choose another"),
        ("caution: 1,", "'a,b': 1,", "2:", "'a,b' must be a name of letters, digits and _"),
        ("{caution}", "{cautoin}", "2:", "unknown value 'cautoin'; did you mean 'caution'?"),
    ],
)
def test_mistakes_have_places(write: Write, old: str, new: str, place: str, words: str) -> None:
    file = study_file(write, brain("command"))
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))
    (fault,) = [each for each in faults_of(read_tuning, file) if words in each]
    assert fault.startswith(f"study.yaml:{place}")


def test_the_page_s_file_can_be_read(write: Write, undrawn: None) -> None:
    page = (ROOT / "docs/brains.md").read_text(encoding="utf-8").split("## Tune a brain")[1]
    write("four = {four}", "weights.txt")
    config = read_tuning(write(page.split("```yaml")[1].split("```")[0]))
    assert [(axis.name, axis.is_whole) for axis in config.space.axes] == [
        ("three", True),
        ("caution", False),
        ("four", True),
    ]


def test_texts_are_searched_by_choices(write: Write) -> None:
    engine = brain("command").replace("caution: 1,", "caution: calm,")
    file = study_file(write, engine, method="tpe")
    file.write_text(file.read_text().replace("{low: 0, high: 5}", "{choices: [calm, odd]}"))
    config = read_tuning(file)
    assert tuning_from_data(tuning_data(config)).space == config.space
    point = {"three": 20, "caution": "odd", "centre": 0.1}
    player = StudyReferee(config).player(point_name(point))
    assert player.engine.parameters["values"] == point
    assert load.checked("engine", player.engine).parameters == player.engine.parameters


@pytest.mark.slow
def test_a_users_own_engine_can_have_values_too(write: Write) -> None:
    write(OWN, "own.py")
    file = study_file(write, f"{{engine: ./own.py, weights: {{{VALUES}}}}}", "own")
    assert ends(played(file)) == ends(played(study_file(write, HERE, "here")))


def test_a_brain_without_values_goes_on_from_a_folder_that_knew_none() -> None:
    engine = {"command": "./pbrain", "info": {"key": '{"a": 1}'}}
    named = load.checked("engine", Named("gomocup", engine))
    new = player_data(Player("mine", named))
    old = {key: new[key] for key in new if key not in ("values", "template")}
    assert list(value_changes("mine", old, new)) == []


@pytest.mark.slow
def test_what_a_brain_needed_before_the_first_game_is_told_once(write: Write) -> None:
    file = study_file(write, brain("command"), method="random")
    file.write_text(file.read_text() + "limit: {seconds: 0.0001}\nmargin: 20\n")
    told: list[str] = []
    with watching(Console(file=StringIO()), told.append) as watch:
        played(file, watch=watch)
    pattern = r"(.+) took [\d.]+ s for a first move; its limit is 0.0001 s, and the margin 20 s.\n"
    assert re.match(pattern + r"0/\d+ games$", told[0]), told[0]
    assert not any("first move" in line for line in told[1:])
