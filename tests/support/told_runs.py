"""Runs whose games are told, not played: the commands are real, and so are folders and schedules.

A pair is two letters from the side of one player, which moves first in the first game: `W` won,
`L` lost, `D` drawn; `C` lost by a crash of its own, `T` on time; `w` won by a crash of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.samples import ROOT

import arena
from arena.engine import Limit
from arena.game import Outcome, Reason
from arena.human.in_play import Setup, config_of, keep
from arena.match.copies import marks_of_text
from arena.match.game_row import read_efforts
from arena.match.record import GameRecord, Job, record
from arena.match.terms import Terms
from arena.plugins.load import Named, load_game
from arena.workers.referee import Referee

SIZE = 15
GAME = load_game(Named("gomoku", {"size": SIZE}))
FIRST_STONE = 3, 5  # a point that each turn of the board moves elsewhere: no two openings are alike
MOVES = 8
End = tuple[int | None, Reason, str]  # the winner of a game, the reason, and words on it
ENDS: Mapping[str, End] = {
    "W": (1, "resignation", ""),
    "L": (2, "resignation", ""),
    "D": (None, "agreement", ""),
    "C": (2, "exception", "RuntimeError: crash"),
    "T": (2, "time", "0.120 s over"),
    "w": (1, "exception", "RuntimeError: crash"),
}  # how a game ends: its winner is 1 for the player from whose side it is told
ENGINE = ROOT / "tests/data/never_asked.py"
Results = Mapping[str, Sequence[str]]
"""The pairs of two players, whose names are joined by a space: as many as are listed, then these
once more. Those of whom nothing is told are equals."""


@dataclass(frozen=True)
class Typed:
    """A file as `arena run` gets it, with so many openings; it is stopped after some games."""

    players: str
    openings: int
    format: Any = "round_robin"
    games: int | None = None
    seconds: float = 0.0


def make(folder: Path, name: str, results: Results, *files: Typed) -> None:
    """Play a run by these files in turn, in the folder `results` below this one."""
    with told(partial(end_of, results), name):
        for file in files:
            data, (watch, stop) = _data(name, file), stopping(file.games)
            where = folder / "results"
            arena.run(data, workers=0, results=where, progress=False, watch=watch, stop=stop)


def stopping(games: int | None) -> tuple[Callable[[object], None], Callable[[], bool]]:
    """A watcher of progress, and a function that stops after so many games."""
    seen: list[object] = []
    # What is told before the first game is no game.
    return seen.append, lambda: games is not None and len(seen) > games


def by_chance(job: Job) -> End:
    return ENDS[Random(str(job)).choice("WL")]


def play_with_person(folder: Path, ends: str) -> None:
    terms = Terms(game=Named("gomoku", {"size": SIZE}), limit=Limit(depth=2))
    setup = Setup(GAME, ("human", "five_tuple"), terms)
    for number, end in enumerate(ends):
        record = _game(Job(*setup.names, _opening(number)), *ENDS[end])
        keep(record, config_of(setup), folder / "results")


def _data(name: str, file: Typed) -> dict[str, Any]:
    names = file.players.split()
    engines = [{"name": n, "engine": str(ENGINE), "tag": sum(map(ord, n))} for n in names]
    openings = {"list": [_opening(number) for number in range(file.openings)]}
    limit = {"seconds": file.seconds} if file.seconds else {"depth": 4}
    terms = {"game": {"gomoku": {"size": SIZE}}, "limit": limit, "openings": openings}
    return {"name": name, **terms, "format": file.format, "engines": engines}


@contextmanager
def told(end: Callable[[Job], End], name: str = "") -> Iterator[None]:
    """No engine is asked for a move: games end as they are told. Those of another name have other
    moves."""

    def play(self: Referee, job: Job, _: object = None) -> GameRecord:
        game = _game(job, *end(job), name)
        limits = [self.limit(game.first), self.limit(game.second)]
        return replace(game, efforts=read_efforts(game, limits))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Referee, "check", lambda *_: None)
        patch.setattr(Referee, "play", play)
        yield


def end_of(results: Results, job: Job) -> End:
    """How a game ends: by the pairs of its players, of which each opening has its own."""
    for one, other in ((job.first, job.second), (job.second, job.first)):
        if pairs := results.get(f"{one} {other}"):
            is_first = one == job.first
            pair = pairs[NUMBERS[job.opening] % len(pairs)]
            winner, reason, detail = ENDS[pair[0 if is_first else 1]]
            return winner if is_first or winner is None else 3 - winner, reason, detail
    return ENDS["W"]


def _game(job: Job, winner: int | None, reason: Reason, detail: str, name: str = "") -> GameRecord:
    opening = job.opening.split()
    points = [f"{row},{column}" for row in range(0, SIZE, 2) for column in range(SIZE)]
    free = [point for point in points if point not in opening]
    moves = " ".join([*opening, *Random(f"{job} {name}").sample(free, MOVES)])
    each_move = {"times": "0.010", "nodes": "100", "depths": "4", "scores": "-"}
    remarks = {name: " ".join([each] * MOVES) for name, each in each_move.items()}
    marks = marks_of_text(GAME, job.opening, moves)
    return record(job, Outcome(winner, reason), detail, moves, marks, **remarks)


def _opening(number: int) -> str:
    """The opening of this number: the first stone, another, and a third where these are spent."""
    cells = [divmod(i, SIZE) for i in range(SIZE * SIZE) if divmod(i, SIZE) != FIRST_STONE]
    turn, place = divmod(number, len(cells))
    line = [FIRST_STONE, cells[place], *([cells[place - turn]] if turn else [])]
    return " ".join(f"{row},{column}" for row, column in line)


NUMBERS = {_opening(number): number for number in range(1000)}
