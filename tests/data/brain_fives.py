"""A Gomocup brain that makes fives and stops them: the point with the most stones in its lines."""

import sys

LINES = ((0, 1), (1, 0), (1, 1), (1, -1))
size, mine, theirs = 15, set(), set()


def say(*words):
    print(*words, flush=True)


def worth(x, y):
    """The sum over all fives through a point that one side can still make."""
    total = 0
    for dx, dy in LINES:
        for start in range(-4, 1):
            five = {(x + (start + i) * dx, y + (start + i) * dy) for i in range(5)}
            if all(0 <= each < size for point in five for each in point):
                own, other = len(five & mine), len(five & theirs)
                total += 0 if own and other else 20**own * 2 if own else 20**other
    return total


def move():
    points = [(x, y) for y in range(size) for x in range(size)]
    x, y = max((p for p in points if p not in mine | theirs), key=lambda p: worth(*p))
    mine.add((x, y))
    say(f"{x},{y}")


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART"):
        size = int(rest or size)
        mine, theirs = set(), set()
        say("OK")
    elif word == "ABOUT":
        say('name="fives", version="1.0", author="nobody"')
    elif word == "BEGIN":
        move()
    elif word == "TURN":
        theirs.add(tuple(map(int, rest.split(","))))
        move()
    elif word == "BOARD":
        mine, theirs = set(), set()
        for stone in iter(sys.stdin.readline, ""):
            if stone.strip() == "DONE":
                break
            x, y, side = map(int, stone.split(","))
            (mine if side == 1 else theirs).add((x, y))
        move()
    elif word == "END":
        break
