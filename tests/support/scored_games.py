"""Made-up games, whose results follow from the players' scores by known scales."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from support.game_records import game
from support.reports import Played

from arena.match.record import GameRecord

SIZE = 15
CHOICES = 12
K = {"one": 0.004, "two": 0.00002}  # two players that count in units of their own


def scored_games(
    openings: int, seed: int = 1, scales: Mapping[str, float] = K, strength: float = 0.0
) -> list[Played]:
    """A pair on each opening. `strength`: the log odds of the first name against the second.

    Each game's position speaks for one side by some log odds, as the scores of both players say.
    """
    random = np.random.default_rng(seed)
    one, two = scales
    games = []
    for number in range(openings):
        for first, second in ((one, two), (two, one)):
            odds = random.normal(0, 1.5)
            better = strength if first == one else -strength
            is_won = random.random() < 1 / (1 + np.exp(-odds - better))
            scores = [
                round(odds / scales[first]) if i % 2 == 0 else round(-odds / scales[second])
                for i in range(CHOICES)
            ]
            cells = random.permutation(SIZE * SIZE)[: CHOICES + 2]
            games.append(scored(first, second, 1 if is_won else 2, number, cells.tolist(), scores))
    return list(enumerate(games, start=1))


def scored(
    first: str, second: str, winner: int, number: int, cells: list[int], scores: list[int]
) -> GameRecord:
    """A game of these moves, with a score of each, on an opening of two plies of this number."""
    start = [(number * 2 + i) % (SIZE * SIZE) for i in range(2)]
    rest = [cell for cell in cells if cell not in start][:CHOICES]
    words = [f"{cell // SIZE},{cell % SIZE}" for cell in [*start, *rest]]
    opening, round, count = " ".join(words[:2]), 1 + number // SIZE**2, len(rest)
    made = game(first, second, winner, opening, round, moves=" ".join(words))
    each_move = {"times": "0.010", "nodes": "100", "depths": "4"}
    costs = {name: " ".join([each] * count) for name, each in each_move.items()}
    return replace(made, **costs, scores=" ".join(map(str, scores[:count])), plies=len(words))
