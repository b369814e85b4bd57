"""The 95 % intervals of fitted weights, as the games alone tell them.

The weights that a fit takes are no estimate with a known error: a penalty draws them to the present
ones, and the descent ends before its minimum. So an interval is that of the likeliest weights,
which Newton's method finds from those taken. Its error is the sandwich estimate by openings in
which each opening is judged by what the others tell (the jackknife, or CR3: Bell and McCaffrey,
2002, "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples"). Student's
t pays for weights of which few openings tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena.stats.elo import TAIL
from arena.stats.score_scale import Floats, Groups
from arena.tuning.fit.descent import Epoch, PositionSet

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_STEPS = 12
"""Newton steps. Results that follow a weight without exception have no likeliest value of it: the
last step is as good as any there, and the interval is wide."""
LONGEST_STEP = 3.0
"""The greatest change of a position's log odds in one step."""
SMALL_STEP = 1e-6
"""The change of log odds that ends the steps."""
MOST_TERMS = 50
SMALL_TERM = 1e-3
"""The share of the sum at which the series of `_effects` ends."""
LEAST_DEGREES = 0.1
"""Degrees of freedom of Student's t, at or below which it tells nothing: its quantile is 10^12."""
TINY = 1e-12
"""The least curvature that is divided by."""
FLAT = 1e-6
"""The curvature, where that of each weight is 1, below which a direction counts as flat. If every
move has one of some weights, no position tells of their sum, and its inverse would be all noise."""

OneSet = TypeVar("OneSet", bound=PositionSet, contravariant=True)


@dataclass(frozen=True, slots=True, eq=False)
class Derivatives:
    """The derivatives of the log-likelihood of some positions, as sums over rows."""

    rows: csr_array
    """Rows x numbers: the weights in units of a model's `sizes`, and after them its free numbers.
    Times a change, they are that of the log odds."""
    residuals: Floats  # The slope is the sum of the rows times these
    factors: Floats  # The curvature is the sum of the rows' outer products times these
    groups: Groups  # The opening of each row


