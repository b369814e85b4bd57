"""Weights by logistic regression: the descent, what it saves on unseen openings, intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import inf
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena.stats.elo import TAIL
from arena.stats.score_scale import (
    Floats,
    Groups,
    ScoreScale,
    cross_entropies,
    expectation,
    folds,
    validated_mean,
)
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.terms import UselessGamesError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_EPOCHS = 500  # Steps with one penalty at most
PATIENCE = 10  # Epochs without a lower loss held out, after which the next, weaker penalty is tried
FACTORS_OF_PATIENCE = 2  # Penalties without a lower loss held out, after which the fit ends
LEAST_FACTOR = 1e-7  # The weakest penalty but the last one, as a share of the strongest
CURVE = (0.125, 0.25, 0.5, 1.0)  # Shares of the fitted openings that the learning curve is made of

Say = Callable[[str], object]
Mask = NDArray[np.bool_]
Objective = Callable[[Floats], tuple[float, Floats]]
"""The mean loss of a sample and its gradient, at the changes of weights in units of a model's
`sizes`, and after them its free numbers."""


class PositionSet(Protocol):
    """Positions as numbers."""

    @property
    def groups(self) -> Groups:
        """The number of each position's opening: positions of one are not independent."""

    def part(self, chosen: Mask) -> Self:
        """Some of the positions."""

    def __len__(self) -> int: ...


AnySet = TypeVar("AnySet", bound=PositionSet)
OneSet = TypeVar("OneSet", bound=PositionSet, contravariant=True)


class Model(Protocol[OneSet]):
    """The way from weights to what was seen in positions of a sample."""

    @property
    def sizes(self) -> Floats:
        """The changes of weights that count alike: the penalty is for changes in these units."""

    @property
    def free(self) -> Floats:
        """Numbers fitted beside the weights, without a penalty, as they are before the fit."""

    def objective(self, sample: OneSet) -> Objective:
        """The loss of a sample without the penalty, and its gradient."""

    def curvatures(self, sample: OneSet) -> Floats:
        """The second derivative of the loss by each weight, in units of `sizes`, before the fit."""

    def losses(self, sample: OneSet, change: Floats, free: Floats) -> Floats:
        """The loss of each position, with changed weights."""


@dataclass(frozen=True, slots=True, eq=False)
class Epoch:
    """One step of the fit."""

    change: Floats  # The weights less those that the engine has
    free: Floats  # The numbers fitted beside them
    loss: float  # The mean loss of the positions that are fitted, without the penalty
    held_out: float  # The mean loss of the positions held out
    penalty: float  # The factor of the penalty under which the step was made


@dataclass(frozen=True, slots=True, eq=False)
class Learned(Generic[AnySet]):
    """The steps of a fit, and what they were learned from."""

    model: Model[AnySet]
    fitted: AnySet
    held_out: AnySet
    epochs: Sequence[Epoch]
    curve: Sequence[tuple[int, float]]  # Openings fitted, and the loss held out of their weights

    @property
    def best(self) -> Epoch:
        return best_epoch(self.epochs)

    def facts(self) -> dict[str, Any]:
        return {
            "positions": len(self.fitted) + len(self.held_out),
            "held_out": len(self.held_out),
            "losses": [(each.loss, each.held_out) for each in self.epochs],
            "chosen": self.epochs.index(self.best),
            "curve": self.curve,
        }


def split(whole: AnySet, settings: FitSettings) -> tuple[AnySet, AnySet]:
    is_held_out = split_openings(whole.groups, settings)
    return whole.part(~is_held_out), whole.part(is_held_out)


def learned(
    model: Model[AnySet], fitted: AnySet, held_out: AnySet, settings: FitSettings, say: Say
) -> Learned[AnySet]:
    curve = []
    for part in (*_parts_of(fitted, settings.seed), fitted):
        openings = len(np.unique(part.groups))
        epochs = descent(model, part, held_out, settings.l2, partial(tell, say, openings))
        curve.append((openings, best_epoch(epochs).held_out))
    return Learned(model, fitted, held_out, epochs, curve)


