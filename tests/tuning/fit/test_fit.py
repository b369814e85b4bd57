"""A whole fit, as users see it: its file, its games, its folder, its proof, and going on."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.samples import Write

from arena.tuning.fit.fit import Fit, fit

MOODY = '''
"""Moves at random, and from move 14 on gives up if it holds few cells that are worth having."""
from random import Random
from typing import Annotated
from arena.engine import Choice, Range

GAMES = ("gomoku",)
TRUE = {"centre": 300, "edge": -100, "unused": 7}
INNER = {row * 7 + column for row in (2, 3, 4) for column in (2, 3, 4)}
OUTER = {row * 7 + column for row in range(7) for column in range(7) if {row, column} & {0, 6}}


def evaluate(game, *, centre=0, edge=0, unused=0, power=1.0, **others):
    def value(p):
        own = {cell for cell, stone in enumerate(p.cells) if stone == p.turn}
        other = {cell for cell, stone in enumerate(p.cells) if stone == 3 - p.turn}
        inner, outer = len(own & INNER) - len(other & INNER), len(own & OUTER) - len(other & OUTER)
        return centre * inner * power + edge * outer * power
    return value


def engine(
    game, *,
    centre: Annotated[int, Range(-5000, 5000)] = 100,
    edge: Annotated[int, Range(-5000, 5000)] = -10,
    unused: Annotated[int, Range(-5000, 5000)] = 7,
    power: Annotated[float, Range(0, 2)] = 1.0,
    nerves: Annotated[float, Range(0, 1000)] = 200.0,
):
    return Moody(game, nerves)


class Moody:
    def __init__(self, game, nerves):
        self.game, self.true, self.nerves = game, evaluate(game, **TRUE), nerves

    def new_game(self, seed):
        self.random = Random(seed)

    def choose(self, p, limit):
        value = self.true(p)
        if p.ply >= 14 and value + self.random.gauss(0, self.nerves) < 0:
            return Choice(None, value)
        return Choice(self.random.choice(self.game.moves(p)), value)

    def close(self):
        pass
'''
FIT = """
    kind: fit
    game: {gomoku: {size: 7}}
    engine: ./moody.py
    parameters: [centre, edge, unused]
    make:
      engines:
      - {name: one, engine: ./moody.py}
      - {name: two, engine: ./moody.py, nerves: 300}
      games: 300
    openings: {random: {plies: 3}}
    opponents:
    - {name: mover, engine: random_mover}
    - {name: calm, engine: ./moody.py, nerves: 50}
    verification: {elo0: -400, elo1: -200, pairs: 40, opponent_pairs: 10}
    vary: {}
"""


@pytest.fixture(name="file")
def fixture_file(write: Write) -> Path:
    write(MOODY, "moody.py")
    return write(FIT, "fitted.yaml")


def made(file: Path, **options: object) -> Fit:
    return fit(file, workers=0, results=file.parent / "results", **options)  # type: ignore[arg-type]


def test_games_are_made_weights_fitted_and_proved(file: Path) -> None:
    said: list[str] = []
    found = made(file, say=said.append)
    result = found.result
    assert result
    assert [each.name for each in result.weights] == ["centre", "edge", "unused"]
    centre, edge, unused = result.weights
    ratio = float(centre.after) / float(edge.after)
    assert -6 < ratio < -1.5, "the engines give up by 300 and -100"
    assert (unused.after, unused.seen) == (unused.before, 0)
    assert result.losses[result.chosen][1] == min(loss for _, loss in result.losses)
    assert result.positions > result.held_out > 0
    assert any("positions" in each for each in said)
    assert found.proof
