"""How good the tuner is: matches with a known answer, and the Elo left lost after so many games.

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
from math import sqrt
from typing import Any

import numpy as np

from arena.tuning.surface import Array
from arena.tuning.surrogate import Surrogate, games_per_trial

KINDS = {
    "plain": {},
    "skew": {"skew": True},
    "skew and misjudged": {"skew": True, "misjudged": True},
    "ratios": {"ratios": True},
}
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

    def score(self, plus: Array, minus: Array, pairs: int) -> float:
        """The share of the points that `plus` makes in so many pairs of games."""
        lead = np.clip(self.elo(plus) - self.elo(minus), -4000, 4000)
        opening = self._noise.normal(0, OPENING, pairs)
        chance = self._noise.random((2, pairs))
        elo = lead + np.stack([opening, -opening])
        wins = chance < 1 / (1 + 10 ** ((DRAWISH - elo) / 400))
        losses = chance > 1 - 1 / (1 + 10 ** ((DRAWISH + elo) / 400))
        return float((1 + wins.mean() - losses.mean()) / 2)


def tuned_loss(
    landscape: Landscape, seed: int, games: int, trial_games: int, lag: int = LAG
) -> float:
    """True Elo lost at the recommendation, after so many games, `lag` trials being under way."""
    method = Surrogate(landscape.start, seed)
    pairs = trial_games // 2
    under_way = deque[Any]()
    for _ in range(games // trial_games):
        if len(under_way) == lag:
            method.tell(*under_way.popleft())
        trial = method.ask(pairs)
        under_way.append((trial, landscape.score(trial.plus, trial.minus, pairs), pairs))
    for told in under_way:
        method.tell(*told)
    return -landscape.elo(method.recommend().point)


def tuning_rows(
    kinds: Sequence[str] = tuple(KINDS),
    sizes: Sequence[tuple[int, int]] = SIZES,
    seeds: Sequence[range] = (SEEDS, FRESH),
) -> Iterator[dict[str, Any]]:
    """The mean loss of every kind of landscape and size, over each range of seeds.

    `milliseconds_per_trial` is CPU time of the tuner, simulated games included.
    """
    for kind in kinds:
        for parameters, games in sizes:
            trial_games = games_per_trial(games)
            row: dict[str, Any] = {
                "name": f"tune/{kind}",
                "parameters": parameters,
                "games": games,
                "games_per_trial": trial_games,
            }
            began = time.process_time()
            for some in seeds:
                losses = [
                    tuned_loss(Landscape(parameters, seed, **KINDS[kind]), seed, games, trial_games)
                    for seed in some
                ]
                label = f"{some.start}-{some.stop - 1}"
                row[f"loss_{label}"] = float(np.mean(losses))
                row[f"error_{label}"] = float(np.std(losses, ddof=1)) / sqrt(len(losses))
            trials = sum(map(len, seeds)) * (games // trial_games)
            row["milliseconds_per_trial"] = 1000 * (time.process_time() - began) / trials
            yield row
