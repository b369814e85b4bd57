"""The way from an engine's scores to results, by regression, cross-validated by openings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.stats.elo import half_width

Floats = NDArray[np.float64]
Groups = NDArray[np.int64]

STEEPEST = 60.0  # The exponent beyond which a result is certain in floating point
MOST_STEPS = 100
DECILES = 10
EVEN_DIGITS = 12  # Decimals to which expected results are compared: the last bit parts no equals


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """The way from scores to expected results, 1 for a win and one half for a draw."""

    factor: float  # K: the log odds that one unit of the score is worth
    error: float  # Its standard error, by the openings
    offset: float = 0.0  # The log odds at a score of 0, against the opponents of these games

    groups: int = 2  # The openings that tell the error

    @property
    def reach(self) -> float:
        """The distance of K from each end of its 95 % interval, which pays for few openings."""
        return half_width(self.error, self.groups)

    @property
    def is_sure(self) -> bool:
        """True if a better score surely lets expect a better result."""
        return self.factor > self.reach

    def odds(self, scores: Floats) -> Floats:
        """The log odds to win against the opponents of these games."""
        return self.factor * scores + self.offset

    def expected(self, scores: Floats) -> Floats:
        """The expected results against them."""
        return expectation(self.odds(scores))


@dataclass(frozen=True, slots=True)
class Decile:
    expected: float
    result: float


def expectation(odds: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.clip(odds, -STEEPEST, STEEPEST)))


def cross_entropies(odds: Floats, results: Floats) -> Floats:
    """The cross entropy of each expected result, in nats, at these log odds."""
    return np.logaddexp(0.0, odds) - results * odds


def fitted_scale(scores: Floats, results: Floats, groups: Groups) -> ScoreScale:
    """The scale that makes the results likeliest, by Newton's method.

    Its error is the sandwich estimate whose clusters are the groups: the games on one opening.
    Raises ValueError if no scale is the likeliest: where all scores, or all results, are equal, or
    results follow the scores without exception.
    """
    sizes = np.abs(scores[scores != 0])
    if not len(sizes) or not np.ptp(scores):
        raise ValueError("all scores are equal")
    if not np.ptp(results):
        raise ValueError("all games have one result")
    # Not the standard deviation: a few scores that an engine gives to won games would be all of it.
    size = float(np.median(sizes))
    terms = np.stack([scores / size, np.ones(len(scores))], axis=1)
    found = np.zeros(2)
    for _ in range(MOST_STEPS):
        expected = expectation(terms @ found)
        slopes = terms.T @ (results - expected)
        curvature = (terms * (expected * (1 - expected))[:, None]).T @ terms
        if np.linalg.eigvalsh(curvature)[0] < 1e-9 * len(scores) or abs(found).max() > STEEPEST:
            raise ValueError("the scores tell every result")
        step = np.clip(np.linalg.solve(curvature, slopes), -1.0, 1.0)
        found += step
        if abs(step).max() < 1e-12:
            break
    slopes_by_row = terms * (results - expectation(terms @ found))[:, None]
    inverse, spread = np.linalg.inv(curvature), cluster_spread(slopes_by_row, groups)
    error = float(np.sqrt((inverse @ spread @ inverse)[0, 0]))
    count = len(np.unique(groups))
    return ScoreScale(float(found[0]) / size, error / size, float(found[1]), count)


def cluster_spread(rows: Floats, groups: Groups) -> Floats:
    """The covariance of the sums of rows, as independent groups of them let these vary."""
    _, places = np.unique(groups, return_inverse=True)
    count = int(places.max()) + 1
    sums = np.stack([np.bincount(places, column, count) for column in rows.T], axis=1)
    spread: Floats = np.multiply(sums.T @ sums, count / max(count - 1, 1), dtype=np.float64)
    return spread


def _tenths(values: Floats) -> Groups:
    """The number of each value's tenth, from 0, the lowest first; equal values share one.

    So a tenth may hold more than a tenth of the values, or none.
    """
    _, places, counts = np.unique(
        values.round(EVEN_DIGITS), return_inverse=True, return_counts=True
    )
    middles = np.cumsum(counts) - counts / 2
    found: Groups = (DECILES * middles[places] / len(values)).astype(np.int64)
    return found


def deciles(expected: Floats, results: Floats) -> list[Decile]:
    """The mean expectation and result of each tenth of positions that is not empty, in order."""
    _, places, counts = np.unique(_tenths(expected), return_inverse=True, return_counts=True)
    means = (np.bincount(places, each) / counts for each in (expected, results))
    return [Decile(float(mean), float(result)) for mean, result in zip(*means, strict=True)]


def calibration_error(expected: Floats, results: Floats) -> float:
    """The mean distance of results from what was expected, by tenths of positions."""
    _, places, counts = np.unique(_tenths(expected), return_inverse=True, return_counts=True)
    return float(np.abs(np.bincount(places, expected - results)).sum() / counts.sum())


FOLDS = 10  # Parts that the openings are dealt to; as many as there are openings if these are fewer


def folds(groups: Groups, seed: int = 0) -> Iterator[NDArray[np.bool_]]:
    """For each part of the openings in turn, dealt by the seed, True for its positions.

    `groups` are the openings' numbers. One opening cannot be judged without itself: then there is
    no part.
    """
    openings = np.random.default_rng(seed).permutation(np.unique(groups))
    if len(openings) > 1:
        for part in np.array_split(openings, min(FOLDS, len(openings))):
            yield np.isin(groups, part)


def validated_mean(values: Floats, groups: Groups) -> tuple[float, float]:
    """The mean of cross-validated values, and half its 95 % interval, by Student's t of openings.

    The fits of two parts share most of their openings, so that their values vary together. The
    variance of a mean of independent values, 1 / FOLDS of that of one part's, grows by the ratio of
    the openings judged to those fitted, 1 / (FOLDS - 1) (Nadeau and Bengio, 2003, "Inference for
    the Generalization Error"). Needs two openings at least.
    """
    mean, count = float(values.mean()), len(np.unique(groups))
    spread = cluster_spread((values - mean)[:, None], groups)
    parts = min(FOLDS, count)
    error = float(np.sqrt(spread[0, 0])) / len(values) * sqrt(1 + parts / (parts - 1))
    return mean, half_width(error, count)
