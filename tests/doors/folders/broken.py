"""Raises an exception at its first move."""

GAMES = ("*",)


class Broken:
    def new_game(self, seed):
        pass

    def choose(self, p, limit):
        raise RuntimeError("no move")

    def close(self):
        pass


def engine(game):
    return Broken()
