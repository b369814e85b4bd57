"""Games of all kinds, made up of a seed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from support.game_records import game

from arena.match.game_row import cluster_text
from arena.match.record import GameRecord, OpeningMade, key

NAMES = "abc"


def made_up(seed: int, count: int = 150) -> list[GameRecord]:
    """Games with and without openings, made by rules, ended by faults, half of them copies; each
    with some choices, which tell nodes and depth or do not."""
    random, found = Random(seed), dict[object, GameRecord]()
    for _ in range(count):
        first, second = random.sample(NAMES, 2)
        opening, start = random.choice([("", ""), ("7,7", ""), ("7,7 8,8", "s"), ("7,7 8,6", "s")])
        record = game(first, second, None, opening, random.randint(1, 3))
        if random.random() < 0.3:
            rule, suggested = random.choice(["swap2", "swap"]), random.choice(["1,1", "2,2"])
            made = OpeningMade(rule, random.choice([1, 2]), suggested, "three:0.5 stay:0.25")
            record = replace(record, made=made)
        # Copies end alike, and are of one cluster.
        line = random.choice([0, 1, random.random()])
        end = Random(f"{line} {cluster_text(replace(record, start=start))}")
        mark = f"{cluster_text(replace(record, start=start))} {line}" if start else ""
        winner, reason = end.choice([1, 2, None]), end.choice(["line", "time"])
        record = replace(record, winner=winner, reason=reason, start=start, digest=mark)
        plies, moves = random.randint(3, 40), f"{opening} {line}".strip()
        record = replace(record, moves=moves, plies=plies, **thoughts(random))
        found.setdefault(key(record), record)
    return random.sample([*found.values()], len(found))


def thoughts(random: Random) -> dict[str, str]:
    count = random.choice([0, 1, 2, 9])
    return {
        "times": " ".join(f"{random.expovariate(10):.6f}" for _ in range(count)),
        "nodes": " ".join(str(random.choice([0, 3, 40, 10**6])) for _ in range(count)),
        "depths": " ".join(str(random.choice([0, 1, 2, 30])) for _ in range(count)),
    }
