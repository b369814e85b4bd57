"""The costs of moves: counted by kernels, they are those by hand to the last bit."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from arena.engine import Limit
from arena.match.columns import Games, games_of
from arena.match.record import GameRecord
from arena.report.moves import costs
from arena.report.moves.costs import choices_of, sums_of, thinking_frame

NAMES = ("a", "b", "c")
CHOICES = 9


def a_game(random: np.random.Generator, round: int) -> GameRecord:
    """A game of two of the players with some searched moves, some forced ones, and none at all."""
    first, second = random.permutation(NAMES)[:2]
    count = int(random.integers(CHOICES))
    seconds, nodes = random.exponential(0.1, count), random.choice([0, 3, 40, 10**6], count)
    opening, depths = ("7,7 7,8 8,8", "7,7")[round % 2], random.choice([0, 1, 2, 30], count)
    moves = " ".join([opening, *(f"0,{i}" for i in range(count))])
    return GameRecord(
        *(str(first), str(second), opening, round, 0, 1, "line", "", len(moves.split()), moves),
        times=" ".join(f"{each:.6f}" for each in seconds),
        nodes=" ".join(map(str, nodes)),
        depths=" ".join(map(str, depths)),
        scores="",
    )


@pytest.fixture
def records() -> list[GameRecord]:
    """Games with choices of all kinds."""
    random = np.random.default_rng(1)
    return [a_game(random, round) for round in range(1, 40)]


@pytest.fixture
def games(records: list[GameRecord]) -> Games:
    """The games as columns."""
    return games_of(records)


def sums_by_hand(records: list[GameRecord]) -> list[list[float]]:
    """The twin: choice by choice, from the texts."""
    sums = [[0.0] * len(NAMES) for _ in costs.SUMS]
    for record in records:
        opened = len(record.opening.split())
        columns = (map(float, text.split()) for text in (record.times, record.nodes, record.depths))
        for ply, (seconds, nodes, depth) in enumerate(zip(*columns, strict=True), start=opened):
            player = NAMES.index((record.first, record.second)[ply % 2])
            is_searched, is_deep = depth > 0 and nodes >= max(10, 2 * depth), depth > 1
            told = 1.0, seconds, nodes, seconds if nodes else 0.0
            deep = is_searched, depth if is_searched else 0.0, is_deep, depth if is_deep else 0.0
            for row, value in enumerate(chain(told, deep)):
                sums[row][player] += value
    return sums


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_sums_over_each_players_choices(
    records: list[GameRecord], games: Games, compiled: bool
) -> None:
    seats = costs.seats_of(NAMES, games)
    (choices,) = choices_of(games, seats, compiled=compiled)
    sums = sums_of(choices, len(NAMES), compiled=compiled)
    assert sums.tolist() == sums_by_hand(records)


@pytest.mark.slow
def test_a_long_run_has_the_same_frame(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"a": Limit(seconds=0.1), "b": Limit(time_left=1.0, increment=0.01)}
    plain = thinking_frame(NAMES, [games, games], limits)
    monkeypatch.setattr(costs, "MANY_GAMES", 1)
    assert thinking_frame(NAMES, [games, games], limits).equals(plain)
    assert plain["greatest_overrun"].notna().tolist() == [True, True, False]
