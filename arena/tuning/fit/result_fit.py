"""The fit of an engine's weights to the results of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from arena.engine import CERTAIN
from arena.errors import ConfigError
from arena.game import Position
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
from arena.tuning.fit.descent import Say, learned, split
from arena.tuning.fit.found_weights import Arrays, FittedWeight, FoundWeights, read_weights
from arena.tuning.fit.logistic import Logistic, TrainingSet, guessed_scale, occurrences
from arena.tuning.fit.positions import Labelled, chunks
from arena.tuning.fit.terms import Linear
from arena.tuning.space import Space, Value

Terms = tuple[Linear, Sequence[str]]
"""The weights to fit, and the names of others, which stay as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitResult(FoundWeights):
    """The outcome of a fit to results of games."""

    parameter: ClassVar[str] = "tables"
    fixed: Sequence[str]
    """Weights that act nonlinearly, or cannot be fitted, and stay as they are."""
    scale: float
    """The logarithm of the odds to win that one unit of the engine's value is worth."""
    scale_error: float
    is_scale_guessed: bool
    """True if the engine's values do not tell better from worse positions: see `guessed_scale`."""
    before: Sequence[Decile]
    after: Sequence[Decile]
    offset: float = 0.0
    """The log odds to win that being on the move is worth beside the fitted weights."""

    @property
    def to_move(self) -> float:
        """This worth in units of the engine's values."""
        return self.offset / self.scale

    def arrays(self) -> Arrays:
        """The fitted tables, and what being on the move is worth."""
        return {"weights": self.numbers, "to_move": np.array(self.to_move)}


def result_from_data(data: Mapping[str, Any]) -> FitResult:
    """The mirror of `FitResult.data`."""
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
    ConfigError if these tell nothing: too few, of one opening or one result, or without a weight.
    """
    rest = chunks(positions)
    first = next(rest)
    linear, fixed = terms_in([each.position for each in first])
    if not linear.names:
        raise ConfigError(
            f"the engine's value is linear in none of {', '.join(fixed)}: a fit needs one"
        )
    whole, openings = training_set(chain([first], rest), linear, settings.score_share, say)
    try:
        return outcome(whole, openings, linear, fixed, space, settings, say)
    except ValueError as error:
        raise ConfigError(f"the games tell nothing of the weights: {error}") from None


def training_set(
    parts: Iterable[Sequence[Labelled]], linear: Linear, score_share: float, say: Say
) -> tuple[TrainingSet, int]:
    """All positions as numbers, and how many openings they are from."""
    from scipy.sparse import csr_array, vstack

    numbers: dict[str, int] = {}
    counts, values, labels = [], [], list[tuple[float, int, str, int | None]]()
    for chunk in parts:
        there = [each.position for each in chunk]
        values.append(linear.values(there))
        counts.append(linear.counts(there).astype(np.float32))
        labels += [
            (each.result, numbers.setdefault(each.opening, len(numbers)), each.player, each.score)
            for each in chunk
        ]
        say(f"{len(labels):,} positions")
    results = np.array([result for result, *_ in labels])
    groups = np.array([group for _, group, *_ in labels])
    if len(np.unique(results)) < 2:
        raise ConfigError(f"all positions have one result, {results[0]:g}: a fit needs two")
    if score_share:
        results = blended(results, groups, labels, score_share)
    whole = TrainingSet(csr_array(vstack(counts)), np.concatenate(values), results, groups)
    return whole, len(numbers)


def blended(
    results: Floats,
    groups: Groups,
    labels: Sequence[tuple[float, int, str, int | None]],
    score_share: float,
) -> Floats:
    """Results, in part replaced by what the players' scores let expect: one scale for each player.

    The score of a seen win or loss is certain. A player whose other scores tell nothing, or that
    gave none, leaves its positions' results.
    """
    found = results.copy()
    players = np.array([player for _, _, player, _ in labels])
    scores = np.array([np.nan if score is None else score for *_, score in labels])
    is_certain = np.abs(scores) >= CERTAIN
    wins = (scores[is_certain] > 0).astype(float)
    found[is_certain] = (1 - score_share) * results[is_certain] + score_share * wins
    for player in np.unique(players):
        own = (players == player) & ~np.isnan(scores) & ~is_certain
        if not own.any():
            continue
        try:
            scale = fitted_scale(scores[own], results[own], groups[own])
        except ValueError:
            continue
        expected = scale.expected(scores[own])
        found[own] = (1 - score_share) * results[own] + score_share * expected
    return found


def outcome(
    whole: TrainingSet,
    openings: int,
    linear: Linear,
    fixed: Sequence[str],
    space: Space,
    settings: FitSettings,
    say: Say,
) -> FitResult:
    """The fit of numbers; ValueError if they tell nothing."""
    fitted, held_out = split(whole, settings)
    model = Logistic(scale_of(fitted), np.maximum(np.abs(linear.start), 1.0))
    found = learned(model, fitted, held_out, settings, say)
    best = found.best
    errors = model.errors(fitted, best, settings.l2)
    rows = zip(linear.names, linear.start, best.change, errors, occurrences(fitted), strict=True)
    weights = [
        FittedWeight(
            name,
            space.default.get(name, float(start)),
            possible(space, name, start + change),
            float(error),
            int(count),
        )
        for name, start, change, error, count in rows
    ]
    rounded = np.array([float(each.after) for each in weights]) - linear.start
    before, after = (
        deciles(expectation(model.odds(held_out, change, free)), held_out.results)
        for change, free in ((np.zeros_like(rounded), model.free), (rounded, best.free))
    )
    return FitResult(
        weights=weights,
        fixed=list(fixed),
        scale=model.scale.factor,
        scale_error=model.scale.error,
        is_scale_guessed=not model.scale.is_sure,
        openings=openings,
        before=before,
        after=after,
        offset=float(best.free[0]),
        **found.facts(rounded),
    )


def scale_of(fitted: TrainingSet) -> ScoreScale:
    """The scale of the values that the engine has."""
    found = fitted_scale(fitted.values, fitted.results, fitted.groups)
    return found if found.is_sure else guessed_scale(fitted)


def possible(space: Space, name: str, number: float) -> Value:
    """The value nearest to a number that the engine can have; of tables, any."""
    axis = next((axis for axis in space.axes if axis.name == name), None)
    return axis.value(axis.unit(min(max(number, axis.low), axis.high))) if axis else float(number)
