"""The fit of the worths by which a search sorts moves to the moves that were played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arena.errors import ConfigError
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.descent import Say, learned, saving, split, weight_intervals
from arena.tuning.fit.result_fit import Arrays, FittedWeight, FoundWeights
from arena.tuning.fit.terms import LEAST_POSITIONS, Labelled, chunks
from fit_moves.move_terms import MoveFeatures, move_rows
from fit_moves.softmax import MoveSet, Softmax, told_in


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveFitResult(FoundWeights):
    """The outcome of a fit to moves that were played."""

    parameter: ClassVar[str] = "moves"
    unit: float
    """The worth that makes a move e times as likely to be played."""
    unsorted: int
    """Positions left out because the search sorts fewer than two moves there."""
    missed: int
    """Positions left out because the move played is not among those that the search sorts."""
    before: Sequence[float]
    """The shares of positions held out whose move played is among the first of the sorting, one
    for each number in FIRST."""
    after: Sequence[float]

    def arrays(self) -> Arrays:
        """The fitted weights of worths."""
        return {"worths": self.numbers}


def fit_moves(
    positions: Iterable[Labelled], features: MoveFeatures, settings: FitSettings, say: Say
) -> MoveFitResult:
    """Fit the worths of moves to those that were played.

    Raises ConfigError if the positions tell nothing: too few, or of one opening.
    """
    whole, left_out = _move_set(chunks(positions), features, say)
    fitted, held_out = split(whole, settings)
    model = Softmax(features.start, features.unit)
    found = learned(model, fitted, held_out, settings, say)
    change, seen = found.best.change, told_in(fitted)
    known = weight_intervals(model, fitted, found.best, seen)
    gain, gain_reach = saving(found, lambda part: model, lambda change: change, settings.seed, say)
    start = features.start
    rows = zip(
        start,
        start + change,
        known.errors,
        seen,
        start + known.lows,
        start + known.highs,
        strict=True,
    )
    weights = [
        FittedWeight(
            str(i), float(before), float(after), float(error), int(seen), float(low), float(high)
        )
        for i, (before, after, error, seen, low, high) in enumerate(rows)
    ]
    return MoveFitResult(
        weights=weights,
        unit=features.unit,
        openings=len(np.unique(whole.groups)),
        gain=gain,
        gain_reach=gain_reach,
        before=model.firsts(held_out, np.zeros_like(change)),
        after=model.firsts(held_out, change),
        **left_out,
        **found.facts(),
    )


def _move_set(
    parts: Iterable[Sequence[Labelled]], features: MoveFeatures, say: Say
) -> tuple[MoveSet, dict[str, Any]]:
    """All positions that can be fitted to as numbers, and how many others there are, by reason."""
    numbers: dict[str, int] = {}
    blocks, groups, unsorted, missed = [], list[int](), 0, 0
    for chunk in parts:
        rows = move_rows(features, chunk)
        if rows.openings:
            blocks.append(rows.block)
        groups += [numbers.setdefault(each, len(numbers)) for each in rows.openings]
        unsorted, missed = unsorted + rows.unsorted, missed + rows.missed
        say(f"{len(groups):,} positions")
    if len(groups) < LEAST_POSITIONS:
        raise ConfigError(
            f"of {len(groups) + unsorted + missed:,} positions, the search sorts no two moves in "
            f"{unsorted:,}, and not the move played in {missed:,}: {len(groups)} are left, and at "
            f"least {LEAST_POSITIONS} are needed"
        )
    whole = MoveSet(blocks, np.array(groups, np.int64))
    return whole, {"unsorted": unsorted, "missed": missed}
