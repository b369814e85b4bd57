"""The planner: expected pairs and chances of H1, beside those of simulated tests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import get_args

from arena.bench import Measurement
from arena.stats.forecast import Design, forecast, pair_shares
from arena.stats.sprt import Model
from benchmarks.simulated_tests import simulated

DRAWS = 0.0, 0.5, 0.9, 0.95, 0.98
HYPOTHESES = (0, 50), (0, 10)
TESTS = 1000
NO_END = 10**6


def rows(repeat: int) -> Iterator[Measurement]:
    """Simulate `repeat` thousand tests for each true difference: H0, midway, and H1."""
    for model, (elo0, elo1), draws in product(get_args(Model), HYPOTHESES, DRAWS):
        design = Design(elo0, elo1, model=model, pairs=NO_END)
        shares = pair_shares(draws, (1 - draws) ** 2 / 2)
        for elo in (design.elo0, design.midway, design.elo1):
            course = forecast(design, shares, elo)
            measured = simulated(design, shares, elo, repeat * TESTS)
            yield {
                "test": f"{elo0} {elo1} {model}",
                "draws": draws,
                "elo": elo,
                "pairs": course.mean,
                "simulated": measured.mean,
                "error": measured.error,
                "h1": course.h1,
                "simulated_h1": measured.h1,
            }
