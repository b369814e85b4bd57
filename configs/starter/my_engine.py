# my_engine.py
from random import Random
from typing import Annotated

from arena import Choice, Range

GAMES = ("gomoku",)  # the games it plays


def engine(game, *, width: Annotated[int, Range(1, 50), "moves considered"] = 20):
    return MyEngine(game, width)


class MyEngine:
    """Plays a random move near the centre."""

    def __init__(self, game, width):
        self.game, self.width = game, width

    def new_game(self, seed):  # forget the last game; draw random numbers from this seed only
        self.random = Random(seed)

    def choose(self, p, limit):  # p.cells: 0 empty, 1 first player, 2 second player; p.turn: 1 or 2
        nearest = sorted(self.game.moves(p), key=self.distance)[: self.width]
        return Choice(self.random.choice(nearest), score=0, depth=1, nodes=len(nearest))

    def close(self):  # end the programs and close the files that it opened, if any
        pass

    def distance(self, move):  # a move is the number of a cell, counted row by row
        row, column = divmod(move, self.game.size)
        return abs(row - self.game.size // 2) + abs(column - self.game.size // 2)
