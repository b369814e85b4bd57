"""How good tuning methods are: matches with a known answer, and the Elo lost after so many games.

Elo(x) = -u' H u on the unit box. The strongest point is uniform in [0.15, 0.85], H mildly
correlated, scaled so that the middle of the box, the start, loses `gap` Elo. u is the distance from
the strongest point, or with skew (exp(k distance) - 1) / k, |k| from 2 to 6. Misjudged ranges are 1
to 10 times too wide. Ratios are what an evaluation's weights are like: each range is 4 to 6 e-folds
wide, only the ratios of neighbours in a ring matter, so all may grow together and nothing changes,
and a ratio far from its best loses no more than a bounded amount. A pair is two games on an opening
worth N(0, 150) Elo to the first player, colours swapped.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from arena.plugins import load
from arena.tuning.method import Answer, Plan, Trial, Tuner, suggested_games
from arena.tuning.model.surface import Array
from arena.tuning.space import Axis, Space
from arena.tuning.trials import smoothed

KINDS = {
    "plain": {},
    "skew": {"skew": True},
    "skew and misjudged": {"skew": True, "misjudged": True},
    "ratios": {"ratios": True},
}
METHODS = ("surface", "spsa")
"""Those that compare two points: the others need many times as many games."""
SIZES = ((6, 4_000), (12, 4_000), (6, 20_000), (12, 20_000))
SEEDS, FRESH = range(12), range(12, 24)
GAP = 80.0
OPENING = 150.0
DRAWISH = 15.0
"""Elo that both sides must make up for a win: few draws."""
SATURATED = 1.5
"""E-folds: a ratio that is so far from its best has lost half of what it can lose."""
LAG = 4


class Landscape:
    """A strength known in full, and a source of match results; drawn from the seed."""

    def __init__(
        self,
        parameters: int,
        seed: int,
        *,
        gap: float = GAP,
        skew: bool = False,
        misjudged: bool = False,
        ratios: bool = False,
    ) -> None:
        shape = np.random.default_rng(1000 + seed)
        top = shape.uniform(0.15, 0.85, parameters)
        weight = np.exp(shape.normal(0, 0.8, parameters) / 2)
        factors = shape.normal(size=(parameters, parameters))
        rows = factors / np.linalg.norm(factors, axis=1, keepdims=True)
        mixed = 0.7 * np.eye(parameters) + 0.3 * rows @ rows.T
        kind = np.random.default_rng(5000 + seed)
        self.width = np.ones(parameters)
        if misjudged:
            self.width = np.exp(kind.uniform(0, np.log(10), parameters))
        self.skew = np.zeros(parameters)
        if skew:
            self.skew = kind.choice([-1, 1], parameters) * kind.uniform(2, 6, parameters)
        self.ratios = ratios
        if ratios:
            self.width = kind.uniform(4, 6, parameters)
        self.start = np.full(parameters, 0.5)
        self.best = self.start + (top - self.start) / (1 if ratios else self.width)
        self.hessian = np.outer(weight, weight) * mixed
        self.hessian *= gap / -self.elo(self.start)
        self._noise = np.random.default_rng(77_000 + seed)

    def elo(self, x: Array) -> float:
        """The true strength of a point, 0 for the strongest."""
        u = (x - self.best) * self.width
        skewed = self.skew != 0
        u[skewed] = np.expm1(self.skew[skewed] * u[skewed]) / self.skew[skewed]
        if self.ratios:
            wrong = u - np.roll(u, 1)
            u = wrong / np.sqrt(1 + (wrong / SATURATED) ** 2)
        return -float(u @ self.hessian @ u)

    def scores(self, one: Array, other: Array, pairs: int) -> Array:
        """The share of the points that `one` makes in each of so many pairs of games."""
        lead = np.clip(self.elo(one) - self.elo(other), -4000, 4000)
        opening = self._noise.normal(0, OPENING, pairs)
        chance = self._noise.random((2, pairs))
        elo = lead + np.stack([opening, -opening])
        wins = chance < 1 / (1 + 10 ** ((DRAWISH - elo) / 400))
        losses = chance > 1 - 1 / (1 + 10 ** ((DRAWISH + elo) / 400))
        return np.asarray((2 + wins.sum(0) - losses.sum(0)) / 4)

    def answer(self, trial: Trial, pairs: int) -> Answer:
        """What so many pairs of a trial's two points say."""
        one, other = (np.array(list(point.values()), dtype=float) for point in trial.points)
        scores = self.scores(one, other, pairs)
        return Answer(smoothed(list(scores)), float(scores.mean()), pairs)


def space_of(landscape: Landscape) -> Space:
    """The unit box, around the start."""
    return Space(tuple(Axis(f"p{i}", float(unit)) for i, unit in enumerate(landscape.start)))


def tuned_loss(landscape: Landscape, method: str, plan: Plan) -> float:
    """True Elo lost at what a method recommends, `plan.lag` trials being under way at once."""
    space = space_of(landscape)
    tuner: Tuner = load.factory("method", method)(space, plan)
    under_way = deque[tuple[Trial, Answer]]()
    for _ in range(plan.trials):
        if len(under_way) == plan.lag:
            tuner.tell(*under_way.popleft())
        trial = tuner.ask()
        under_way.append((trial, landscape.answer(trial, plan.games // 2)))
    for told in under_way:
        tuner.tell(*told)
    found = {advice.name: advice.value for advice in tuner.recommend()}
    return -landscape.elo(space.units(found))


def tuning_rows(
    methods: Sequence[str] = METHODS,
    kinds: Sequence[str] = tuple(KINDS),
    sizes: Sequence[tuple[int, int]] = SIZES,
    seeds: Sequence[range] = (SEEDS, FRESH),
) -> Iterator[dict[str, Any]]:
    """The mean loss of every method, kind of landscape and size, over each range of seeds.

    `milliseconds_per_trial` is CPU time of the method, simulated games included.
    """
    for method, kind, (parameters, games) in product(methods, kinds, sizes):
        plan = Plan(games, suggested_games(method, games), LAG, seed=0)
        yield tuning_row(method, kind, parameters, plan, seeds)


def tuning_row(
    method: str, kind: str, parameters: int, plan: Plan, seeds: Sequence[range]
) -> dict[str, Any]:
    """One method on one kind of landscape."""
    row: dict[str, Any] = {
        "name": f"tune/{method}/{kind}",
        "parameters": parameters,
        "games": plan.budget,
        "games_per_trial": plan.games,
    }
    began = time.process_time()
    for some in seeds:
        losses = [
            tuned_loss(Landscape(parameters, seed, **KINDS[kind]), method, replace(plan, seed=seed))
            for seed in some
        ]
        label = f"{some.start}-{some.stop - 1}"
        row[f"loss_{label}"] = float(np.mean(losses))
        row[f"error_{label}"] = float(np.std(losses, ddof=1)) / sqrt(len(losses))
    trials = sum(map(len, seeds)) * plan.trials
    row["milliseconds_per_trial"] = 1000 * (time.process_time() - began) / trials
    return row
