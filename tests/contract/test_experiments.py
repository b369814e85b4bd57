"""The contract of a kind of experiment, put to each file in arena/experiments."""

from __future__ import annotations

from pathlib import Path

import pytest
from doors.conftest import folder as folder
from support.doors import PLAYED, made

from arena.cli import arena
from arena.experiment import open_experiment
from arena.plugins.load import module, names
from arena.storage.folder import kept_kind

STATES = ("complete", "not complete", "stopped by faults")
FOLDERS = {"tournament": "round", "imported": "imported", "study": "study", "fit": "fit"}
"""A folder of each kind, as those of `tests/doors` are played."""


@pytest.mark.parametrize("kind", names("experiment"))
def test_it_is_described_in_words_that_users_read(kind: str) -> None:
    found = module("experiment", kind)
    assert found.NAME in f"{found.CONTENT} {kind}"
    assert found.CONTENT.endswith((" is", " are"))
    command, _, name = found.COMMAND.partition(" ")
    assert (command, name in arena.commands) in [("arena", True), ("", False)]
    assert found.PLAYERS in ("engines", "players")
    assert found.COMBINES in (True, False)
    assert len(set(found.FRAMES)) == len(found.FRAMES) > 0


@pytest.mark.parametrize("kind", names("experiment"))
def test_its_folder_is_opened_as_one(kind: str, folder: Path) -> None:
    name, results = FOLDERS[kind], folder / "results"
    assert name in PLAYED
    made(folder, name)
    assert kept_kind(name, results) is module("experiment", kind)
    found = open_experiment(name, results=results)
    assert found.folder == results / name
    status, answer, source = found.status(), found.answer(), found.games()
    assert status.state in STATES
    assert answer.verdict == found.verdict()
    assert {*module("experiment", kind).FRAMES} <= {*answer.frames}
    assert answer.sections
    games = list(source.played())
    assert games
    assert status.total is None or len(games) <= status.total
    assert {run for run, *_ in games} <= {*source.runs}
    for _, number, record in games:
        assert number > 0
        assert {record.first, record.second} <= {*source.players}
