"""The state of a tournament at play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.format import Row
from arena.match.record import GameRecord
from arena.report.standings import Tally


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The state of a run, which `watch` is told before the first game and after each."""

    tally: Tally
    total: int | None
    """Games at most; None where results decide that."""
    record: GameRecord | None
    matches: Callable[[], list[Row]]
    """The matches that the format decides, as they stand: see `arena.format`."""
    notes: Sequence[str] = ()
    """Sentences to be read before the first game."""
    machines: Callable[[], list[str]] = list
    """A line for each machine beside this one."""


RunWatcher = Callable[[RunProgress], None]
