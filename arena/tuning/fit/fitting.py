"""The fit of an engine's weights to games, and what a reader must know to judge it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from arena.engine import CERTAIN
from arena.errors import ConfigError
from arena.game import Position
from arena.stats.score_scale import (
    Decile,
    Floats,
    cluster_spread,
    cross_entropies,
    deciles,
    expectation,
    fitted_scale,
)
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.model import (
    Epoch,
    TrainingSet,
    best_epoch,
    descent,
    errors_of,
    guessed_scale,
    occurrences,
    split_openings,
)
from arena.tuning.fit.positions import Labelled
from arena.tuning.fit.terms import Linear
from arena.tuning.space import Space, Value, Values

CHUNK = 5_000
"""Positions that are held as objects at once."""
LEAST_POSITIONS = 100
CURVE = (0.125, 0.25, 0.5, 1.0)
"""Shares of the fitted openings for which the learning curve tells the loss held out."""
QUANTILE_95 = 1.96

Say = Callable[[str], object]
Terms = tuple[Linear, Sequence[str]]
"""The weights to fit, and the names of others, which stay as they are."""


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """A weight before and after the fit."""

    name: str
    before: Value
    after: Value
    """As the engine can have it: rounded, and within its range."""
    error: float
    """The standard error of the fitted number, by openings."""
    seen: int
    """Fitted positions whose value depends on it."""


@dataclass(frozen=True, slots=True)
class FitResult:
    """The outcome of a fit. Losses are mean cross entropies in nats."""

    weights: Sequence[FittedWeight]
    fixed: Sequence[str]
    """Weights that act nonlinearly, or cannot be fitted, and stay as they are."""
    scale: float
    """The logarithm of the odds to win that one unit of the engine's value is worth."""
    scale_error: float
    is_scale_guessed: bool
    """True if the engine's values do not tell better from worse positions: see `guessed_scale`."""
    openings: int
    positions: int
    held_out: int
    """Positions held out, among all."""
    losses: Sequence[tuple[float, float]]
    """After each step, the first before any: of the positions fitted, and of those held out."""
    chosen: int
    """The step whose weights are taken."""
    gain: float
    """The loss held out that the rounded weights save."""
    gain_error: float
    """Its standard error, by openings."""
    before: Sequence[Decile]
    after: Sequence[Decile]
    curve: Sequence[tuple[int, float]]
    """Openings fitted, and the loss held out of what is found with them."""
    offset: float = 0.0
    """The log odds to win that being on the move is worth beside the fitted weights."""

    @property
    def to_move(self) -> float:
        """This worth in units of the engine's values."""
        return self.offset / self.scale

    @property
    def values(self) -> Values:
        """All free weights, as the engine is to have them."""
        return {each.name: each.after for each in self.weights}

    @property
    def gain_low(self) -> float:
        """The least of the 95 % interval of the gain."""
        return self.gain - QUANTILE_95 * self.gain_error

    @property
    def gain_high(self) -> float:
        """The most of this interval."""
        return self.gain + QUANTILE_95 * self.gain_error

    @property
    def is_changed(self) -> bool:
        """True if a weight is another than before, as the engine can have it."""
        return any(each.after != each.before for each in self.weights)


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
    positions = iter(positions)
    first = list(islice(positions, CHUNK))
    if len(first) < LEAST_POSITIONS:
        raise ConfigError(
            f"the games have {len(first)} positions to fit to, once openings, fives and open "
            f"fours at hand, and what comes after a proven win are left out: at least "
            f"{LEAST_POSITIONS} are needed"
        )
    linear, fixed = terms_in([each.position for each in first])
    if not linear.names:
        raise ConfigError(
            f"the engine's value is linear in none of {', '.join(fixed)}: a fit needs one"
        )
    whole, openings = training_set(first, positions, linear, settings.score_share, say)
    try:
        return outcome(whole, openings, linear, fixed, space, settings, say)
    except ValueError as error:
        raise ConfigError(f"the games tell nothing of the weights: {error}") from None


