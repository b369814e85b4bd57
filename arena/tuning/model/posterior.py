"""A quadratic surface of strength over the unit box, and its posterior after scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SKEW_LENGTH = 10.0
LOG_SCALES = (-3.0, 8.0)
STEEPEST = 8.0
"""Bounds that only a model gone astray meets: they keep exponentials finite."""
MOST_INTERACTING = 16  # Most parameters with interactions: no budget tells those of more


def unknowns(parameters: int) -> int:
    return 3 * parameters + len(interacting(parameters)[0])


def interacting(parameters: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
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
        u = self.stretched(x)
        return -np.asarray(((u @ self.mix) * u).sum(-1))

    def best_in_box(self) -> Array:
        """The strongest point of the box, by coordinate descent."""
        if ((self.best >= 0) & (self.best <= 1)).all():
            return self.best
        low = self.stretched(np.zeros_like(self.best))
        high = self.stretched(np.ones_like(self.best))
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
        by_unknown = np.empty((len(x), unknowns(d)))
        # by (b - start) s: db = 1 / s
        by_unknown[:, :d] = -slope * by_x / self.scale
        # by log s, with b and k, which depend on it: db = start - b, dk = k
        by_log_scale = u + by_skew * self.skew + by_x * self.offset / self.scale
        by_unknown[:, d : 2 * d] = slope * by_log_scale
        # by 10 k / s: dk = s / 10
        by_unknown[:, 2 * d : 3 * d] = slope * by_skew * self.scale / SKEW_LENGTH
        # by the interaction of i and j: -2 u_i u_j
        by_unknown[:, 3 * d :] = -2 * u[:, first] * u[:, second]
        return (slope * u).sum(1) / 2, by_unknown


def surface(start: Array, unknown: Array) -> Surface:
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


PER_ELO = log(10) / 400
START_LOSS = 100.0  # Elo that a user's start is expected to lie below the strongest point
START_REACH = 0.3  # Standard deviation of the strongest point from the start, in ranges
SCALE = 22.0
SCALE_SPREADS = (1.0, 0.6)  # Standard deviations of log scale: common to all, and of each
BEND_SPREAD = 1.5
OTHER_BEND = 2.0  # Bends, up and down, from which else a better fit is looked for
INTERACTION_SPREAD = 0.4
DISPERSION = 0.4  # Of pairs, where 0.5 would be coins: a shared opening takes some away
DISPERSION_TRIALS = 30  # Number of trials that the value above counts for
SMALLEST_GAIN = 0.02  # Gain in log density below which a fit ends


class Scores(NamedTuple):
    """Trials told: points (n, d) that played, the first ones' share of the points, pairs."""

    plus: Array
    minus: Array
    score: Array
    pairs: Array

    def part(self, first: int, end: int) -> Scores:
        return Scores(*(column[first:end] for column in self))

    def near(self, now: Surface) -> Scores:
        """The half of the trials whose points lie nearest to the top, in Elo."""
        lost = -now.elo(self.plus) - now.elo(self.minus)
        is_near = lost <= np.median(lost)
        return Scores(*(column[is_near] for column in self))


TrialScore = tuple[Array, Array, float, int]  # One trial told: the columns of `Scores`


def scores_of(told: Iterable[TrialScore]) -> Scores:
    return Scores(*(np.array(column, dtype=float) for column in zip(*told, strict=True)))


class Damping(NamedTuple):
    """Bounds of the damping of Newton's steps: at first, once raised, and at any time."""

    first: float
    raised: float
    least: float


class Volume(NamedTuple):
    """The narrowing of the offsets by the scores, beyond their prior, at these log scales."""

    information: Array
    log_scale: Array


@dataclass(frozen=True)
class Posterior:
    """A surface's unknowns: the likeliest, and the covariance of their error."""

    start: Array
    mean: Array
    covariance: Array
    volume: Volume
    dispersion: float

    @property
    def surface(self) -> Surface:
        return surface(self.start, self.mean)


