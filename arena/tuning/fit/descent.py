"""The descent of every fit: steps that lower a loss, under weaker and weaker penalties.

A model says how weights foretell what was seen in positions. The weights are fitted by L-BFGS, with
a penalty for changes (L2). Some openings are held out, and tell which step is the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena.stats.score_scale import Floats, Groups
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.positions import UselessGamesError

MOST_EPOCHS = 500
"""Steps with one penalty at most."""
PATIENCE = 10
"""Epochs without a lower loss held out, after which the next, weaker penalty is tried."""
FACTORS_OF_PATIENCE = 2
"""Penalties without a lower loss held out, after which the fit ends."""
LEAST_FACTOR = 1e-7
"""The weakest penalty but the last one, as a share of the strongest."""
CURVE = (0.125, 0.25, 0.5, 1.0)
"""Shares of the fitted openings for which the learning curve tells the loss held out."""

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
    curve: Sequence[tuple[int, float]]
    """Openings fitted, and the loss held out of what is found with them."""

    @property
    def best(self) -> Epoch:
        """The step whose weights are taken."""
        return best_epoch(self.epochs)

    def facts(self) -> dict[str, Any]:
        """The fields of `FoundWeights` that every fit has, but for those of single weights."""
        return {
            "positions": len(self.fitted) + len(self.held_out),
            "held_out": len(self.held_out),
            "losses": [(each.loss, each.held_out) for each in self.epochs],
            "chosen": self.epochs.index(self.best),
            "curve": self.curve,
        }


def split(whole: AnySet, settings: FitSettings) -> tuple[AnySet, AnySet]:
    """The positions that are fitted, and those held out.

    UselessGamesError if all have one opening.
    """
    is_held_out = split_openings(whole.groups, settings)
    return whole.part(~is_held_out), whole.part(is_held_out)


def learned(
    model: Model[AnySet],
    fitted: AnySet,
    held_out: AnySet,
    settings: FitSettings,
    say: Say,
) -> Learned[AnySet]:
    """The fit of a model's weights, and what comes of smaller parts of the openings."""
    curve = []
    for part in (*_parts_of(fitted, settings.seed), fitted):
        count = _count_of(part)
        epochs = descent(model, part, held_out, settings.l2, partial(tell, say, count))
        curve.append((count, best_epoch(epochs).held_out))
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
        """The step to `x`, of which `watch` is told."""
        change, free = model.sizes * x[:count], x[count:]
        there = float(np.mean(model.losses(held_out, change, free)))
        epoch = Epoch(change, free, loss, there, factor)
        watch(epoch)
        return epoch

    x = np.append(np.zeros(count), model.free)
    found = [note(x, objective(x)[0], l2)]
    idle = 0
    for factor in factors(float(curvatures.max(initial=0.0)), l2):
        least = best_epoch(found).held_out
        penalised = Penalised(objective, curvatures, factor, len(model.free))
        steps, x = _descended(penalised, x, partial(note, factor=factor))
        found += steps
        idle = 0 if best_epoch(found).held_out < least else idle + 1
        if idle == FACTORS_OF_PATIENCE:
            break
    return found


def factors(greatest: float, last: float) -> Iterator[float]:
    """The factors of the penalty, each a tenth of the one before, from the greatest curvature."""
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
        """The loss with its penalty, and its gradient."""
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

    return steps, lowered(penalised, x, MOST_EPOCHS, step)


def lowered(
    penalised: Penalised,
    x: Floats,
    steps: int,
    watch: Callable[[Floats], object] | None = None,
) -> Floats:
    """The point to which so many steps of L-BFGS lead from `x`, or fewer at a minimum.

    `watch` is told each step, in the units of `penalised`; StopIteration from it ends them.
    """
    from scipy.optimize import minimize

    start, options = x / penalised.units, {"maxiter": steps, "ftol": 1e-10, "gtol": 1e-8}
    end = minimize(penalised, start, jac=True, method="L-BFGS-B", callback=watch, options=options)
    found: Floats = penalised.units * end.x
    return found


def _even_units(curvatures: Floats, pull: float) -> Floats:
    """The change of each weight that curves the loss and its penalty together by 1.

    `pull` is the curvature of the penalty. A weight that does not curve the loss has 1.
    """
    is_known = curvatures > 0
    return np.where(is_known, 1 / np.sqrt(np.where(is_known, curvatures + pull, 1.0)), 1.0)


def best_epoch(found: Sequence[Epoch]) -> Epoch:
    """The step with the least loss on what was held out."""
    return min(found, key=lambda each: each.held_out)


def split_openings(groups: Groups, settings: FitSettings) -> Mask:
    """True for the positions of the openings held out: a share drawn by the seed, one at least.

    `groups` are the openings' numbers. Raises UselessGamesError if all positions have one opening.
    """
    openings = np.unique(groups)
    if len(openings) < 2:
        raise UselessGamesError("all games have one opening: none can be held out")
    count = min(max(1, round(settings.holdout * len(openings))), len(openings) - 1)
    drawn = np.random.default_rng(settings.seed).choice(openings, count, replace=False)
    return np.isin(groups, drawn)


def _parts_of(fitted: AnySet, seed: int) -> Iterator[AnySet]:
    """Smaller parts of what is fitted, of whole openings, each within the next."""
    groups = np.random.default_rng(seed).permutation(np.unique(fitted.groups))
    for share in CURVE[:-1]:
        count = round(share * len(groups))
        if count:
            yield fitted.part(np.isin(fitted.groups, groups[:count]))


def _count_of(sample: PositionSet) -> int:
    return len(np.unique(sample.groups))


def tell(say: Say, openings: int, epoch: Epoch) -> None:
    """Say the losses of a step in one line, and how many openings are fitted."""
    say(f"{openings:,} openings: loss {epoch.loss:.4f}, held out {epoch.held_out:.4f}")
