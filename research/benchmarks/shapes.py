"""Shapes of strength, made up for the tuner: what each point of the unit box loses to the best one.

Arrays of several shapes of one kind can be stacked, and all their points be worked out at once:
vectors are (d) or (shapes, 1, d), matrices (d, d) or (shapes, d, d), numbers () or (shapes, 1), and
points (..., d) or (shapes, points, d).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from arena.tuning.model.posterior import Array

SATURATED = 1.5
"""Distance of a ratio from its best, in e-folds, at which it has lost half of what it can lose."""
PLATEAU = 150.0
"""Elo that lie between the top and the plain around it."""
CLIFF = 60.0
"""Elo that the wrong order of two parameters loses."""
NEAR = 0.1
"""Distance from the start within which points are like it, as a share of the ranges."""
LESSER = 25.0
"""Elo by which the lesser of two hills is the lower one."""
VALUES = 8
"""Values of a parameter that moves in steps."""


@dataclass(frozen=True)
class Hill:
    """A quadratic: u' H u, where u is the distance from the strongest point.

    With skew, u is (exp(k distance) - 1) / k.
    """

    best: Array
    start: Array
    width: Array
    """Factor by which a range is too wide."""
    skew: Array | None
    hessian: Array

    def loss(self, x: Array) -> Array:
        """Elo that points lose to the strongest."""
        u = self.stretched(x)
        return np.asarray(((u @ self.hessian) * u).sum(-1))

    def stretched(self, x: Array) -> Array:
        """The distances in which strength is quadratic."""
        u = (x - self.best) * self.width
        return u if self.skew is None else np.expm1(self.skew * u) / self.skew

    def lead(self, one: Array, other: Array, turn: int) -> Array:
        """Elo by which points beat others in a trial; `turn` is its number."""
        return self.loss(other) - self.loss(one)

    def truth(self, x: Array) -> Array:
        """The best value of each parameter, of several the nearest to a point; NaN for none."""
        return self.best

    def playable(self, x: Array, draw: Array | float = 0.5) -> Array:
        """The points that can be played; a draw decides between two values."""
        return x


class Ratios(Hill):
    """A shape in which only ratios of neighbours in a ring matter; the loss is bounded."""

    def stretched(self, x: Array) -> Array:
        u = (x - self.best) * self.width
        wrong = u - np.roll(u, 1, -1)
        return np.asarray(wrong / np.sqrt(1 + (wrong / SATURATED) ** 2))

    def truth(self, x: Array) -> Array:
        together = ((x - self.best) * self.width).mean(-1, keepdims=True)
        return np.asarray(self.best + together / self.width)


class Plateau(Hill):
    """A hill on a plain: far from the top, all points are about as weak."""

    def loss(self, x: Array) -> Array:
        return np.asarray(-PLATEAU * np.expm1(-super().loss(x) / PLATEAU))


@dataclass(frozen=True)
class Cliff(Hill):
    """A hill that breaks off where two parameters are in the wrong order."""

    order: Array
    """1 for one parameter, -1 for another."""
    edge: Array
    """The least difference of the two that is right."""

    def loss(self, x: Array) -> Array:
        return np.asarray(super().loss(x) + CLIFF * ((x * self.order).sum(-1) < self.edge))


@dataclass(frozen=True)
class Corner(Hill):
    """A hill whose top lies outside of the box, so that the best values are at its border."""

    top: Array

    def stretched(self, x: Array) -> Array:
        return np.asarray((x - self.top) * self.width)

    def loss(self, x: Array) -> Array:
        return super().loss(x) - super().loss(self.best)


@dataclass(frozen=True)
class Sparse(Hill):
    """A hill along few parameters: the others do nothing."""

    matters: Array

    def truth(self, x: Array) -> Array:
        return np.where(self.matters > 0, self.best, np.nan)


class Steps(Hill):
    """A hill of few whole numbers."""

    def playable(self, x: Array, draw: Array | float = 0.5) -> Array:
        return np.asarray(np.minimum(np.floor((VALUES - 1) * x + draw), VALUES - 1) / (VALUES - 1))


@dataclass(frozen=True)
class Styles(Hill):
    """A hill whose points have styles, too: one beats a second, that a third, that the first."""

    twist: Array

    def lead(self, one: Array, other: Array, turn: int) -> Array:
        cyclic = (((one - self.start) @ self.twist) * (other - self.start)).sum(-1)
        return np.asarray(super().lead(one, other, turn) + np.asarray(cyclic))


@dataclass(frozen=True)
class FavouredStart(Hill):
    """A hill whose start beats points far from it by more than strength tells.

    Points that are near each other do not show it.
    """

    favour: float
    """The start's Elo against such points, beyond strength."""

    def lead(self, one: Array, other: Array, turn: int) -> Array:
        apart = self.nearness(one) - self.nearness(other)
        return np.asarray(super().lead(one, other, turn) + self.favour * apart * np.abs(apart))

    def nearness(self, x: Array) -> Array:
        """1 at the start, and next to 0 where parameters differ from it by twice NEAR."""
        return np.asarray(np.exp(-((x - self.start) ** 2).mean(-1) / NEAR**2))


@dataclass(frozen=True)
class TwoHills(Hill):
    """A hill with a lesser one beside it."""

    lesser: Hill

    def loss(self, x: Array) -> Array:
        return np.minimum(super().loss(x), LESSER + self.lesser.loss(x))

    def truth(self, x: Array) -> Array:
        is_lesser = LESSER + self.lesser.loss(x) < super().loss(x)
        return np.where(is_lesser[..., None], self.lesser.best, self.best)


@dataclass(frozen=True)
class TwoConditions(Hill):
    """A hill of the mean of two conditions, in which trials are played in turn."""

    apart: Array
    """The best values under the first condition minus those of the mean."""

    def lead(self, one: Array, other: Array, turn: int) -> Array:
        apart = -self.apart if turn % 2 else self.apart
        return super().lead(one - apart, other - apart, turn)


Shape = TypeVar("Shape", bound=Hill)


def stacked(shapes: Sequence[Shape]) -> Shape:
    """Several shapes of one kind as one of their kind."""
    parts: dict[str, Any] = {}
    for field in fields(shapes[0]):
        values = [getattr(shape, field.name) for shape in shapes]
        parts[field.name] = stacked_part(values)
    return type(shapes[0])(**parts)


def stacked_part(values: Sequence[Any]) -> Any:
    """One part of several shapes."""
    if values[0] is None or isinstance(values[0], Hill):
        return values[0] and stacked(values)
    stack = np.stack(values)
    return stack if np.ndim(values[0]) == 2 else stack[:, None]
