"""A run that another process asks to stop: no further game is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.samples import Write

import arena
from arena.storage.at_play import ask_to_stop, is_asked_to_stop
from arena.tournament.run import RunProgress


@pytest.mark.parametrize("workers", [0, 1])
def test_a_run_ends_after_the_games_in_flight(workers: int, write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "results" / "round"

    def watch(progress: RunProgress) -> None:
        if progress.tally.games == 3:
            ask_to_stop(folder)

    played = arena.run(write(), workers=workers, results=folder.parent, watch=watch)
    assert 3 <= len(played.records()) <= 4
    assert is_asked_to_stop(folder)
    again = arena.run(write(), workers=workers, results=folder.parent)
    assert len(again.records()) == 12
    assert not is_asked_to_stop(folder)


def test_what_was_asked_of_an_earlier_run_is_forgotten(write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "results" / "round"
    folder.mkdir(parents=True)
    ask_to_stop(folder)
    assert len(arena.run(write(), workers=0, results=folder.parent).records()) == 12
