"""Runs as others see them: boards at play, a wish to stop, and the way to start processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.processes import running, workers_of
from support.samples import ROUND, Write, player

import arena
from arena.storage.folder import (
    BOARDS,
    LiveBoard,
    LiveBoards,
    ask_to_stop,
    is_asked_to_stop,
    read_boards,
)
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


TALKS = player('logger.info("hello"); return Choice(self.game.moves(p)[p.ply % 3])')


@pytest.fixture
def the_start_method() -> Iterator[None]:
    before = multiprocessing.get_start_method(allow_none=True)
    yield
    multiprocessing.set_start_method(before, force=True)


def played(write: Write) -> arena.Run:
    """Four games by two workers, in which each player says hello in the log."""
    file = write(ROUND.replace("engine: random_mover}", "engine: ./talks.py}", 2))
    write(TALKS, "talks.py")
    return arena.run(file, workers=2, results=file.parent)


@pytest.mark.usefixtures("the_start_method")
@pytest.mark.parametrize("method", [None, "spawn", "fork"])
def test_a_run_leaves_the_start_method_as_it_was(write: Write, method: str | None) -> None:
    multiprocessing.set_start_method(method, force=True)
    run = played(write)
    assert multiprocessing.get_start_method(allow_none=True) == method
    assert len(run.records()) == 12
    assert "hello" in (run.folder / "arena.log").read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("the_start_method")
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this is such a system")
def test_other_systems_play_the_same_games(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    here = played(write).records()
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.delattr(os, "pidfd_open")
    monkeypatch.delattr(os, "sched_getaffinity")
    multiprocessing.set_start_method("spawn", force=True)
    file = write(ROUND.replace("engine: random_mover}", "engine: ./talks.py}", 2), "there.yaml")
    run = arena.run(file, workers=2, results=file.parent)
    assert [game.moves for _, game in run.records()] == [game.moves for _, game in here]
    assert "hello" in (run.folder / "arena.log").read_text()


needs_boards = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

SLOW = player("""
    time.sleep(0.2)
    return Choice(self.game.moves(p)[0], score=p.ply, depth=3, nodes=9)
""")
QUITTER = player("""
    return Choice(None if p.ply == 1 else self.game.moves(p)[0])
""")
RUN = """
    game: {gomoku: {size: 9}}
    openings: {list: ["4,4"]}
    rounds: 20
    engines:
      - {name: one, engine: ./slow.py}
      - {name: two, engine: ./slow.py}
"""


def seen(folder: Path, wanted: Callable[[LiveBoards], bool]) -> LiveBoards:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if (found := read_boards(folder)) and wanted(found):
            return found
        time.sleep(0.05)
    raise AssertionError("no such boards")


def plies(board: LiveBoard) -> int:
    return len(board.remarks)


@pytest.mark.slow
@needs_boards
def test_games_are_seen_as_workers_play_them_and_again_after_a_kill(write: Write) -> None:
    write(SLOW, "slow.py")
    file = write(RUN, "run.yaml")
    folder = file.parent / "results" / "run"
    command = [sys.executable, "-m", "arena", "run", str(file), "--workers", "2"]
    with running([*command, "--results", str(folder.parent)], stdout=subprocess.DEVNULL) as process:
        first = seen(folder, lambda found: len(found.boards) == 2 and plies(found.boards[1]) > 1)
        assert [board.slot for board in first.boards] == [0, 1]
        assert len({board.game for board in first.boards}) == 2
        for board in first.boards:
            assert board.goes_on
            assert board.moves.startswith("4,4 0,0 0,1"[: len(board.moves)])
            assert len(board.moves.split()) == 1 + plies(board)
            for number, remark in enumerate(board.remarks):
                assert (remark.seat, remark.score) == (2 - number % 2, 1 + number)
                assert (remark.depth, remark.nodes) == (3, 9)
                assert 0.2 <= remark.seconds < 5
        seen(folder, lambda found: plies(found.boards[0]) > plies(first.boards[0]))
        os.kill(workers_of(process)[1], signal.SIGKILL)  # the first is the reaper
        games = {board.game for board in first.boards}
        again = seen(folder, lambda found: {board.game for board in found.boards} != games)
        assert again.began == first.began
        process.send_signal(signal.SIGINT)
        process.wait(30)
    assert not (folder / BOARDS).exists()


@pytest.mark.slow
@needs_boards
def test_a_game_that_is_over_is_seen_until_the_next_begins(write: Write) -> None:
    write(SLOW, "slow.py")
    write(QUITTER, "quitter.py")
    text = RUN.replace("rounds: 20", "rounds: 1").replace(
        "two, engine: ./slow", "two, engine: ./quitter"
    )
    file = write(text, "run.yaml")
    folder = file.parent / "results" / "run"
    command = [sys.executable, "-m", "arena", "run", str(file), "--workers", "2"]
    with running([*command, "--results", str(folder.parent)], stdout=subprocess.DEVNULL):
        found = seen(folder, lambda found: found.done == 1)
        assert sorted(board.goes_on for board in found.boards) == [False, True]
        (over,) = (board for board in found.boards if not board.goes_on)
        assert (over.second, over.moves) == ("two", "4,4")
