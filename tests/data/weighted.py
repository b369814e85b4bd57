"""A player with three weights, as an engine and as a brain that takes them from three places."""

import re
import sys

GAMES = ("gomoku",)
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


def best(mine, theirs, size, three, caution, centre):
    """The empty point with the longest rows through it, its own and the other's weighed."""

    def row(stones, x, y, dx, dy):
        length = 0
        while (x + dx, y + dy) in stones:
            x, y, length = x + dx, y + dy, length + 1
        return length

    def value(x, y):
        rows = [
            (row(mine, x, y, dx, dy) + row(mine, x, y, -dx, -dy),
             row(theirs, x, y, dx, dy) + row(theirs, x, y, -dx, -dy))
            for dx, dy in STEPS
        ]  # fmt: skip
        attack = sum(three * each**3 for each, _ in rows)
        defence = sum(100 * caution * each**3 for _, each in rows)
        return attack + defence - centre * max(abs(2 * x + 1 - size), abs(2 * y + 1 - size))

    points = [(x, y) for y in range(size) for x in range(size)]
    return max((p for p in points if p not in mine | theirs), key=lambda p: value(*p))


class Weighted:
    def __init__(self, size, three, caution, centre):
        self.size, self.weights = size, (three, caution, centre)

    def new_game(self, seed):
        pass

    def choose(self, p, limit):
        from arena import Choice

        stones = ({}, {})
        for number, move in enumerate(p.moves):
            stones[(len(p.moves) - number) % 2][(move % self.size, move // self.size)] = 1
        x, y = best({*stones[0]}, {*stones[1]}, self.size, *self.weights)
        return Choice(y * self.size + x)

    def close(self):
        pass


def engine(game, *, three: int = 100, caution: int = 2, centre: float = 9.5):
    return Weighted(game.size, three, caution, centre)


def say(*words):
    print(*words, flush=True)


def talk(options):
    size, mine, theirs = 15, set(), set()
    weights = {"three": 1, "caution": 0, "centre": 0.0}
    if "weights" in options:
        with open(options["weights"], encoding="utf-8") as file:
            weights |= {
                key: float(value) for key, value in re.findall(r"(\w+) = (\S+)", file.read())
            }
    weights |= {key: float(value) for key, value in options.items() if key in weights}
    if "starts" in options:
        with open(options["starts"], "a", encoding="utf-8") as file:
            file.write(f"{weights}\n")

    def move():
        x, y = best(mine, theirs, size, **weights)
        mine.add((x, y))
        say(f"{x},{y}")

    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word in ("START", "RESTART"):
            size = int(rest or size)
            mine.clear()
            theirs.clear()
            say("OK")
        elif word == "ABOUT":
            say('name="weighted", version="1.0"')
        elif word == "INFO":
            key, _, value = rest.partition(" ")
            if key in weights:
                weights[key] = float(value)
        elif word == "BEGIN":
            move()
        elif word == "TURN":
            theirs.add(tuple(map(int, rest.split(","))))
            move()
        elif word == "BOARD":
            mine.clear()
            theirs.clear()
            for stone in map(str.strip, sys.stdin):
                if stone == "DONE":
                    break
                x, y, whose = map(int, stone.split(","))
                (mine if whose == 1 else theirs).add((x, y))
            move()
        elif word == "END":
            break


if __name__ == "__main__":
    talk(dict(each.removeprefix("--").split("=", 1) for each in sys.argv[1:]))
