"""The state of what is being played, as a watcher is told it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from arena.match.record import GameRecord, summary
from arena.report.planning.outlook import SprtProgress


class LiveTable(NamedTuple):
    """A table of texts."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    justify: Literal["left", "right"] = "right"  # The side of all columns but the first


class View(NamedTuple):
    """What a terminal shows above the bar of the games."""

    parts: Sequence[str | LiveTable]
    test: SprtProgress | None = None
    """The progress of one test: its bar goes from one bound to the other."""
    may_end_early: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(ABC):
    """The state of a run or a study, which `watch` is told before the first game and after each."""

    games: int  # Played so far
    total: int | None  # Games at most; None where results decide that
    record: GameRecord | None  # The game that has just ended; None before the first
    notes: Sequence[str] = ()  # Sentences to be read before the first game
    machines: Callable[[], list[str]] = list  # A line for each machine beside this one

    @abstractmethod
    def view(self) -> View:
        """What a terminal shows now."""

    @property
    def last_game(self) -> str:
        """The game that has just ended, in one line."""
        return summary(self.record) if self.record else ""

    @property
    def lines(self) -> Sequence[str]:
        """What has just ended, where there is no terminal."""
        return [self.last_game] if self.record else []
