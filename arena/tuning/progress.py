"""The state of a study at play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.match.record import GameRecord
from arena.tuning.settings.config import TuningConfig
from arena.tuning.trials import Told


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """The state of a study, which `watch` is told before the first game and after each."""

    config: TuningConfig
    told: Sequence[Told]
    games: int
    """Played so far, of those of the budget."""
    record: GameRecord | None
    machines: Callable[[], list[str]] = list
    """A line for each machine beside this one."""
    notes: Sequence[str] = ()
    """Sentences to be read before the first game."""


StudyWatcher = Callable[[StudyProgress], None]
