"""A Gomocup brain that takes the first empty point, row by row."""

import sys

size, stones = 15, set()


def say(*words):
    print(*words, flush=True)


def move():
    x, y = next((x, y) for y in range(size) for x in range(size) if (x, y) not in stones)
    stones.add((x, y))
    say(f"{x},{y}")


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART"):
        size = int(rest or size)
        stones.clear()
        say("OK")
    elif word == "ABOUT":
        say('name="first", version="1.2", author="nobody"')
    elif word == "BEGIN":
        move()
    elif word == "TURN":
        stones.add(tuple(map(int, rest.split(","))))
        move()
    elif word == "BOARD":
        stones.clear()
        for stone in iter(sys.stdin.readline, "DONE\n"):
            if stone.strip() == "DONE":
                break
            stones.add(tuple(map(int, stone.split(",")[:2])))
        move()
    elif word == "END":
        break