def descent(
    model: Model[AnySet],
    fitted: AnySet,
    held_out: AnySet,
    l2: float,
    watch: Callable[[Epoch], object],
) -> list[Epoch]:
    """The steps of the fit by L-BFGS, the first without a change, then under weaker penalties.

    A penalty is the sum of the squares of changes in units of the model's `sizes`, times a factor
    that falls to `l2`: the loss held out tells how weak a penalty suits the games. A weight that no
    position tells of is never changed. `watch` is told each step; an exception of it ends the fit.
    """
    objective, curvatures = model.objective(fitted), model.curvatures(fitted)
    count = len(curvatures)

    def note(x: Floats, loss: float, factor: float) -> Epoch:
        change, free = model.sizes * x[:count], x[count:]
        loss_held_out = float(np.mean(model.losses(held_out, change, free)))
        epoch = Epoch(change, free, loss, loss_held_out, factor)
        watch(epoch)
        return epoch

    x = np.append(np.zeros(count), model.free)
    epochs = [note(x, objective(x)[0], l2)]
    idle = 0
    for factor in factors(float(curvatures.max(initial=0.0)), l2):
        least = best_epoch(epochs).held_out
        penalised = Penalised(objective, curvatures, factor, len(model.free))
        steps, x = _descended(penalised, x, partial(note, factor=factor))
        epochs += steps
        idle = 0 if best_epoch(epochs).held_out < least else idle + 1
        if idle == FACTORS_OF_PATIENCE:
            break
    return epochs


def factors(greatest: float, last: float) -> Iterator[float]:
    factor = greatest
    while factor > max(last, LEAST_FACTOR * greatest):
        yield factor
        factor /= 10
    yield last


class Penalised:
    """A loss with a penalty, as a function of changes in other units.

    In these units all weights curve it alike, so that rare ones, too, are near their best after a
    few steps.
    """

    def __init__(self, objective: Objective, curvatures: Floats, factor: float, free: int) -> None:
        """`free` is the number of values after the weights, which have no penalty."""
        self._objective = objective
        self._factors = np.append(np.full(len(curvatures), factor), np.zeros(free))
        self.units = np.append(_even_units(curvatures, 2 * factor), np.ones(free))
        self._seen: tuple[Floats, float] | None = None

    def __call__(self, y: Floats) -> tuple[float, Floats]:
        x = self.units * y
        loss, slopes = self._objective(x)
        self._seen = y.copy(), loss
        penalties = self._factors * x
        return loss + float(penalties @ x), self.units * (slopes + 2 * penalties)

    def loss(self, y: Floats) -> float:
        """The loss without the penalty: a step mostly ends where it was asked for last."""
        if self._seen is None or not np.array_equal(self._seen[0], y):
            self(y)
        assert self._seen
        return self._seen[1]


def _descended(
    penalised: Penalised, x: Floats, note: Callable[[Floats, float], Epoch]
) -> tuple[list[Epoch], Floats]:
    """The steps from `x` on with one penalty, until PATIENCE of them save nothing; the last `x`."""
    steps: list[Epoch] = []

    def step(y: Floats) -> None:
        """Note a step. Raises StopIteration, which ends the descent, if no later one is better."""
        steps.append(note(penalised.units * y, penalised.loss(y)))
        if len(steps) - steps.index(best_epoch(steps)) > PATIENCE:
            raise StopIteration

    return steps, _lowered(penalised, x, MOST_EPOCHS, step)


def _lowered(
    penalised: Penalised, x: Floats, steps: int, watch: Callable[[Floats], object] | None = None
) -> Floats:
    """At most so many steps of L-BFGS from `x`; StopIteration from `watch` ends them, too."""
    from scipy.optimize import minimize

    start, options = x / penalised.units, {"maxiter": steps, "ftol": 1e-10, "gtol": 1e-8}
    end = minimize(penalised, start, jac=True, method="L-BFGS-B", callback=watch, options=options)
    lowest: Floats = penalised.units * end.x
    return lowest


