"""What a tuning method is: it asks questions, is told what was played, and recommends.

A method's file in `methods/` has `tuner(space, plan, *, parameter=default, ...)`. What a tuner
asks depends on nothing but its arguments and what it was told, in order: a study that was stopped
is told again all that was played, and goes on. A method whose trials are two points to compare says
COMPARES = True; one that knows how many games a trial should have, `games(budget)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from arena.plugins import load
from arena.tuning.space import Values

Counts = list[int]
"""Pairs by their points, from 0 to 4 halves."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is to be played."""

    budget: int
    """Games of the whole study."""
    games: int
    """Of one trial, at most."""
    lag: int
    """A trial is asked for once the one so many before it is told."""
    seed: int

    @property
    def trials(self) -> int:
        """How many there are, if none is ended early."""
        return self.budget // self.games


@dataclass(frozen=True, slots=True)
class Trial:
    """One question: a point to be measured, or two that are to be compared."""

    number: int
    """From 0."""
    centre: dict[str, Any]
    """Where the method looks; numbers are not rounded."""
    points: tuple[Values, ...]
    """What is played: one point, or those on both sides of the centre."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was played of a trial."""

    elo: float
    """Of the point against its opponents; or of the first of two points against the second.
    Smoothed by half a pair that is split."""
    score: float
    """Of the first of two points against the second, as it came; or what such an Elo scores."""
    pairs: int
    """Of the two points that say as much as was played; 0 if the two points are the same."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a method says of one parameter."""

    name: str
    value: float | int | str | bool
    low: float | None
    """A 95 % interval of where its optimum lies; None for a choice."""
    high: float | None
    importance: float
    """Share of the parameters' effect on strength, all shares being 1."""
    flat_low: float | None
    """From here to `flat_high` nothing worth an Elo is lost; None where the method cannot say."""
    flat_high: float | None


class Tuner(Protocol):
    """A method at work on one study."""

    def ask(self) -> Trial:
        """The next question."""
        ...

    def tell(self, trial: Trial, answer: Answer) -> float:
        """Take in the answer; the Elo of the trial's centre over the default, as estimated now."""
        ...

    def recommend(self) -> Sequence[Advice]:
        """One row for each parameter, in the order of the space."""
        ...


def suggested_games(method: str, budget: int) -> int:
    """Of one trial, as the method of this name would have it."""
    suggest = getattr(load.module("method", method), "games", usual_games)
    return int(suggest(budget))


def usual_games(budget: int) -> int:
    """Of one trial, where the method says nothing: a hundred trials, of at least 8 games."""
    return max(8, budget // 100 // 2 * 2)
