"""Weights that a fit found, and what a reader must know to judge them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import nan
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arena.tuning.space import Value, Values

Arrays = dict[str, Any]
"""Arrays of numbers by their names."""


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """A weight before and after the fit."""

    name: str
    before: Value
    after: Value  # As the engine can have it: rounded, and within its range
    error: float
    """The standard error of the value that the fitted games alone make likeliest, by openings."""
    seen: int  # Fitted positions that tell of it
    low: float = nan
    """The lower end of the 95 % interval about that value, not about `after`, which the penalty
    draws to `before`. Fits that were made without one have none."""
    high: float = nan


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWeights(ABC):
    """What every fit tells of its weights. Losses are mean cross entropies in nats."""

    parameter: ClassVar[str]  # The parameter of the engine that takes a file of fitted weights

    weights: Sequence[FittedWeight]
    openings: int
    positions: int
    held_out: int  # Positions held out, among all
    losses: Sequence[tuple[float, float]]
    """After each step, the first before any: of the positions fitted, and of those held out."""
    chosen: int  # The step whose weights are taken
    gain: float
    """The loss that such weights save on openings not fitted to, as the engine can have them: see
    `saving`."""
    gain_reach: float  # Half its 95 % interval, by openings; infinite if one opening is fitted
    curve: Sequence[tuple[int, float]]
    """Openings fitted, and the loss held out of what is found with them."""

    @property
    def values(self) -> Values:
        """All free weights, as the engine is to have them."""
        return {each.name: each.after for each in self.weights}

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The fitted weights as an array."""
        return np.array([each.after for each in self.weights], np.float64)

    @abstractmethod
    def arrays(self) -> Arrays:
        """The arrays of a file of fitted weights."""

    @property
    def gain_low(self) -> float:
        """The least of the 95 % interval of the gain."""
        return self.gain - self.gain_reach

    @property
    def gain_high(self) -> float:
        """The most of this interval."""
        return self.gain + self.gain_reach

    @property
    def is_changed(self) -> bool:
        """True if a weight is another than before, as the engine can have it."""
        return any(each.after != each.before for each in self.weights)

    def data(self) -> dict[str, Any]:
        """The outcome as a folder keeps it."""
        return asdict(self)


def read_weights(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an outcome from its `data`, with its weights as they were."""
    return {**data, "weights": [FittedWeight(**row) for row in data["weights"]]}