def _even_units(curvatures: Floats, pull: float) -> Floats:
    """The change of each weight that curves the loss and its penalty together by 1.

    `pull` is the curvature of the penalty. A weight that does not curve the loss has 1.
    """
    is_known = curvatures > 0
    return np.where(is_known, 1 / np.sqrt(np.where(is_known, curvatures + pull, 1.0)), 1.0)


def best_epoch(epochs: Sequence[Epoch]) -> Epoch:
    return min(epochs, key=lambda each: each.held_out)


def split_openings(groups: Groups, settings: FitSettings) -> Mask:
    """True for positions of openings held out: a share drawn by the seed, one opening at least."""
    openings = np.unique(groups)
    if len(openings) < 2:
        raise UselessGamesError("all games have one opening: none can be held out")
    count = min(max(1, round(settings.holdout * len(openings))), len(openings) - 1)
    drawn = np.random.default_rng(settings.seed).choice(openings, count, replace=False)
    return np.isin(groups, drawn)


def _parts_of(fitted: AnySet, seed: int) -> Iterator[AnySet]:
    groups = np.random.default_rng(seed).permutation(np.unique(fitted.groups))
    for share in CURVE[:-1]:
        count = round(share * len(groups))
        if count:
            yield fitted.part(np.isin(fitted.groups, groups[:count]))


def tell(say: Say, openings: int, epoch: Epoch) -> None:
    say(f"{openings:,} openings: loss {epoch.loss:.4f}, held out {epoch.held_out:.4f}")


MOST_STEPS = 12
"""Newton steps. Results that follow a weight without exception have no likeliest value of it: the
last step is as good as any there, and the interval is wide."""
LONGEST_STEP = 3.0  # The greatest change of a position's log odds in one step
SMALL_STEP = 1e-6  # The change of log odds that ends the steps
MOST_TERMS = 50
SMALL_TERM = 1e-3  # The share of the sum at which the series of `_effects` ends
LEAST_DEGREES = 0.1  # Degrees of freedom of Student's t, at or below which it tells nothing
TINY = 1e-12  # The least curvature that is divided by
FLAT = 1e-6
"""The curvature, where that of each weight is 1, below which a direction counts as flat. If every
move has one of some weights, no position tells of their sum, and its inverse would be all noise."""


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
    rows = np.repeat([[np.inf], [-np.inf], [np.inf]], len(is_known), axis=1)
    rows[:, is_known] = errors, point[is_known] - reaches, point[is_known] + reaches
    return WeightIntervals(*(rows[:, : len(seen)] * model.sizes))


def _likeliest(
    model: Differentiable[OneSet], sample: OneSet, epoch: Epoch, is_known: NDArray[np.bool_]
) -> tuple[Floats, list[Derivatives]]:
    def derivatives() -> list[Derivatives]:
        parts = model.derivatives(sample, x[:count] * model.sizes, x[count:])
        return [replace(part, rows=part.rows[:, is_known]) for part in parts]

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
    # (A - B)^-1 = A^-1 + A^-1 B A^-1 + ... with A of all openings and B of one.
    term = effects = _slopes(parts) @ inverse
    for _ in range(MOST_TERMS):
        term = _curved(parts, term) @ inverse
        effects = effects + term
        if (np.linalg.norm(term, axis=0) <= SMALL_TERM * np.linalg.norm(effects, axis=0)).all():
            break
    return effects


def _curved(parts: Sequence[Derivatives], changes: Floats) -> Floats:
    """Each opening's curvature times a change of its own: openings x numbers."""
    curved = np.zeros_like(changes)
    for part in parts:
        rows, count = part.rows, part.rows.shape[0]
        row_of_entry = np.repeat(np.arange(count), np.diff(rows.indptr))
        products = rows.data * changes[part.groups[row_of_entry], rows.indices]
        moved = np.bincount(row_of_entry, products, count)
        curved += _by_opening(parts, part, part.factors * moved) @ rows
    return curved


