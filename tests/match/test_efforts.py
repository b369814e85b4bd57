"""What moves cost, in sums: those by hand, choice by choice."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from support.game_records import game
from support.made_up_games import thoughts

from arena import Choice, Limit, load_game
from arena.game import Position
from arena.match.game_row import read_efforts
from arena.match.opening_rules import opening_seconds
from arena.match.play import play_game
from arena.match.record import Effort, job_of
from arena.match.terms import Clock

LIMITS = [
    Limit(),
    Limit(depth=3),
    Limit(seconds=0.1),
    Limit(time_left=0.4),
    Limit(time_left=0.2, increment=0.05),
    Limit(seconds=0.2, time_left=0.5, increment=0.1),
]


def by_hand(limit: Limit, choices: list[tuple[float, float, float]]) -> Effort:
    """The twin: the seconds, nodes and depths of a player's choices, whose clock runs."""
    found, clock = Effort(), Clock(limit)
    microseconds, over = 0.0, list[float]()
    with_nodes, deep, deep_depths = 0.0, 0, 0.0
    for seconds, nodes, depth in choices:
        bounds = clock.bounds()
        whole = [each for each in (limit.seconds, limit.time_left) if each is not None]
        left = [bound - seconds for bound in bounds]
        over += [-each for each in left]
        is_near = any(rest < 0.1 * of - 1e-12 for rest, of in zip(left, whole, strict=True))
        is_searched = depth > 0 and nodes >= 10 and nodes >= 2 * depth
        microseconds += 1e6 * seconds
        with_nodes += 1e6 * seconds if nodes else 0
        deep, deep_depths = deep + (depth > 1), deep_depths + (depth if depth > 1 else 0)
        found = found._replace(
            choices=found.choices + 1,
            nodes=found.nodes + nodes,
            searched=found.searched + is_searched,
            searched_depths=found.searched_depths + is_searched * depth,
            near=found.near + is_near,
        )
        clock = clock.after(seconds)
    if not found.nodes:
        found = found._replace(deep=deep, deep_depths=deep_depths)
    found = found._replace(time=round(microseconds), time_with_nodes=round(with_nodes))
    return found._replace(overrun=round(1e6 * max(over)) if over else None)


@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_the_sums_of_each_player_are_those_of_its_choices(limit: Limit) -> None:
    random = Random(1)
    for _ in range(60):
        opening, both = random.choice(["", "7,7", "7,7 8,8"]), [limit, random.choice(LIMITS)]
        record = replace(game("a", "b", 1, opening), **thoughts(random))
        columns = (map(float, text.split()) for text in (record.times, record.nodes, record.depths))
        seats = list[tuple[float, float, float]](), list[tuple[float, float, float]]()
        for ply, choice in enumerate(zip(*columns, strict=True), start=len(opening.split())):
            seats[ply % 2].append(choice)
        assert read_efforts(record, both) == tuple(map(by_hand, both, seats))


class Jumpy:
    """Plays anywhere, and thinks anything of it."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def new_game(self, seed: int) -> None:
        pass

    def choose(self, p: Position, limit: Limit) -> Choice:
        random = self.random
        move = random.choice([i for i, cell in enumerate(p.cells) if not cell])
        nodes, depth = random.choice([0, 3, 40, 10**12]), random.choice([0, 1, 2, 30])
        return Choice(move, random.choice([-1, None, 1]), nodes, depth)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("opening", ["", "4,4", "swap2 4,4 3,3 5,6", "swap 4,4 3,3 5,6"])
def test_play_sums_what_the_record_of_the_game_tells(
    opening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, now, colours = Random(2), 0.0, set[str]()

    def clock() -> float:
        nonlocal now
        now += random.expovariate(8)
        return now

    monkeypatch.setattr("arena.match.play.perf_counter", clock)
    for round in range(60):
        limits = random.choice(LIMITS), random.choice(LIMITS)
        both, job = (Jumpy(random), Jumpy(random)), job_of(("a", "b", opening, round), 7)
        record = play_game(load_game("gomoku:size=9"), both, job, limits=limits)
        clocks = dict(zip("ab", map(Clock, limits), strict=True))
        for asked, seconds in zip("aba", opening_seconds(record), strict=False):
            clocks[asked] = clocks[asked].after(seconds)
        own = [clocks[name].limit for name in (record.first, record.second)]
        assert record.efforts == read_efforts(record, own)
        colours.add(record.first)
    assert colours == ({"a", "b"} if " " in opening else {"a"})


@pytest.mark.parametrize("change", [{"nodes": "1"}, {"depths": ""}, {"times": "0.1 0.2 soon"}])
def test_a_record_without_as_many_numbers_of_each_has_none(change: dict[str, str]) -> None:
    record = replace(game("a", "b", 1), times="0.1 0.2", nodes="1 2", depths="1 1")
    with pytest.raises(ValueError, match=r"not as many|could not convert"):
        read_efforts(replace(record, **change))
