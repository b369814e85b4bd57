"""Folders that version 0.1.0 kept: one sentence on them, wherever they are met."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support.samples import Write
from support.typed import typed

import arena
from arena.ratings.rating_list import rating_list
from arena.server.watch.run_list import readable_summary

KEPT = Path(__file__).parents[1] / "data" / "kept_by_0_1_0"
SENTENCE = r"was kept by gomoku-arena 0\.1\.0, .*`arena export (\S+) -o games\.jsonl`.*arena import"


@pytest.fixture
def results(write: Write) -> Path:
    """Results with a run of today, and one of 0.1.0 that is called `old`."""
    file = write()
    arena.run(file, workers=0, results=file.parent / "results")
    shutil.copytree(KEPT, file.parent / "results" / "old")
    return file.parent / "results"


@pytest.mark.parametrize("words", ["report", "replay 1", "export", "plan", "compare other"])
def test_every_command_says_how_to_export_the_games_and_changes_nothing(
    results: Path, words: str
) -> None:
    command, *more = words.split()
    more = ["round"] if more == ["other"] else more
    before = (results / "old/arena.db").read_bytes()
    end = typed([command, "old", *more, "--results", str(results)])
    assert end.status == 2
    found = re.search(SENTENCE, end.said)
    assert found
    assert found[1] == str(results / "old")
    assert "delete" not in end.said
    assert (results / "old/arena.db").read_bytes() == before


def test_a_run_of_that_name_is_refused_and_begins_again_only_if_asked_to(
    results: Path,
) -> None:
    file = results.parent / "old.yaml"
    file.write_text(
        "name: old\ngame: tictactoe\nformat: round_robin\nopenings: {list: ['1,1']}\n"
        "engines: [{name: one, engine: random_mover}, {name: two, engine: random_mover}]\n",
        encoding="utf-8",
    )
    with pytest.raises(arena.ConfigError, match=SENTENCE):
        arena.run(file, workers=0, results=results)
    assert len(arena.run(file, workers=0, results=results, fresh=True).games()) == 2


def test_ratings_leave_it_out_with_the_sentence(results: Path) -> None:
    found = rating_list(results)
    assert found.players
    (note,) = found.notes
    assert re.search(SENTENCE, note)


def test_the_list_of_runs_has_a_line_for_it(results: Path) -> None:
    assert readable_summary(results / "old").state == "not readable"
    assert readable_summary(results / "round").state == "complete"