def _quantiles(parts: Sequence[Derivatives]) -> Floats:
    """The 95 % quantile of Student's t for each number, by the openings that tell of it.

    These are counted as the squared sum of their curvatures over the sum of squares. Infinite if
    one opening tells of it.
    """
    from scipy.special import stdtrit

    shares = sum(
        (_by_opening(parts, part, part.factors) @ part.rows.power(2)).toarray() for part in parts
    )
    openings = shares.sum(axis=0) ** 2 / (shares**2).sum(axis=0)
    degrees = np.maximum(openings - 1, LEAST_DEGREES)
    return np.where(degrees > LEAST_DEGREES, stdtrit(degrees, 1 - TAIL), np.inf)


def _slopes(parts: Sequence[Derivatives]) -> Floats:
    """The slope of each opening: openings x numbers."""
    slopes: Floats = sum(
        (_by_opening(parts, part, part.residuals) @ part.rows).toarray() for part in parts
    )
    return slopes


def _curvature(parts: Sequence[Derivatives]) -> Floats:
    from scipy.sparse import diags_array

    curvature: Floats = sum(
        (part.rows.T @ diags_array(part.factors) @ part.rows).toarray() for part in parts
    )
    return curvature


def _inverse(curvature: Floats) -> Floats:
    """The inverse of a curvature but for its flat directions, along which nothing is told."""
    roots = np.sqrt(np.maximum(np.diag(curvature), TINY))
    sizes = np.outer(roots, roots)
    inverse: Floats = np.linalg.pinv(curvature / sizes, FLAT, hermitian=True) / sizes
    return inverse


def _by_opening(parts: Sequence[Derivatives], part: Derivatives, values: Floats) -> csr_array:
    """The matrix that sums rows of a part, each times its value: openings x rows."""
    from scipy.sparse import csr_array

    openings = 1 + max(int(each.groups.max()) for each in parts)
    rows_and_columns = part.groups, np.arange(len(values))
    return csr_array((values, rows_and_columns), shape=(openings, len(values)))


BLOCK = 50_000  # Positions whose derivatives are one part


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """Positions with the results that their movers came to."""

    counts: csr_array  # Each weight's coefficient in each position's value: positions x weights
    values: Floats  # Each position's value with the weights that the engine has
    results: Floats  # From 0, lost, to 1, won
    groups: Groups  # Each position's opening: results of one opening are not independent
    mixed: Floats | None = None  # The results mixed with what scores let expect, if they are

    @property
    def targets(self) -> Floats:
        return self.results if self.mixed is None else self.mixed

    def part(self, chosen: Mask) -> TrainingSet:
        return TrainingSet(
            self.counts[chosen],
            self.values[chosen],
            self.results[chosen],
            self.groups[chosen],
            None if self.mixed is None else self.mixed[chosen],
        )

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Logistic:
    """The model of results: the scale of values, and the sizes of weights."""

    scale: ScoreScale
    sizes: Floats  # The changes of weights that count alike in the penalty

    @property
    def free(self) -> Floats:
        """The log odds of a position of value 0."""
        return np.array([self.scale.offset])

    def odds(self, sample: TrainingSet, change: Floats, free: Floats) -> Floats:
        odds: Floats = self.scale.factor * (sample.values + sample.counts @ change) + free[0]
        return odds

    def losses(self, sample: TrainingSet, change: Floats, free: Floats) -> Floats:
        return cross_entropies(self.odds(sample, change, free), sample.results)

    def objective(self, sample: TrainingSet) -> Objective:
        columns, factor = sample.counts.T.tocsr(), self.scale.factor

        def loss_and_gradient(x: Floats) -> tuple[float, Floats]:
            odds = self.odds(sample, self.sizes * x[:-1], x[-1:])
            surplus = expectation(odds) - sample.targets
            slopes = self.sizes * (columns @ surplus) * (factor / len(sample))
            loss = float(np.mean(cross_entropies(odds, sample.targets)))
            return loss, np.append(slopes, np.mean(surplus))

        return loss_and_gradient

    def curvatures(self, sample: TrainingSet) -> Floats:
        """The second derivative of the mean cross entropy by each weight, in units of `sizes`."""
        expected = expectation(self.odds(sample, np.zeros_like(self.sizes), self.free))
        squares = sample.counts.power(2).T @ (expected * (1 - expected))
        curvatures: Floats = (self.scale.factor * self.sizes) ** 2 * squares / len(sample)
        return curvatures

    def derivatives(
        self, sample: TrainingSet, change: Floats, free: Floats
    ) -> Iterator[Derivatives]:
        from scipy.sparse import csr_array, diags_array, hstack

        expected = expectation(self.odds(sample, change, free))
        residuals, factors = sample.targets - expected, expected * (1 - expected)
        scale = diags_array(self.scale.factor * self.sizes)
        for start in range(0, len(sample), BLOCK):
            part = slice(start, start + BLOCK)
            counts = sample.counts[part]
            ones = csr_array(np.ones((counts.shape[0], 1)))
            rows = hstack([counts @ scale, ones]).tocsr()
            yield Derivatives(rows, residuals[part], factors[part], sample.groups[part])


