"""The fit of an engine's weights to the results of games, and what must be known to judge it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain
from math import nan
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arena.engine import CERTAIN
from arena.errors import ConfigError
from arena.game import Position
from arena.stats.rounding import significant
from arena.stats.score_scale import (
    Decile,
    Floats,
    Groups,
    ScoreScale,
    deciles,
    expectation,
    fitted_scale,
)
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.descent import (
    Learned,
    Logistic,
    Say,
    TrainingSet,
    guessed_scale,
    learned,
    occurrences,
    saving,
    split,
    split_openings,
    weight_intervals,
)
from arena.tuning.fit.terms import Labelled, Linear, UselessGamesError, chunks
from arena.tuning.space import PROPOSED_DIGITS, Space, Value, Values

Arrays = dict[str, Any]  # Arrays of numbers by their names


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """A weight before and after the fit."""

    name: str
    before: Value
    after: Value  # As the engine can have it: rounded, and within its range
    error: float  # The standard error of the value that the games alone make likeliest
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
    losses: Sequence[tuple[float, float]]  # After each step, of those fitted and those held out
    chosen: int  # The step whose weights are taken
    gain: float
    """The loss that such weights save on openings not fitted to, as the engine can have them: see
    `saving`."""
    gain_reach: float  # Half its 95 % interval, by openings; infinite if one opening is fitted
    curve: Sequence[tuple[int, float]]  # Openings fitted, and the loss held out of their weights

    @property
    def values(self) -> Values:
        return {each.name: each.after for each in self.weights}

    @property
    def numbers(self) -> NDArray[np.float64]:
        return np.array([each.after for each in self.weights], np.float64)

    @abstractmethod
    def arrays(self) -> Arrays:
        """The arrays of a file of fitted weights."""

    @property
    def gain_low(self) -> float:
        return self.gain - self.gain_reach

    @property
    def gain_high(self) -> float:
        return self.gain + self.gain_reach

    @property
    def is_changed(self) -> bool:
        return any(each.after != each.before for each in self.weights)

    def data(self) -> dict[str, Any]:
        return asdict(self)


def read_weights(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "weights": [FittedWeight(**row) for row in data["weights"]]}


Names = NDArray[np.str_]
Terms = tuple[Linear, Sequence[str]]  # The weights to fit, and the names of those that stay


@dataclass(frozen=True, slots=True, kw_only=True)
class FitResult(FoundWeights):
    """The outcome of a fit to results of games."""

    parameter: ClassVar[str] = "tables"
    fixed: Sequence[str]  # Weights that act nonlinearly, or cannot be fitted, and stay as they are
    scale: float  # The logarithm of the odds to win that one unit of the engine's value is worth
    scale_error: float
    is_scale_guessed: bool  # True if values do not tell good positions: see `guessed_scale`
    before: Sequence[Decile]
    after: Sequence[Decile]
    offset: float = 0.0  # The log odds to win that being on the move is worth beside them

    @property
    def to_move(self) -> float:
        """This worth in units of the engine's values."""
        return self.offset / self.scale

    def arrays(self) -> Arrays:
        return {"weights": self.numbers, "to_move": np.array(self.to_move)}


def result_from_data(data: Mapping[str, Any]) -> FitResult:
    tenths = {key: [Decile(**row) for row in data[key]] for key in ("before", "after")}
    return FitResult(**{**read_weights(data), **tenths})


def fit_weights(
    positions: Iterable[Labelled],
    terms_in: Callable[[Sequence[Position]], Terms],
    space: Space,
    settings: FitSettings,
    say: Say,
) -> FitResult:
    """Fit the free weights of an evaluation to the results of positions.

    `terms_in` finds the weights in which the evaluation is linear, by the first positions. Raises
    ConfigError if it is linear in none, or if the positions tell no weights: UselessGamesError.
    """
    rest = chunks(positions)
    first = next(rest)
    linear, fixed = terms_in([each.position for each in first])
    if not linear.names:
        raise ConfigError(
            f"the engine's value is linear in none of {', '.join(fixed)}: a fit needs one"
        )
    whole = _training_set(chain([first], rest), linear, settings, say)
    try:
        return outcome(whole, linear, fixed, space, settings, say)
    except ValueError as error:
        raise ConfigError(f"the engine's values tell no scale: {error}") from None


