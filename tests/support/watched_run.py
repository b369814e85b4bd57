"""A run of some seconds, as a process, for pages that watch it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

from support.processes import running
from support.samples import Write, player

from arena.storage.folder import BOARDS

NAP = """
    time.sleep({seconds})
    moves = self.game.moves(p)
    return Choice(moves[len(moves) // 2], score=10 * p.ply - 50, depth=3, nodes=900)
"""
WATCHED = """
    name: watched
    game: {{gomoku: {{size: 7}}}}
    openings: {{random: {{plies: 2, count: {openings}, seed: 1}}}}
    engines:
      - {{name: one, engine: ./nap.py}}
      - {{name: two, engine: ./nap.py}}
"""


@contextmanager
def watched_run(
    write: Write, results: Path, openings: int = 10, seconds: float = 0.02
) -> Iterator[Popen[Any]]:
    """The run, once its games are at play; two for each opening, with seconds between moves."""
    write(player(NAP.format(seconds=seconds)), "nap.py")
    file = write(WATCHED.format(openings=openings), "watched.yaml")
    command = [sys.executable, "-m", "arena", "run", str(file), "--results", str(results)]
    with running([*command, "--workers", "2"], stdout=DEVNULL, stderr=DEVNULL) as process:
        end = time.monotonic() + 60
        while not (results / "watched" / BOARDS).exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        yield process
