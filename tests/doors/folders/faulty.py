"""Moves at random, and in most games ends by a fault: an exception, an illegal move, giving up."""

from random import Random

from arena import Choice

GAMES = ("gomoku",)


class Faulty:
    def __init__(self, game):
        self.game = game

    def new_game(self, seed):
        self.random = Random(seed)
        self.end = self.random.choice(["raises", "occupied", "resigns", "plays on"])

    def choose(self, p, limit):
        if p.ply >= 9 and self.end == "raises":
            raise ValueError("I am lost")
        if p.ply >= 7 and self.end == "occupied":
            return Choice(p.moves[-1])
        if p.ply >= 5 and self.end == "resigns":
            return Choice(None)
        return Choice(self.random.choice(self.game.moves(p)), score=self.random.randrange(100))

    def close(self):
        pass


def engine(game):
    return Faulty(game)
