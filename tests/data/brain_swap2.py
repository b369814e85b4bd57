"""A Gomocup brain that plays swap2, and answers the stones of others as its argument says."""

import sys
import time

OWN = ["3,3", "4,5", "5,3"]
ANSWERS = {
    "swap": "SWAP",
    "stay": "0,0",
    "two": "0,0 8,8",
    "taken": "{taken}",
    "three": "0,0 8,8 0,8",
    "off": "9,9",
    "garbage": "0,0 and so on",
}
how = sys.argv[1]
size, stones = 9, set()


def say(words):
    print(words, flush=True)


def listed():
    return [line.strip() for line in iter(sys.stdin.readline, "DONE\n")]


def move():
    x, y = next((x, y) for y in range(size) for x in range(size) if (x, y) not in stones)
    stones.add((x, y))
    say(f"{x},{y}")


def opening(laid):
    if how == "unknown":
        say("UNKNOWN command")
    elif not laid:
        say(" ".join(OWN))
    elif laid[:3] == OWN:
        say("0,1" if len(laid) == 5 else "SWAP")
    elif how == "exits":
        sys.exit(3)
    elif how != "silent":
        time.sleep(1 if how == "late" else 0)
        say(ANSWERS.get(how, "SWAP").format(taken=laid[0]))


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART"):
        stones.clear()
        say("OK")
    elif word == "ABOUT":
        say('name="swapper", version="1"')
    elif word == "BEGIN":
        move()
    elif word == "TURN":
        stones.add(tuple(map(int, rest.split(","))))
        move()
    elif word == "BOARD":
        stones = {tuple(map(int, stone.split(",")[:2])) for stone in listed()}
        move()
    elif word == "SWAP2BOARD":
        opening(listed())
    elif word == "END":
        break