class Prior:
    """The prior: what is believed before the first game."""

    def __init__(self, start: Array) -> None:
        d = len(start)
        spread = np.repeat(
            [sqrt(START_LOSS / d), 1.0, BEND_SPREAD, INTERACTION_SPREAD / sqrt(d)],
            [d, d, d, unknowns(d) - 3 * d],
        )
        self.start = start
        self.precision = np.diag(spread**-2)
        self.mean = np.zeros(len(spread))
        self.scales = slice(d, 2 * d)
        common, own = SCALE_SPREADS
        self.precision[self.scales, self.scales] = np.linalg.inv(common**2 + own**2 * np.eye(d))
        self.mean[self.scales] = log(SCALE)
        self.offset_precision = d / START_LOSS

    def posterior(self) -> Posterior:
        d = len(self.start)
        covariance = np.linalg.inv(self.precision)
        volume = Volume(np.zeros(d), self.mean[self.scales])
        return Posterior(self.start, self.mean, covariance, volume, DISPERSION)

    def penalty(self, unknown: Array, volume: Volume) -> tuple[float, Array, Array]:
        """Minus the log density but for the misfit of the scores; its gradient and curvature.

        Three terms: all unknowns are normal; the strongest point is within reach of the start; and
        the offsets have a volume under the posterior, relative to that under the prior. Without
        it, a density over offsets and scales at once favours surfaces so steep that noise looks
        like strength; with it, that is the marginal one of the scales (Laplace; MacKay, 1992).
        """
        d = len(self.start)
        scales = self.scales
        log_scale = np.clip(unknown[scales], *LOG_SCALES)
        # The normal term, e' P e / 2 with e = unknown - mean; its derivative is P e.
        off = unknown - self.mean
        pull = self.precision @ off
        # The reach of the start, r |o / s|^2 / 2 with offsets o: its derivative by o is r o / s^2.
        width = np.exp(-log_scale)
        away = unknown[:d] * width  # the strongest point minus the start
        reach = 1 / START_REACH**2
        tension = reach * away * width
        # The volume, the sum of log(1 + n) / 2, where n grows with s^2 over the prior's precision.
        narrowing = volume.information * np.exp(2 * (log_scale - volume.log_scale))
        prior, before = self.offset_precisions(log_scale), self.offset_precisions(volume.log_scale)
        narrowing = narrowing * before / prior
        normal, near, wide = off @ pull, reach * (away @ away), np.log1p(narrowing).sum()
        gradient = pull
        gradient[:d] += tension
        # By log s: d log n = 2 growth, and the reach changes by -r |o / s|^2.
        growth = 2 - self.offset_precision / prior
        gradient[scales] += growth * narrowing / (1 + narrowing) - reach * away**2
        curvature = self.precision.copy()
        # The curvature of the reach, Gauss and Newton's: r J' J with J of o / s by o and log s.
        each = np.arange(d)
        curvature[each, each] += reach * np.exp(-2 * log_scale)
        curvature[each + d, each + d] += reach * away**2
        curvature[each, each + d] -= tension
        curvature[each + d, each] -= tension
        return float(normal / 2 + near / 2 + wide / 2), gradient, curvature

    def offset_precisions(self, log_scale: Array) -> Array:
        """The precision of each offset, given its scale: it is bounded by the range, too."""
        return self.offset_precision + np.exp(-2 * log_scale) / START_REACH**2

    def value(self, unknown: Array, scores: Scores, weight: Array, volume: Volume) -> float:
        """Minus the log posterior density, but for a constant."""
        now = surface(self.start, unknown)
        logit = PER_ELO * (now.elo(scores.plus) - now.elo(scores.minus))
        misfit = weight @ (np.logaddexp(0, logit) - scores.score * logit)
        return float(misfit) + self.penalty(unknown, volume)[0]

    def fit(self, scores: Scores, last: Posterior, steps: int = 6) -> Posterior:
        """The posterior after these scores, starting from an earlier one (Levenberg, Marquardt)."""
        weight, volume = scores.pairs / last.dispersion, last.volume

        def limited(step: Array) -> Array:
            return step * min(1.0, 3 / float(max(np.abs(step[self.scales]).max(), 1e-9)))

        unknown, _ = minimum(
            lambda at: self.value(at, scores, weight, volume),
            lambda at: self.expansion(at, scores, weight, volume)[:2],
            limited,
            last.mean,
            steps,
            Damping(first=1e-3, raised=1e-2, least=0),
        )
        return self.laplace(unknown, scores, weight, volume, last.dispersion)

    def search(self, scores: Scores, last: Posterior) -> Posterior:
        """The posterior, fitted also from other starts: the density has several maxima.

        Those are the prior, because early luck can lead a fit astray for good, and other skews of
        each parameter.
        """
        best = self.fit(scores, last, steps=20)
        anew = replace(self.posterior(), dispersion=best.dispersion)
        best = self.likelier(scores, best, self.fit(scores, anew, steps=40))
        for i in range(2 * len(self.start), 3 * len(self.start)):
            for bend in (-OTHER_BEND, OTHER_BEND):
                mean = best.mean.copy()
                mean[i] = bend
                other = self.fit(scores, replace(best, mean=mean), steps=8)
                best = self.likelier(scores, best, other)
        return self.fit(scores, best)

    def likelier(self, scores: Scores, best: Posterior, other: Posterior) -> Posterior:
        """Return `other` if its log density exceeds that of `best` by more than 0.5."""
        weight = scores.pairs / best.dispersion
        lowest, value = (
            self.value(each.mean, scores, weight, best.volume) for each in (best, other)
        )
        return other if value < lowest - 0.5 else best

    def expansion(
        self, unknown: Array, scores: Scores, weight: Array, volume: Volume
    ) -> tuple[Array, Array, Array]:
        now = surface(self.start, unknown)
        plus, by_plus = now.derivatives(scores.plus)
        minus, by_minus = now.derivatives(scores.minus)
        slope = by_plus - by_minus
        expected = expected_scores(plus - minus)
        _, gradient, curvature = self.penalty(unknown, volume)
        gradient += slope.T @ (weight * PER_ELO * (expected - scores.score))
        steepness = weight * PER_ELO**2 * coin_variance(expected)
        curvature += (slope * steepness[:, None]).T @ slope
        return gradient, curvature, expected

    def laplace(
        self, unknown: Array, scores: Scores, weight: Array, volume: Volume, dispersion: float
    ) -> Posterior:
        """Laplace's approximation of the posterior at its likeliest unknowns."""
        d = len(self.start)
        _, curvature, expected = self.expansion(unknown, scores, weight, volume)
        covariance = np.asarray(np.linalg.inv(curvature), dtype=np.float64)
        log_scale = np.clip(unknown[self.scales], *LOG_SCALES)
        # The share of each offset's prior variance that the scores have left.
        left = np.clip(self.offset_precisions(log_scale) * np.diag(covariance)[:d], 1e-4, 1)
        surprise = (scores.score - expected) ** 2 * weight * dispersion / coin_variance(expected)
        learnt = len(unknown) - (np.diag(self.precision) * np.diag(covariance)).sum()
        free = max(len(surprise) - learnt, 0.0)
        # Residuals of a fit are smaller than the noise: what was learnt is not in them.
        total = DISPERSION_TRIALS * DISPERSION + (surprise.sum() if free else 0.0)
        dispersion = total / (DISPERSION_TRIALS + free)
        return Posterior(
            self.start, unknown, covariance, Volume(1 / left - 1, log_scale), dispersion
        )


