"""Weights of a linear evaluation from the results of games: logistic regression.

A position's value is linear in the weights, and its expected result is the logistic function of
the scale times this value. The scale is fitted first, with the weights that the engine has; then
the weights are, with the scale fixed, so that values keep the size that a search's margins expect.
This is Texel's tuning method (Oesterlund 2014, chessprogramming.org/Texel's_Tuning_Method) with
cross entropy in place of squared errors, and with gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]

MOST_EPOCHS = 500
PATIENCE = 10
"""Epochs without a lower loss on what was held out, after which the fit ends."""
STEEPEST = 60.0
"""The exponent beyond which a result is certain in floating point."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """Positions with the results that their movers came to."""

    counts: csr_array
    """The coefficient of each weight in each position's value: positions x weights."""
    values: Floats
    """Each position's value with the weights that the engine has."""
    results: Floats
    """From 0, lost, to 1, won."""
    groups: NDArray[np.int64]
    """The number of each position's opening: results of one opening are not independent."""

    def part(self, chosen: NDArray[np.bool_]) -> TrainingSet:
        """Some of the positions."""
        return TrainingSet(
            self.counts[chosen], self.values[chosen], self.results[chosen], self.groups[chosen]
        )

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True)
class FittedScale:
    """The factor from an engine's values to the logarithm of the odds to win."""

    factor: float
    error: float
    """Its standard error, by the openings."""


@dataclass(frozen=True, slots=True, eq=False)
class Epoch:
    """One step of the fit."""

    change: Floats
    """The weights less those that the engine has."""
    loss: float
    """The mean cross entropy of the positions that are fitted, without the penalty."""
    held_out: float
    """That of the positions held out."""


def expectation(factor: float, values: Floats) -> Floats:
    """The expected results of positions with these values."""
    return 1.0 / (1.0 + np.exp(-np.clip(factor * values, -STEEPEST, STEEPEST)))


def cross_entropy(factor: float, values: Floats, results: Floats) -> float:
    """The mean cross entropy of expected results, in nats."""
    odds = factor * values
    return float(np.mean(np.logaddexp(0.0, odds) - results * odds))


def fitted_scale(sample: TrainingSet) -> FittedScale:
    """The scale that makes the results likeliest, by Newton's method.

    Its error is the sandwich estimate whose clusters are the openings. Raises ValueError if no
    scale is the likeliest: where all values are 0, or results follow their sign without exception.
    """
    size = float(np.sqrt(np.mean(sample.values**2)))
    if not size:
        raise ValueError("the engine's value of every position is 0")
    values, factor = sample.values / size, 0.0
    for _ in range(100):
        expected = expectation(factor, values)
        slope = float(np.sum((sample.results - expected) * values))
        curvature = float(np.sum(expected * (1 - expected) * values**2))
        if curvature < 1e-9 * len(values) or abs(factor) > STEEPEST:
            raise ValueError("the engine's values tell every result")
        step = np.clip(slope / curvature, -1.0, 1.0)
        factor += float(step)
        if abs(step) < 1e-12:
            break
    residuals = (sample.results - expectation(factor, values)) * values
    clusters = np.bincount(np.unique(sample.groups, return_inverse=True)[1], residuals)
    error = float(np.sqrt(np.sum(clusters**2))) / curvature
    return FittedScale(factor / size, error / size)


def split_openings(sample: TrainingSet, share: float, seed: int) -> NDArray[np.bool_]:
    """True for the positions of a share of the openings, drawn by a seed, at least of one.

    Raises ValueError if all positions have one opening.
    """
    groups = np.unique(sample.groups)
    if len(groups) < 2:
        raise ValueError("all games have one opening: none can be held out")
    count = min(max(1, round(share * len(groups))), len(groups) - 1)
    drawn = np.random.default_rng(seed).choice(groups, count, replace=False)
    return np.isin(sample.groups, drawn)


def descent(
    fitted: TrainingSet,
    held_out: TrainingSet,
    factor: float,
    sizes: Floats,
    l2: float,
    watch: Callable[[Epoch], None],
) -> list[Epoch]:
    """The steps of the fit by L-BFGS, the first without a change, until the loss held out rises.

    `sizes` are the changes of weights that count alike in the penalty: `l2` times the sum of the
    squares of changes in these units. A weight that occurs nowhere is never changed. `watch` is
    told each step; what it raises ends the fit.
    """
    from scipy.optimize import minimize

    columns = fitted.counts.T.tocsr()
    found: list[Epoch] = []

    def objective(x: Floats) -> tuple[float, Floats]:
        """The loss with its penalty, and its gradient, at changes in units of `sizes`."""
        values = fitted.values + fitted.counts @ (sizes * x)
        surplus = expectation(factor, values) - fitted.results
        gradient = sizes * (columns @ surplus) * (factor / len(fitted))
        loss = cross_entropy(factor, values, fitted.results) + l2 * float(x @ x)
        return loss, gradient + 2 * l2 * x

    def step(x: Floats) -> None:
        """Note a step. Raises StopIteration, which ends the descent, if no later one is better."""
        found.append(epoch_at(sizes * x, fitted, held_out, factor))
        watch(found[-1])
        if len(found) - found.index(best_epoch(found)) > PATIENCE:
            raise StopIteration

    start = np.zeros(len(sizes))
    step(start)
    options = {"maxiter": MOST_EPOCHS, "ftol": 1e-10, "gtol": 1e-8}
    minimize(objective, start, jac=True, method="L-BFGS-B", callback=step, options=options)
    return found


def epoch_at(change: Floats, fitted: TrainingSet, held_out: TrainingSet, factor: float) -> Epoch:
    """A step of the fit with its two losses."""
    losses = [
        cross_entropy(factor, each.values + each.counts @ change, each.results)
        for each in (fitted, held_out)
    ]
    return Epoch(change, *losses)


def best_epoch(found: Sequence[Epoch]) -> Epoch:
    """The step with the least loss on what was held out."""
    return min(found, key=lambda each: each.held_out)


def errors_of(
    sample: TrainingSet, change: Floats, factor: float, sizes: Floats, l2: float
) -> Floats:
    """The standard errors of fitted weights, by the openings (a sandwich estimate).

    With thousands of weights this takes their square in memory.
    """
    scaled = factor * (sample.counts.toarray() * sizes)
    expected = expectation(factor, sample.values + sample.counts @ change)
    weight = expected * (1 - expected)
    penalty = 2 * l2 * len(sample) * np.eye(len(sizes))
    inverse = np.linalg.pinv(scaled.T @ (scaled * weight[:, None]) + penalty)
    scores = scaled * (sample.results - expected)[:, None]
    _, places = np.unique(sample.groups, return_inverse=True)
    clusters = np.zeros((places.max() + 1, len(sizes)))
    np.add.at(clusters, places, scores)
    return sizes * np.sqrt(np.diag(inverse @ (clusters.T @ clusters) @ inverse))