class Differentiable(Protocol[OneSet]):
    """A model of what was seen in positions."""

    @property
    def sizes(self) -> Floats:
        """The units of changes."""

    def derivatives(self, sample: OneSet, change: Floats, free: Floats) -> Iterator[Derivatives]:
        """The derivatives at changed weights, by parts of the sample."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightIntervals:
    """What the games alone tell of each weight; infinite for one of which a single opening tells,
    or none."""

    errors: Floats  # The standard errors of the likeliest weights
    lows: Floats  # The lower ends of the 95 % intervals, less the weights that the engine has
    highs: Floats


def weight_intervals(
    model: Differentiable[OneSet], sample: OneSet, epoch: Epoch, seen: NDArray[np.int64]
) -> WeightIntervals:
    """The intervals of weights that were fitted to a sample, from those of a step of the fit on.

    `seen` is the number of positions that tell of each weight. Takes the square of the number of
    weights, and its product with that of openings, in memory.
    """
    is_known = np.append(seen > 0, np.ones(len(epoch.free), np.bool_))
    point, parts = _likeliest(model, sample, epoch, is_known)
    effects = _effects(parts, _inverse(_curvature(parts)))
    openings = len(np.unique(sample.groups))
    quantiles = _quantiles(parts)
    errors = np.sqrt((effects**2).sum(axis=0) * (openings - 1) / openings)
    errors = np.where(np.isfinite(quantiles), errors, np.inf)
    reaches = errors * quantiles
    found = np.repeat([[np.inf], [-np.inf], [np.inf]], len(is_known), axis=1)
    found[:, is_known] = errors, point[is_known] - reaches, point[is_known] + reaches
    return WeightIntervals(*(found[:, : len(seen)] * model.sizes))


def _likeliest(
    model: Differentiable[OneSet], sample: OneSet, epoch: Epoch, is_known: NDArray[np.bool_]
) -> tuple[Floats, list[Derivatives]]:
    """The likeliest weights and free numbers, and the derivatives there by those that are known."""

    def derivatives() -> list[Derivatives]:
        found = model.derivatives(sample, x[:count] * model.sizes, x[count:])
        return [replace(part, rows=part.rows[:, is_known]) for part in found]

    count = len(epoch.change)
    x = np.append(epoch.change / model.sizes, epoch.free)
    parts = derivatives()
    for _ in range(MOST_STEPS):
        step = _inverse(_curvature(parts)) @ _slopes(parts).sum(axis=0)
        reach = max(float(np.abs(part.rows @ step).max(initial=0.0)) for part in parts)
        if reach < SMALL_STEP:
            break
        x[is_known] += step * min(1.0, LONGEST_STEP / reach)
        parts = derivatives()
    return x, parts


def _effects(parts: Sequence[Derivatives], inverse: Floats) -> Floats:
    """By how much each opening moves each number, had the others alone told it: openings x numbers.

    These are its slopes times the inverse of the others' curvature, as a series in what it adds to
    the curvature.
    """
    term = found = _slopes(parts) @ inverse
    for _ in range(MOST_TERMS):
        term = _curved(parts, term) @ inverse
        found = found + term
        if (np.linalg.norm(term, axis=0) <= SMALL_TERM * np.linalg.norm(found, axis=0)).all():
            break
    return found


def _curved(parts: Sequence[Derivatives], changes: Floats) -> Floats:
    """Each opening's curvature times a change of its own: openings x numbers."""
    found = np.zeros_like(changes)
    for part in parts:
        rows, count = part.rows, part.rows.shape[0]
        places = np.repeat(np.arange(count), np.diff(rows.indptr))
        products = rows.data * changes[part.groups[places], rows.indices]
        moved = np.bincount(places, products, count)
        found += _by_opening(parts, part, part.factors * moved) @ rows
    return found


def _quantiles(parts: Sequence[Derivatives]) -> Floats:
    """The 95 % quantile of Student's t for each number, by the openings that tell of it.

    These are counted as the squared sum of their curvatures over the sum of squares. Infinite if
    one opening tells of it.
    """
    from scipy.special import stdtrit

    shares = sum(
        (_by_opening(parts, part, part.factors) @ part.rows.power(2)).toarray() for part in parts
    )
    told = shares.sum(axis=0) ** 2 / (shares**2).sum(axis=0)
    degrees = np.maximum(told - 1, LEAST_DEGREES)
    return np.where(degrees > LEAST_DEGREES, stdtrit(degrees, 1 - TAIL), np.inf)


def _slopes(parts: Sequence[Derivatives]) -> Floats:
    """The slope of each opening: openings x numbers."""
    found: Floats = sum(
        (_by_opening(parts, part, part.residuals) @ part.rows).toarray() for part in parts
    )
    return found


def _curvature(parts: Sequence[Derivatives]) -> Floats:
    from scipy.sparse import diags_array

    found: Floats = sum(
        (part.rows.T @ diags_array(part.factors) @ part.rows).toarray() for part in parts
    )
    return found


def _inverse(curvature: Floats) -> Floats:
    """The inverse of a curvature but for its flat directions, along which nothing is told."""
    roots = np.sqrt(np.maximum(np.diag(curvature), TINY))
    sizes = np.outer(roots, roots)
    found: Floats = np.linalg.pinv(curvature / sizes, FLAT, hermitian=True) / sizes
    return found


def _by_opening(parts: Sequence[Derivatives], part: Derivatives, values: Floats) -> csr_array:
    """The matrix that sums rows of a part, each times its value: openings x rows."""
    from scipy.sparse import csr_array

    openings = 1 + max(int(each.groups.max()) for each in parts)
    places = part.groups, np.arange(len(values))
    return csr_array((values, places), shape=(openings, len(values)))
