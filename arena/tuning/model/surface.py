"""A model of the strength of each point of the unit box: a quadratic in skewed coordinates.

Elo(x) = -u' M u with u_i = s_i (exp(k_i (x_i - b_i)) - 1) / k_i: the strongest point b, a scale s_i
for each parameter (moving by 1 / s_i costs one Elo), a skew k_i because most parameters are steeper
on one side, and M, ones on the diagonal and interactions elsewhere. The unknowns are one vector:
(b - start) s, log s, 10 k / s (the skew over the length that costs 100 Elo), then the interactions.
In these units parameters of any range look alike, so one prior serves them all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SKEW_LENGTH = 10.0
LOG_SCALES = (-3.0, 8.0)
STEEPEST = 8.0
"""Bounds that only a model gone astray meets: they keep exponentials finite."""
MOST_INTERACTING = 16
"""Most parameters with interactions: no budget tells those of more, which would slow each fit."""


def unknowns(parameters: int) -> int:
    """The number of unknowns of a surface."""
    return 3 * parameters + len(interacting(parameters)[0])


def interacting(parameters: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs of parameters, in the order of their interactions."""
    return np.triu_indices(parameters if parameters <= MOST_INTERACTING else 0, 1)


class Surface(NamedTuple):
    """One surface over the box."""

    offset: Array  # Offset of the strongest point from the start, scaled: `(b - start) s`
    scale: Array
    bend: Array  # Skew per SKEW_LENGTH: `10 k / s`
    skew: Array
    mix: Array
    best: Array  # The strongest point, which may lie outside the box

    def stretched(self, x: Array) -> Array:
        """The coordinates u of points (..., d)."""
        return self.scale * np.expm1(np.clip(self.skew * (x - self.best), -20, 4)) / self.skew

    def point(self, u: Array) -> Array:
        """The points (..., d) of coordinates u, inside the box."""
        reachable = np.maximum(u * self.skew / self.scale, -0.97)
        return np.clip(self.best + np.log1p(reachable) / self.skew, 0, 1)

    def elo(self, x: Array) -> Array:
        """Elo of points (..., d) relative to the strongest."""
        u = self.stretched(x)
        return -np.asarray(((u @ self.mix) * u).sum(-1))

    def best_in_box(self) -> Array:
        """The strongest point of the box, by coordinate descent."""
        if ((self.best >= 0) & (self.best <= 1)).all():
            return self.best
        low, high = (
            self.stretched(np.zeros_like(self.best)),
            self.stretched(np.ones_like(self.best)),
        )
        u = np.clip(0.0, low, high)
        for _ in range(20):
            for i in range(len(u)):
                u[i] = np.clip(u[i] - self.mix[i] @ u, low[i], high[i])
        return self.point(u)

    def derivatives(self, x: Array) -> tuple[Array, Array]:
        """Elo of points (n, d), and its derivatives (n, unknowns) by each unknown."""
        d = len(self.best)
        # u = s (exp(k a) - 1) / k with a = x - b, du/dx, and du/dk, which is s a^2 / 2 at k = 0
        away = x - self.best
        bent = np.clip(self.skew * away, -20, 4)
        growth = np.exp(bent)
        u = self.scale * (growth - 1) / self.skew
        by_x = self.scale * growth
        by_skew = self.scale * np.where(
            np.abs(bent) < 1e-3, away**2 / 2, (bent * growth - growth + 1) / self.skew**2
        )
        slope = -2 * (u @ self.mix)  # dElo/du
        first, second = interacting(d)
        found = np.empty((len(x), unknowns(d)))
        # by (b - start) s: db = 1 / s
        found[:, :d] = -slope * by_x / self.scale
        # by log s, with b and k, which depend on it: db = start - b, dk = k
        found[:, d : 2 * d] = slope * (u + by_skew * self.skew + by_x * self.offset / self.scale)
        # by 10 k / s: dk = s / 10
        found[:, 2 * d : 3 * d] = slope * by_skew * self.scale / SKEW_LENGTH
        # by the interaction of i and j: -2 u_i u_j
        found[:, 3 * d :] = -2 * u[:, first] * u[:, second]
        return (slope * u).sum(1) / 2, found


def surface(start: Array, unknown: Array) -> Surface:
    """The surface that a vector of unknowns describes."""
    d = len(start)
    offset = unknown[:d]
    scale = np.exp(np.clip(unknown[d : 2 * d], *LOG_SCALES))
    bend = np.clip(unknown[2 * d : 3 * d], -STEEPEST, STEEPEST)
    skew = bend * scale / SKEW_LENGTH
    skew = np.where(np.abs(skew) < 1e-4, 1e-4, skew)  # the limit at 0 is the straight line
    first, second = interacting(d)
    mix = np.eye(d)
    mix[first, second] = mix[second, first] = unknown[3 * d :]
    return Surface(offset, scale, bend, skew, mix, start + offset / scale)
