"""Tuning methods: the Elo that they lose on landscapes whose strongest point is known."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import sqrt

import numpy as np

from arena.bench import Measurement
from arena.tuning.method import Plan, suggested_games
from benchmarks.landscapes import KINDS, Landscape
from benchmarks.simulated import tuned_loss

METHODS = ("ascent", "spsa")
"""The methods that compare two points: the others need many times as many games."""
SIZES = ((6, 4_000), (12, 4_000), (6, 20_000), (12, 20_000))
"""Numbers of parameters and of games."""
SEEDS = (range(12), range(12, 24))
LAG = 4


def rows(repeat: int) -> Iterator[Measurement]:
    """A row for each method, kind of landscape and size; `repeat` is ignored."""
    for method, kind, (parameters, games) in product(METHODS, KINDS, SIZES):
        plan = Plan(games, suggested_games(method, games), LAG, seed=0)
        yield tuning_row(method, kind, parameters, plan)


def tuning_row(
    method: str, kind: str, parameters: int, plan: Plan, seeds: Sequence[range] = SEEDS
) -> Measurement:
    """The mean loss of one method on one kind of landscape, over each range of seeds.

    `milliseconds_per_trial` is CPU time of the method, simulated games included.
    """
    row: Measurement = {
        "name": f"tune/{method}/{kind}",
        "parameters": parameters,
        "games": plan.budget,
        "games_per_trial": plan.games,
    }
    began = time.process_time()
    for some in seeds:
        losses = [
            tuned_loss(Landscape(parameters, seed, kind), method, replace(plan, seed=seed))
            for seed in some
        ]
        label = f"{some.start}-{some.stop - 1}"
        row[f"loss_{label}"] = float(np.mean(losses))
        row[f"error_{label}"] = float(np.std(losses, ddof=1)) / sqrt(len(losses))
    trials = sum(map(len, seeds)) * plan.trials
    row["milliseconds_per_trial"] = 1000 * (time.process_time() - began) / trials
    return row
