"""Moves at random, and from move 14 on gives up if it holds few cells that are worth having."""

from random import Random
from typing import Annotated

from arena.engine import Choice, FilePath, Range

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


class Tables:
    """The two weights as tables: one for each cell of the board."""

    size = 49

    def __init__(self, tables):
        import numpy

        weights = [(cell in INNER) * 100.0 - (cell in OUTER) * 10.0 for cell in range(49)]
        self.start = numpy.load(tables)["weights"] if tables else numpy.array(weights)

    def of(self, p):
        cells = [cell for cell, stone in enumerate(p.cells) if stone]
        return cells, [1 if p.cells[cell] == p.turn else -1 for cell in cells]


def features(game, *, tables="", **others):
    return Tables(tables)


def engine(
    game,
    *,
    centre: Annotated[int, Range(-5000, 5000)] = 100,
    edge: Annotated[int, Range(-5000, 5000)] = -10,
    unused: Annotated[int, Range(-5000, 5000)] = 7,
    power: Annotated[float, Range(0, 2)] = 1.0,
    nerves: Annotated[float, Range(0, 1000)] = 200.0,
    tables: Annotated[str, FilePath()] = "",
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
