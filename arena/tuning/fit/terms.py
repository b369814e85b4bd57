"""An engine's evaluation as a sum: the coefficient of each free weight in a position's value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arena.game import Position
from arena.tuning.fit.model import Floats
from arena.tuning.space import Space, Values

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Evaluation = Callable[[Position], float]
"""The static value of a position, from its mover's side."""
Evaluate = Callable[[Values], Evaluation]
"""The evaluation with these values of the free weights."""

TRIED = 2_000
"""Positions in which a weight is tried for being linear."""
STEP = 0.5
"""The change of a weight, as a share of it, by which its coefficients are found."""
ROUNDING = 2.0
"""The error that whole-numbered evaluations make: one for each of the values compared."""


@dataclass(frozen=True, slots=True)
class Linear:
    """The free weights in which an evaluation is linear."""

    evaluation: Evaluation
    """With the weights that the engine has."""
    steps: Mapping[str, tuple[float, Evaluation]]
    """For each weight a change of it, and the evaluation with only that changed."""

    def values(self, positions: Sequence[Position]) -> Floats:
        """The value of each position."""
        return np.array(list(map(self.evaluation, positions)), np.float64)

    def counts(self, positions: Sequence[Position], values: Floats) -> csr_array:
        """The coefficients: positions x weights. `values` are those of the positions."""
        from scipy.sparse import csr_array

        columns = [
            (np.fromiter(map(other, positions), np.float64, len(positions)) - values) / change
            for change, other in self.steps.values()
        ]
        return csr_array(np.stack(columns, axis=1))


def linear_weights(
    evaluate: Evaluate, space: Space, positions: Sequence[Position]
) -> tuple[Linear, list[str]]:
    """The weights that act linearly, and the names of those that do not.

    A weight is linear if twice the change of it changes each value by twice as much, whatever the
    other weights are: it is tried with all of them as they are, and with all of them changed.
    """
    default = space.default
    evaluation = evaluate(default)
    tried = positions[:TRIED]
    steps, bent = {}, []
    for axis in space.axes:
        change = step_of(axis)
        once, twice = (
            evaluate({**default, axis.name: axis_value(axis, k * change)}) for k in (1, 2)
        )
        first = [evaluation(p) for p in tried]
        errors = [twice(p) - 2 * once(p) + value for p, value in zip(tried, first, strict=True)]
        if max(map(abs, errors), default=0.0) > ROUNDING * 2:
            bent.append(axis.name)
        else:
            steps[axis.name] = (change, once)
    return Linear(evaluation, steps), bent