def training_set(
    first: Sequence[Labelled],
    rest: Iterator[Labelled],
    linear: Linear,
    score_share: float,
    say: Say,
) -> tuple[TrainingSet, int]:
    """All positions as numbers, and how many openings they are from."""
    from scipy.sparse import csr_array, vstack

    numbers: dict[str, int] = {}
    counts, values, labels = [], [], list[tuple[float, int, str, int | None]]()
    chunk: Sequence[Labelled] = first
    while chunk:
        there = [each.position for each in chunk]
        values.append(linear.values(there))
        counts.append(linear.counts(there).astype(np.float32))
        labels += [
            (each.result, numbers.setdefault(each.opening, len(numbers)), each.player, each.score)
            for each in chunk
        ]
        say(f"{len(labels):,} positions")
        chunk = list(islice(rest, CHUNK))
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
    groups: NDArray[np.int64],
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
    is_held_out = split_openings(whole, settings.holdout, settings.seed)
    fitted, held_out = whole.part(~is_held_out), whole.part(is_held_out)
    scale = fitted_scale(fitted.values, fitted.results, fitted.groups)
    if is_guessed := not scale.is_sure:
        scale = guessed_scale(fitted)
    sizes = np.maximum(np.abs(linear.start), 1.0)

    def found_with(part: TrainingSet, watch: Callable[[Epoch], object]) -> list[Epoch]:
        return descent(part, held_out, scale, sizes, settings.l2, watch)

    curve = [
        (len(np.unique(part.groups)), best_epoch(found_with(part, ignore)).held_out)
        for part in parts_of(fitted, settings.seed)
    ]
    epochs = found_with(fitted, lambda epoch: say(words_of(epoch)))
    best = best_epoch(epochs)
    curve.append((len(np.unique(fitted.groups)), best.held_out))
    weights = weights_of(fitted, best, scale.factor, linear, sizes, space, settings.l2)
    rounded = np.array([float(each.after) for each in weights]) - linear.start
    before = scale.factor * held_out.values + scale.offset
    after = scale.factor * (held_out.values + held_out.counts @ rounded) + best.offset
    gain, gain_error = saved(held_out, before, after)
    return FitResult(
        weights=weights,
        fixed=list(fixed),
        scale=scale.factor,
        scale_error=scale.error,
        is_scale_guessed=is_guessed,
        openings=openings,
        positions=len(whole),
        held_out=len(held_out),
        losses=[(each.loss, each.held_out) for each in epochs],
        chosen=epochs.index(best),
        gain=gain,
        gain_error=gain_error,
        before=deciles(expectation(before), held_out.results),
        after=deciles(expectation(after), held_out.results),
        curve=curve,
        offset=best.offset,
    )


def weights_of(
    fitted: TrainingSet,
    epoch: Epoch,
    factor: float,
    linear: Linear,
    sizes: Floats,
    space: Space,
    l2: float,
) -> list[FittedWeight]:
    """Each weight before and after this step."""
    errors = errors_of(fitted, epoch, factor, sizes, l2)
    seen = occurrences(fitted)
    rows = zip(linear.names, linear.start, epoch.change, errors, seen, strict=True)
    return [
        FittedWeight(
            name,
            space.default.get(name, float(start)),
            possible(space, name, start + change),
            float(error),
            int(count),
        )
        for name, start, change, error, count in rows
    ]


def words_of(epoch: Epoch) -> str:
    """The losses of a step in one line."""
    return f"loss {epoch.loss:.4f}, held out {epoch.held_out:.4f}"


def ignore(epoch: Epoch) -> None:
    """Do nothing."""


def parts_of(fitted: TrainingSet, seed: int) -> Iterator[TrainingSet]:
    """Smaller parts of what is fitted, of whole openings, each within the next."""
    groups = np.random.default_rng(seed).permutation(np.unique(fitted.groups))
    for share in CURVE[:-1]:
        count = round(share * len(groups))
        if count:
            yield fitted.part(np.isin(fitted.groups, groups[:count]))


def possible(space: Space, name: str, number: float) -> Value:
    """The value nearest to a number that the engine can have; of tables, any."""
    axis = next((axis for axis in space.axes if axis.name == name), None)
    return axis.value(axis.unit(min(max(number, axis.low), axis.high))) if axis else float(number)


def saved(held_out: TrainingSet, before: Floats, after: Floats) -> tuple[float, float]:
    """The mean loss that other log odds save, and its standard error by openings."""
    results = held_out.results
    gains = cross_entropies(before, results) - cross_entropies(after, results)
    mean = float(gains.mean())
    spread = cluster_spread((gains - mean)[:, None], held_out.groups)
    return mean, float(np.sqrt(spread[0, 0])) / len(gains)


def result_from_data(data: Mapping[str, object]) -> FitResult:
    """The mirror of `dataclasses.asdict`."""
    found = dict(data)
    for key, kind in (("weights", FittedWeight), ("before", Decile), ("after", Decile)):
        rows = found[key]
        assert isinstance(rows, list)
        found[key] = [kind(**row) for row in rows]
    return FitResult(**found)  # type: ignore[arg-type]
