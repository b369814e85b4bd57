"""The contract of a tuning method: it asks for trials, is told their results, and recommends.

A method's file in `methods/` has `tuner(space, plan, *, parameter=default, ...)`. A tuner's
questions depend only on its arguments and on the results told so far, in order. What it asked is
stored, and never computed again: a study that was stopped hands a new tuner each trial by `repeat`,
in place of `ask`, and tells it all results again. Another processor, or another version of a
library, would ask for other points; the tuner goes on as if it had asked for these.

A method whose trials compare two points says COMPARES = True; one that knows how many games a trial
should have, `games(budget)`. A tuner that knows how sure its estimates are has `error(trial)`: the
standard error of the last one, in Elo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from arena.plugins import load
from arena.stats.elo import QUANTILE
from arena.tuning.space import Values


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of a study."""

    budget: int  # Games of the whole study
    games: int  # Most games of one trial
    lag: int  # Trials that may be under way: one is asked for once the one `lag` before it is told
    seed: int

    @property
    def trials(self) -> int:
        return self.budget // self.games


@dataclass(frozen=True, slots=True)
class Trial:
    """One question: a point to be measured, or two to be compared."""

    number: int  # The number of the trial, from 0
    centre: dict[str, Any]  # The point around which the method looks; numbers are not rounded
    points: tuple[Values, ...]  # The points that play: one, or those on both sides of the centre
    note: dict[str, list[float]] = field(default_factory=dict)
    """What the method wants to know of its question when it is told the answer: numbers, one for
    each parameter or none. It takes a trial without its notes, too."""

    @property
    def sides(self) -> dict[str, Values]:
        """The points by what they are: `point`, or `plus` and `minus`."""
        names = ("plus", "minus") if len(self.points) == 2 else ("point",)
        return dict(zip(names, self.points, strict=True))


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of a trial."""

    elo: float
    """Elo of the point against its opponents, or of the first of two points against the second.
    Smoothed by half a pair that is split."""
    score: float  # Share of the first of two points, as it came; else that of the Elo
    pairs: int  # Pairs of two points that tell as much; 0 if the points are equal
    meets_default: bool = False  # True if a point alone met the default: its Elo is over that


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommendation for one parameter."""

    name: str
    value: float | int | str | bool
    low: float | None
    """Lower end of a 95 % interval of the optimum, if strength is like the method's model; None for
    a choice, or where the method knows no such interval."""
    high: float | None
    importance: float  # Share of the parameters' effect on strength, all shares being 1
    flat_low: float | None  # The range that loses less than an Elo begins; None if unknown
    flat_high: float | None
    spread_low: float | None = None  # In place of an interval: of the best tenth of the trials
    spread_high: float | None = None


LARGE_LOSS = 7.0
"""Expected loss of Elo from which on values are doubtful. The real loss is half as much again on
average, because no strength is quite like the model that expects it."""


@dataclass(frozen=True, slots=True)
class ExpectedGain:
    """A gain over the default values, in Elo."""

    elo: float
    error: float  # Its standard error

    @property
    def interval(self) -> tuple[float, float]:
        return interval_of(self.elo, self.error)


@dataclass(frozen=True, slots=True)
class Forecast:
    """The models of a method beside what the trials showed."""

    shares: tuple[tuple[str, float], ...]
    """The shapes of strength, and the share that the results give to each; all shares are 1."""
    loss: float  # Elo by which the recommended values are expected to lie below the best ones
    trials: int  # The trials, the last ones, that were predicted before any model saw them
    slope: float
    """The leads that came in these, in predicted leads: 1 is as predicted, 0 is none. NaN if next
    to no leads were predicted."""
    error: float  # Its standard error
    gain: ExpectedGain | None = None
    """The gain of the recommended values that trials against the default values show; None for a
    method without such trials."""

    @property
    def interval(self) -> tuple[float, float]:
        return interval_of(self.slope, self.error)

    @property
    def is_doubtful(self) -> bool:
        is_worse = self.gain is not None and self.gain.interval[1] < 0
        return is_worse or self.loss >= LARGE_LOSS or self.interval[1] < 0


def interval_of(value: float, error: float) -> tuple[float, float]:
    """The 95 % interval of a value with a standard error."""
    return value - QUANTILE * error, value + QUANTILE * error


class Tuner(Protocol):
    """A method at work on one study."""

    def ask(self) -> Trial:
        """The next question."""
        ...

    def repeat(self, trial: Trial) -> None:
        """Take a trial that was asked before for the next question, which may be any of the space.

        What follows is as if `ask` had returned it, random numbers included.
        """
        ...

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        """Take in the answer; return the estimated Elo of the trial's centre over the default."""
        ...

    def recommend(self) -> Sequence[Advice]:
        """The advice for each parameter, in the order of the space."""
        ...

    def forecast(self) -> Forecast | None:
        """The models beside the trials; None for a method without one, or too few trials."""
        ...


def suggested_games(method: str, budget: int) -> int:
    suggest = None
    if "." not in method:  # one of ours
        suggest = getattr(load.module("method", method), "games", None)
    return int(suggest(budget)) if suggest else max(8, budget // 100 // 2 * 2)
