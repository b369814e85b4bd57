"""Games in from SGF and out again: games a second, and memory at two numbers of games."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from arena.bench import Measurement
from arena.engine import Remark
from arena.plugins.load import load_game
from arena.records.formats import sgf
from arena.records.written import Result, WrittenGame

GAMES_IN_FILE = 5_000
FEW = 5
"""The fraction of the games that is measured first is one in this number."""
MOST_MOVES = 60
SPAWNER = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
"""A small process: the peak memory of a child is at least that of the parent when it forked."""
FOUR_NAMES = ("one", "two", "three", "four")


def rows(repeat: int, *, games: int = GAMES_IN_FILE) -> Iterator[Measurement]:
    """Import and export the games, and before that a fifth of them; `repeat` is ignored.

    Each is a command in a process of its own, on one core; its CPU time has its start in it.
    """
    with tempfile.TemporaryDirectory() as folder:
        for count in (games // FEW, games):
            file = Path(folder) / f"{count}.sgf"
            with file.open("wb") as stream:
                for game in random_games(count):
                    stream.write(sgf.text(game))
            results = ["--results", folder]
            taken_in = cost_of(["import", str(count), str(file), *results])
            written = cost_of(["export", str(count), "-o", f"{file}.out", *results])
            yield {
                "name": "records/sgf",
                "games": count,
                "in_per_second": count / taken_in[0],
                "out_per_second": count / written[0],
                "in_megabytes": taken_in[1],
                "out_megabytes": written[1],
            }


def cost_of(arguments: list[str]) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a command."""
    command = [sys.executable, "-c", SPAWNER, sys.executable, "-m", "arena", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    status, seconds, kilobytes = done.stdout.split()
    if int(status):
        raise RuntimeError(f"arena {' '.join(arguments)} has failed")
    return float(seconds), int(kilobytes) / 1024


def random_games(count: int) -> Iterator[WrittenGame]:
    """Games of random moves on 15 x 15, each with its numbers; some end by the rules."""
    random, game = Random(0), load_game("gomoku")
    remarks = [Remark(seat, 0.012345, 54321, 6, -123) for seat in (1, 2)]
    for _ in range(count):
        p, cells = game.start(), random.sample(range(game.size**2), MOST_MOVES)
        while not (outcome := game.outcome(p)) and p.ply < MOST_MOVES:
            p = game.play(p, cells[p.ply])
        result: Result = "first" if p.ply % 2 else "second"
        first, second = random.sample(FOUR_NAMES, 2)
        yield WrittenGame(
            size=game.size,
            moves=tuple(divmod(move, game.size) for move in p.moves),
            opening=4,
            first=first,
            second=second,
            rule="freestyle",
            result=result,
            reason=outcome.reason if outcome else "resignation",
            remarks=(*(None,) * 4, *(remarks[ply % 2] for ply in range(4, p.ply))),
            round="1",
        )