def _training_set(
    parts: Iterable[Sequence[Labelled]], linear: Linear, settings: FitSettings, say: Say
) -> TrainingSet:
    """All positions as numbers; to be fitted, results are mixed with what scores let expect."""
    from scipy.sparse import csr_array, vstack

    numbers: dict[str, int] = {}
    counts, values, labels = [], [], list[tuple[float, int, str, float]]()
    for chunk in parts:
        positions = [each.position for each in chunk]
        values.append(linear.values(positions))
        counts.append(linear.counts(positions).astype(np.float32))
        for each in chunk:
            score = np.nan if each.score is None else each.score
            number = numbers.setdefault(each.opening, len(numbers))
            labels.append((each.result, number, each.player, score))
        say(f"{len(labels):,} positions")
    results, groups, players, scores = map(np.array, zip(*labels, strict=True))
    is_fitted = ~split_openings(groups, settings)
    if len(found := np.unique(results[is_fitted])) < 2:
        raise UselessGamesError(f"all positions have one result, {found[0]:g}: a fit needs two")
    mixed = None
    if settings.score_share:
        fitted = (each[is_fitted] for each in (results, groups, players, scores))
        mixed, expected = results.copy(), expected_by_scores(*fitted)
        mixed[is_fitted] += settings.score_share * (expected - results[is_fitted])
    return TrainingSet(csr_array(vstack(counts)), np.concatenate(values), results, groups, mixed)


def expected_by_scores(results: Floats, groups: Groups, players: Names, scores: Floats) -> Floats:
    """The results that players' scores (NaN: none) let expect, by one scale for each player.

    The score of a seen win or loss is certain. Where a player gave no score, or its scores do not
    surely tell better from worse positions, the result stays.
    """
    is_certain = np.abs(scores) >= CERTAIN
    expected: Floats = np.where(is_certain, scores > 0, results)
    for player in np.unique(players):
        own = (players == player) & ~np.isnan(scores) & ~is_certain
        with suppress(ValueError):
            scale = fitted_scale(scores[own], results[own], groups[own])
            if scale.is_sure:
                expected[own] = scale.expected(scores[own])
    return expected


def sizes_of(weights: Floats, unit: float, is_table: bool) -> Floats:
    """The change of each weight that the penalty counts as 1; a change by `unit` is a log odds.

    It is the weight itself, but at least the smaller of 1 and the unit. In tables it is at least
    the unit: many of their weights are near 0 because earlier games had few of them.
    """
    sizes: Floats = np.maximum(np.abs(weights), unit if is_table else min(1.0, unit))
    return sizes


def outcome(
    whole: TrainingSet,
    linear: Linear,
    fixed: Sequence[str],
    space: Space,
    settings: FitSettings,
    say: Say,
) -> FitResult:
    """The fit of numbers; ValueError if the engine's values tell no scale."""
    fitted, held_out = split(whole, settings)

    def model_of(sample: TrainingSet) -> Logistic:
        scale = scale_of(sample)
        sizes = sizes_of(linear.start, 1.0 / scale.factor, is_table=not space.axes)
        return Logistic(scale, sizes)

    def settled(change: Floats) -> Floats:
        rows = zip(linear.names, linear.start.tolist(), change.tolist(), strict=True)
        values = [_value_of(space, *row)[1] for row in rows]
        possible: Floats = np.array(values, np.float64) - linear.start
        return possible

    model = model_of(fitted)
    learning = learned(model, fitted, held_out, settings, say)
    gain, gain_reach = saving(learning, model_of, settled, settings.seed, say)
    best = learning.best
    changes = (np.zeros_like(best.change), model.free), (settled(best.change), best.free)
    before, after = (
        deciles(expectation(model.odds(held_out, *each)), held_out.results) for each in changes
    )
    return FitResult(
        weights=_fitted_weights(learning, model, linear, space),
        fixed=list(fixed),
        scale=model.scale.factor,
        scale_error=model.scale.error,
        is_scale_guessed=not model.scale.is_sure,
        openings=len(np.unique(whole.groups)),
        gain=gain,
        gain_reach=gain_reach,
        before=before,
        after=after,
        offset=float(best.free[0]),
        **learning.facts(),
    )


def scale_of(fitted: TrainingSet) -> ScoreScale:
    scale = fitted_scale(fitted.values, fitted.targets, fitted.groups)
    return scale if scale.is_sure else guessed_scale(fitted)


def _fitted_weights(
    learning: Learned[TrainingSet], model: Logistic, linear: Linear, space: Space
) -> list[FittedWeight]:
    start, change, seen = linear.start, learning.best.change, occurrences(learning.fitted)
    intervals = weight_intervals(model, learning.fitted, learning.best, seen)
    lows, highs = start + intervals.lows, start + intervals.highs
    weights = []
    for i, name in enumerate(linear.names):
        before, after = _value_of(space, name, float(start[i]), float(change[i]))
        error, low, high = float(intervals.errors[i]), float(lows[i]), float(highs[i])
        weights.append(FittedWeight(name, before, after, error, int(seen[i]), low, high))
    return weights


def _value_of(space: Space, name: str, start: float, change: float) -> tuple[Value, Value]:
    """A weight before and after, as the engine can have it: the nearest value within its range.

    One that is not changed stays exactly as it was; others are rounded, so that one fit has one
    outcome on all processors.
    """
    before = space.default.get(name, start)
    axis = next((axis for axis in space.axes if axis.name == name), None)
    if not change:
        return before, before
    if not axis:
        return before, significant(start + change, PROPOSED_DIGITS)
    after = min(max(start + change, axis.low), axis.high)
    return before, space.value(axis, axis.unit(after))
