"""The boards of worker processes, as another process sees them while they play."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.processes import running, workers_of
from support.samples import Write, player

from arena.storage.at_play import BOARDS, LiveBoard, LiveBoards, read_boards

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
]

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
    """The boards, once they are as wanted."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if (found := read_boards(folder)) and wanted(found):
            return found
        time.sleep(0.05)
    raise AssertionError("no such boards")


def plies(board: LiveBoard) -> int:
    return len(board.remarks)


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
