"""Landscapes of strength, made up for the tuner: matches whose answer is known.

Elo(x) = -u' H u on the unit box. The strongest point is uniform in [0.15, 0.85], H mildly
correlated, scaled so that the middle of the box, the start, loses `gap` Elo. u is the distance from
the strongest point, or with skew (exp(k distance) - 1) / k, |k| from 2 to 6. Misjudged ranges are 1
to 10 times too wide. Ratios are what an evaluation's weights are like: each range is 4 to 6 e-folds
wide, only the ratios of neighbours in a ring matter, so all may grow together and nothing changes,
and a ratio far from its best loses no more than a bounded amount. A pair is two games on an opening
worth N(0, 150) Elo to the first player, colours swapped.
"""

from __future__ import annotations

import numpy as np

from arena.tuning.answers import smoothed
from arena.tuning.method import Answer, Trial
from arena.tuning.model.surface import Array
from arena.tuning.space import Axis, Space

KINDS: dict[str, dict[str, bool]] = {
    "plain": {},
    "skew": {"skew": True},
    "skew and misjudged": {"skew": True, "misjudged": True},
    "ratios": {"ratios": True},
}
"""Arguments of a landscape, by the name of its kind."""
GAP = 80.0
"""Elo that the start loses."""
OPENING = 150.0
"""Standard deviation of what an opening is worth to the first player, in Elo."""
DRAWISH = 15.0
"""Elo that both sides must make up for a win: few draws."""
SATURATED = 1.5
"""Distance of a ratio from its best, in e-folds, at which it has lost half of what it can lose."""


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
        log_width = kind.uniform(0, np.log(10), parameters) if misjudged else np.zeros(parameters)
        self.width = np.exp(log_width)
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
        """The answer of so many pairs of a trial's two points."""
        one, other = (np.array(list(point.values()), dtype=float) for point in trial.points)
        scores = self.scores(one, other, pairs)
        return Answer(smoothed(list(scores)), float(scores.mean()), pairs)


def space_of(landscape: Landscape) -> Space:
    """The unit box, around the start."""
    return Space(tuple(Axis(f"p{i}", float(unit)) for i, unit in enumerate(landscape.start)))
