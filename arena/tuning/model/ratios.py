"""A model of strength by ratios: what matters is how parameters stand to each other.

Elo(x) = - the sum over pairs of parameters i, j of h_ij v^2 / (1 + v^2) with v = u_i - u_j, and the
same for each parameter alone, v = u_i, where u_i = s_i (x_i - b_i). No pair can lose more than its
height h. Of many parameters there are no pairs, as a surface has no interactions. The unknowns are
one vector: (b - start) s, log s, log h.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from arena.tuning.model.posterior import (
    PER_ELO,
    Damping,
    Scores,
    coin_variance,
    expected_scores,
    minimum,
)
from arena.tuning.model.surface import Array, interacting

LENGTHS = 3.3
"""Lengths, over which a pair loses half of its height, in the range of a parameter."""
PAIR_HEIGHT = 10.0
OFFSET_SPREAD, WIDTH_SPREAD, HEIGHT_SPREAD = 1.0, 0.5, 1.2
"""Standard deviations of the offsets, and of the logarithms of widths and heights."""
LOG_HEIGHTS = (-8.0, 7.0)
STEPS = 40
"""Most steps of a fit."""
DRAWS = 200
"""Unknowns drawn to tell what is lost."""
LOST = 0.6
"""The part of the expected loss that is lost: few thousand games say little of heights, which the
prior holds for large. In seven studies of 4 000 games where ratios mattered, 14 of 22 Elo were."""


@dataclass(frozen=True)
class RatioModel:
    """The model around a start, with the prior of its unknowns."""

    start: Array
    pairs: Array  # Differences (pairs, d): a row for each pair of parameters, and for each alone
    mean: Array
    spread: Array

    def parts(self, unknown: Array, x: Array) -> tuple[Array, Array, Array]:
        """Scaled distances from the start (n, d), differences (n, pairs), and heights."""
        d = len(self.start)
        scaled = np.exp(unknown[d : 2 * d]) * (x - self.start)
        differences = (scaled - unknown[:d]) @ self.pairs.T
        return scaled, differences, np.exp(np.clip(unknown[2 * d :], *LOG_HEIGHTS))

    def elo(self, unknown: Array, x: Array) -> Array:
        """Elo of points (n, d) relative to the strongest."""
        _, v, height = self.parts(unknown, x)
        return -np.asarray((v**2 / (1 + v**2)) @ height)

    def derivatives(self, unknown: Array, x: Array) -> tuple[Array, Array]:
        """Elo of points (n, d), and its derivatives (n, unknowns)."""
        scaled, v, height = self.parts(unknown, x)
        bounded = v**2 / (1 + v**2)
        slope = -(2 * v / (1 + v**2) ** 2 * height) @ self.pairs
        return -bounded @ height, np.hstack([-slope, slope * scaled, -bounded * height])

    def differences(self, unknown: Array, scores: Scores) -> tuple[Array, Array]:
        """Elo by which the first points lead the second, and its derivatives."""
        plus, by_plus = self.derivatives(unknown, scores.plus)
        minus, by_minus = self.derivatives(unknown, scores.minus)
        return plus - minus, by_plus - by_minus

    def value(self, unknown: Array, scores: Scores, weight: Array) -> float:
        """Minus the log posterior density, but for a constant."""
        logit = PER_ELO * (self.elo(unknown, scores.plus) - self.elo(unknown, scores.minus))
        misfit = weight @ (np.logaddexp(0, logit) - scores.score * logit)
        return float(misfit + (((unknown - self.mean) / self.spread) ** 2).sum() / 2)

    def top(self, unknown: Array) -> Array:
        """The strongest point of those in the box, nearly: what lies outside is moved inside."""
        d = len(self.start)
        return np.clip(self.start + unknown[:d] * np.exp(-unknown[d : 2 * d]), 0, 1)

    def around(self, top: Array) -> Array:
        """The unknowns before any score, but for the strongest point."""
        d = len(self.start)
        offset = np.exp(self.mean[d : 2 * d]) * (top - self.start)
        return np.concatenate([offset, self.mean[d:]])


def ratio_model(start: Array) -> RatioModel:
    """The model before any score."""
    d = len(start)
    first, second = interacting(d)
    one = np.eye(d)
    pairs = np.vstack([one[first] - one[second], one])
    counts = [d, d, len(pairs)]
    mean = np.repeat([0, log(LENGTHS), log(PAIR_HEIGHT)], counts)
    return RatioModel(
        start, pairs, mean, np.repeat([OFFSET_SPREAD, WIDTH_SPREAD, HEIGHT_SPREAD], counts)
    )


class RatioFit:
    """The model's likeliest unknowns after some scores, and the covariance of their error."""

    def __init__(self, model: RatioModel, scores: Scores, weight: Array, start: Array) -> None:
        self.model = model
        self.unknown, self.value = minimum(
            lambda unknown: model.value(unknown, scores, weight),
            lambda unknown: expansion(model, scores, weight, unknown),
            lambda step: np.clip(step, -1, 1),
            start,
            STEPS,
            Damping(first=1e-2, raised=0, least=1e-6),
        )
        _, curvature = expansion(model, scores, weight, self.unknown)
        self.covariance = np.linalg.inv(curvature)

    def leads(self, scores: Scores) -> tuple[Array, Array]:
        """Elo by which the first points lead the second, and the variances of that."""
        lead, slope = self.model.differences(self.unknown, scores)
        return lead, np.asarray(((slope @ self.covariance) * slope).sum(1))

    @property
    def top(self) -> Array:
        """The strongest point, moved into the box."""
        return self.model.top(self.unknown)

    def expected_loss(self, point: Array) -> float:
        """The Elo by which a point is expected to lie below the strongest one of the box.

        The mean over unknowns drawn from the posterior, times what is lost of it on average.
        """
        random = np.random.default_rng(0)
        drawn = random.multivariate_normal(
            self.unknown, self.covariance, DRAWS, check_valid="ignore", method="eigh"
        )
        tops = ((unknown, self.model.top(unknown)) for unknown in drawn)
        leads = (self.model.elo(unknown, np.stack([top, point])) for unknown, top in tops)
        return LOST * float(np.mean([max(top - found, 0) for top, found in leads]))


def expansion(
    model: RatioModel, scores: Scores, weight: Array, unknown: Array
) -> tuple[Array, Array]:
    """Gradient and curvature (Gauss, Newton) of the model's value."""
    lead, by_unknown = model.differences(unknown, scores)
    expected, slope = expected_scores(lead), PER_ELO * by_unknown
    spread = model.spread**-2
    gradient = slope.T @ (weight * (expected - scores.score)) + (unknown - model.mean) * spread
    curvature = (slope * (weight * coin_variance(expected))[:, None]).T @ slope + np.diag(spread)
    return gradient, curvature