def guessed_scale(sample: TrainingSet) -> ScoreScale:
    """A scale for values that do not foretell results: what is usual of them is worth one log odds.

    Without a scale weights have no size, and those that are not fitted have one.
    """
    mean = float(np.clip(np.mean(sample.targets), 0.01, 0.99))
    factor = 1 / float(np.std(sample.values))
    return ScoreScale(factor, np.inf, float(np.log(mean / (1 - mean))))


def occurrences(sample: TrainingSet) -> NDArray[np.int64]:
    columns = sample.counts.tocsc(copy=True)
    columns.eliminate_zeros()
    counts: NDArray[np.int64] = np.diff(columns.indptr)
    return counts


Settle = Callable[[Floats], Floats]  # From a change that was fitted to one that the engine can have


def saving(
    learning: Learned[AnySet],
    model_of: Callable[[AnySet], Model[AnySet]],
    settle: Settle,
    seed: int,
    say: Say,
) -> tuple[float, float]:
    """The mean loss in nats that a fit saves, and half its 95 % interval.

    `model_of` makes the model of a part of the positions. The half is infinite if there is one
    opening, or if a part has no model (ValueError).
    """
    fitted = learning.fitted
    gains = np.zeros(len(fitted))
    epochs = learning.epochs[1 : learning.epochs.index(learning.best) + 1]
    judged = list(folds(fitted.groups, seed))
    try:
        for number, is_judged in enumerate(judged, start=1):
            say(f"saved: part {number} of {len(judged)} is judged by the others")
            rest, part = fitted.part(~is_judged), fitted.part(is_judged)
            model = model_of(rest)
            change, free = _retraced(model, rest, epochs)
            before = model.losses(part, np.zeros_like(change), model.free)
            gains[is_judged] = before - model.losses(part, settle(change), free)
    except ValueError:
        return 0.0, inf
    return validated_mean(gains, fitted.groups) if judged else (0.0, inf)


def _retraced(
    model: Model[AnySet], sample: AnySet, epochs: Sequence[Epoch]
) -> tuple[Floats, Floats]:
    objective, curvatures = model.objective(sample), model.curvatures(sample)
    count = len(curvatures)
    x = np.append(np.zeros(count), model.free)
    # As many steps under each penalty as the fit took.
    for penalty, steps in groupby(epochs, key=lambda each: each.penalty):
        penalised = Penalised(objective, curvatures, penalty, len(model.free))
        x = _lowered(penalised, x, len(list(steps)))
    return model.sizes * x[:count], x[count:]
