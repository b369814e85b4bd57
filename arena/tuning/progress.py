"""The state of a study while its trials are played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from arena.match.record import summary
from arena.report.numbers import format_digits, format_estimate, format_number
from arena.report.outlook import LiveTable, Progress, View
from arena.tuning.report.search_faults import count_text, faulty_games
from arena.tuning.settings.conditions import AT
from arena.tuning.settings.config import TuningConfig
from arena.tuning.trials import Told

DIGITS = 4
"""Significant digits of a parameter on the screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyProgress(Progress):
    """The state of a study."""

    config: TuningConfig
    told: Sequence[Told]
    ended: Sequence[Told] = ()  # Those of the trials that have ended with the game
    sides: Mapping[str, str] = field(default_factory=dict)
    """The sides of the game's trial, such as `plus`, by the names of its points."""

    def view(self) -> View:
        """The centre of the last trial, beside the default."""
        last = self.told[-1] if self.told else None
        rows = [
            (name, _short_text(value), _short_text(last.trial.centre[name] if last else value))
            for name, value in self.config.space.default.items()
        ]
        elo = format_estimate(last.estimate, last.is_doubtful) if last else ""
        table = LiveTable(("parameter", "default", "now"), [*rows, ("Elo", "0", elo)])
        faults = f", {count_text(self.told)}" if faulty_games(self.told) else ""
        return View([f"Trial {len(self.told)}{faults}", table])

    @property
    def last_game(self) -> str:
        """The game between the sides of its trial: names of points are long."""
        if not self.record:
            return ""
        first, second = map(self._side, (self.record.first, self.record.second))
        return summary(replace(self.record, first=first, second=second))

    @property
    def lines(self) -> Sequence[str]:
        """The trials that have just ended."""
        return list(map(trial_text, self.ended))

    def _side(self, name: str) -> str:
        """The side of a point with the condition in its name; other players have their own
        names."""
        point, at, label = name.partition(AT)
        return f"{self.sides.get(point, point)}{at}{label}"


StudyWatcher = Callable[[StudyProgress], None]


def trial_text(told: Told) -> str:
    """A trial in one line."""
    points = " ".join(f"{name}={_short_text(value)}" for name, value in told.trial.centre.items())
    elo = format_estimate(told.estimate, told.is_doubtful)
    faults = "" if told.copy_of is None else f", the games of trial {told.copy_of + 1}"
    if told.faulty_games:
        faults = f", {told.faulty_games} of {told.games} games ended by faults"
    return f"trial {told.trial.number + 1}: {elo} Elo at {points}{faults}"


def _short_text(value: object) -> str:
    """A parameter's value where there is little room."""
    return format_digits(value, DIGITS) if isinstance(value, float) else format_number(value)
