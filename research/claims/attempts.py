"""Null studies that are retried: equals of the default weights, proved one after another.

Each retry is `arena.prove` of another point, under another name, in one folder of results; the
points are given, so that no search is played. A game is a toss, and the weights decide nothing but
which. `proved` is a proved gain, `numbered` a verdict that says which attempt it is; the first one
has no number to say. Games are played in this process, and folders are thrown away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import optuna

import arena
from claims.cells import Cell, Outcome, counted, table

RETRIES = 5
PAIRS = 60
ELO1 = 200.0
"""The gain that the test looks for: the greater, the fewer games."""
NUMBERED = re.compile(r"\b\d+(st|nd|rd|th) attempt\b")
COIN = '''
"""Resigns, or lays any stone, by a toss that the game's seed and the weight decide."""

import random
from typing import Annotated

from arena import Choice, Range

GAMES = ("*",)


class Player:
    def __init__(self, game, weight):
        self.game, self.weight = game, weight

    def new_game(self, seed):
        self.random = random.Random(f"{seed} {self.weight}")

    def choose(self, p, limit):
        is_lost = self.random.random() < 0.5
        return Choice(None if is_lost else self.random.choice(self.game.moves(p)))

    def close(self):
        pass


def engine(game, *, weight: Annotated[float, Range(0.0, 1.0)] = 0.5):
    return Player(game, weight)
'''


def simulated(seed: int) -> Outcome:
    """All attempts of one folder."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    found: dict[tuple[Cell, str], bool] = {}
    with TemporaryDirectory(prefix="attempts") as place:
        engine = Path(place, "coin.py")
        engine.write_text(COIN, encoding="utf-8")
        for number in range(1, RETRIES + 1):
            config = study(f"attempt_{number}", engine, seed)
            point = {"weight": number / 10 - 0.05}
            proved = arena.prove(
                optuna.create_study(), config, point, workers=0, results=Path(place, "results")
            )
            cell = Cell(f"attempt {number}", "toss", PAIRS, "at most 7 % proved, all numbered")
            found[cell, "proved"] = bool(proved.proof and proved.proof.has_passed)
            if number > 1:
                found[cell, "numbered"] = bool(NUMBERED.search(str(proved.verdict)))
    return found


def study(name: str, engine: Path, seed: int) -> Mapping[str, Any]:
    """The config of one attempt."""
    return {
        "name": name,
        "game": {"gomoku": {"size": 9}},
        "engine": str(engine),
        "parameters": ["weight"],
        "openings": {"random": {"plies": 4, "seed": seed}},
        "seed": seed,
        "verification": {"elo0": 0.0, "elo1": ELO1, "pairs": PAIRS},
    }


def lines(seeds: Sequence[int], workers: int) -> Iterator[str]:
    """The table."""
    yield from table(counted(simulated, seeds, workers))
