"""The part of a report that is only of a fit to results, or only of one to moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import pandas as pd

from arena.report.numbers import format_digits, format_share
from arena.report.table import Column, Table
from arena.tuning.fit.found_weights import FoundWeights
from arena.tuning.fit.move_fit import MoveFitResult
from arena.tuning.fit.report.fit_frames import format_error
from arena.tuning.fit.result_fit import FitResult
from arena.tuning.fit.softmax import FIRST

RANKS_TITLE = "Place of the move played in the sorting, of positions held out"
SAVED_TEXT = (
    "Before: of the positions held out. Saved: on openings that were neither fitted to nor ended "
    "the fit: those fitted, of which a part at a time was left out."
)
LINES_TEXT = (
    "Dashed: the loss of the positions fitted, and the default weights; full line: the loss of the "
    "positions held out, and the fitted weights. "
)


class Account(Protocol):
    """The part of a report that depends on what was fitted to."""

    @property
    def loss_text(self) -> str:
        """The meaning of the losses."""

    @property
    def charts_text(self) -> str:
        """The meaning of the charts."""

    def columns(self) -> Mapping[Column, float]:
        """Columns of the table of losses, with their values."""

    def ranks(self) -> Table | None:
        """The table of how often the move played is among the first, of a fit to moves."""

    def lead(self) -> Iterator[str]:
        """The sentence that says what came of the fit, before those on the proof."""

    def notes(self) -> Iterator[str]:
        """Sentences right after those on the proof."""

    def left(self) -> Iterator[str]:
        """The sentence on weights that stay as they are, after all others."""


@dataclass(frozen=True, slots=True)
class ResultAccount:
    """A fit to results of games."""

    result: FitResult
    loss_text: str = (
        "Mean cross entropy of expected and true results, in nats a position. "
        + SAVED_TEXT
        + " An expected result is 1 / (1 + exp(-K value - c)), where c is what it "
        "is worth to be on the move."
    )
    charts_text: str = LINES_TEXT + (
        "The fit is reliable where its line lies on the thin one: positions are won as often as is "
        "expected of them."
    )

    def columns(self) -> Mapping[Column, float]:
        """The scale."""
        error = Column("standard error of K", "", format_error)
        return {_column("K"): self.result.scale, error: self.result.scale_error}

    def ranks(self) -> None:
        """None."""

    def lead(self) -> Iterator[str]:
        """None: the verdict has the loss that is saved."""
        yield from ()

    def notes(self) -> Iterator[str]:
        """A sentence if the scale is a guess."""
        if self.result.is_scale_guessed:
            yield (
                "With the default weights, positions of higher value do not have better results: "
                "beside weights that are not fitted, the size of the fitted ones is a guess."
            )

    def left(self) -> Iterator[str]:
        """A sentence if there are weights that cannot be fitted."""
        if self.result.fixed:
            fixed = ", ".join(self.result.fixed)
            why = "they are choices or have one value, or the engine's value is not linear in them"
            yield f"Left as they are, since {why}: {fixed}."


@dataclass(frozen=True, slots=True)
class MoveAccount:
    """A fit to moves that were played."""

    result: MoveFitResult
    loss_text: str = (
        "Mean cross entropy of the moves played, in nats a position. "
        + SAVED_TEXT
        + " Of the moves that the search sorts in a position, each is expected with a "
        "chance that grows e times for each unit of its worth."
    )
    charts_text: str = LINES_TEXT + (
        "The sooner a search tries the move played, the better: the full line should be above the "
        "dashed one."
    )

    def columns(self) -> Mapping[Column, float]:
        """The unit."""
        return {_column("unit"): self.result.unit}

    def ranks(self) -> Table:
        """The shares of positions whose move played is among the first."""
        rows = [("before", *self.result.before), ("after", *self.result.after)]
        names = ["first", *(f"in the first {count}" for count in FIRST[1:])]
        columns = [Column("weights"), *(Column(name, name, format_share) for name in names)]
        frame = pd.DataFrame(rows, columns=["weights", *names])
        return Table(RANKS_TITLE, frame, columns)

    def lead(self) -> Iterator[str]:
        """The share of positions whose move played is sorted first, before and after."""
        before, after = format_share(self.result.before[0]), format_share(self.result.after[0])
        yield (
            f"Of the positions held out, the move played is first in the sorting in {before} "
            f"before the fit, in {after} after it."
        )

    def notes(self) -> Iterator[str]:
        """The positions that were left out, if any."""
        result = self.result
        every = result.positions + result.unsorted + result.missed
        reasons = (
            (result.unsorted, "fewer than two moves are sorted there"),
            (result.missed, "the move played is not among those sorted"),
        )
        told = [
            f"{count:,} ({format_share(count / every)}), since {why}"
            for count, why in reasons
            if count
        ]
        if told:
            yield f"Left out of {every:,} positions: {'; '.join(told)}."

    def left(self) -> Iterator[str]:
        """None."""
        yield from ()


def account_of(result: FoundWeights) -> Account:
    """The part of a report that depends on the target of this outcome."""
    if isinstance(result, MoveFitResult):
        return MoveAccount(result)
    assert isinstance(result, FitResult)
    return ResultAccount(result)


def _column(name: str) -> Column:
    """A column of numbers with four digits."""
    return Column(name, name, lambda value: format_digits(value, 4))