def minimum(
    value: Callable[[Array], float],
    expansion: Callable[[Array], tuple[Array, Array]],
    limited: Callable[[Array], Array],
    unknown: Array,
    steps: int,
    damping: Damping,
) -> tuple[Array, float]:
    """The unknowns where a value is least, searched from a start, and that value.

    Levenberg and Marquardt's steps, by the gradient and the curvature that `expansion` gives; each
    is `limited`, and more damped until it lowers the value.
    """
    least, factor = value(unknown), damping.first
    for _ in range(steps):
        gradient, curvature = expansion(unknown)
        for _ in range(6):
            damped = curvature + factor * np.diag(np.diag(curvature))
            step = limited(np.asarray(-np.linalg.solve(damped, gradient)))
            lower = value(unknown + step)
            if lower < least:
                break
            factor = max(8 * factor, damping.raised)
        else:
            break
        gain, unknown, least = least - lower, unknown + step, lower
        factor = max(factor / 5, damping.least)
        if gain < SMALLEST_GAIN:
            break
    return unknown, least


def expected_scores(elo: Array) -> Array:
    """`arena.stats.elo.expected_score` of each difference of Elo, vectorised."""
    return 1 / (1 + np.exp(-np.clip(PER_ELO * elo, -30, 30)))


def coin_variance(score: Array) -> Array:
    """Variance of one game without draws; not less than what keeps surprises finite."""
    return np.maximum(score * (1 - score), 0.02)
