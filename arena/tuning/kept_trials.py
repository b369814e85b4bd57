"""What a study's folder keeps of its search: each trial as it was asked, and what was found.

Tuners compute with floats, whose last bits differ between processors and versions of libraries, and
a last bit can become another point. So nothing that a game, a name or a seed hangs on is computed
again: it is stored before the first game, and read back.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from arena.errors import ConfigError, Fault
from arena.match.game_row import GameRow
from arena.plugins.load import parse_parameters
from arena.plugins.parameters import adapter
from arena.storage.database import Store
from arena.tuning.method import Advice, Forecast, Trial
from arena.tuning.settings.conditions import AT
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Values
from arena.tuning.trials import KeptTrial, point_name, round_of_trial

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found:
    """What a study has found, once all its trials are told."""

    advice: tuple[Advice, ...]
    forecast: Forecast | None = None


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """A search as far as its folder keeps it."""

    rows: Sequence[GameRow] = ()
    trials: Mapping[int, KeptTrial] = field(default_factory=dict)
    """By their numbers."""
    found: Found | None = None
    is_older: bool = False
    """True if games were played before trials were kept."""
    names: Mapping[int, set[str]] = field(default_factory=dict)
    """Where nothing else tells of the trials: the names of the points that have games, by the
    rounds of these."""


def keep_trial(store: Store, kept: KeptTrial) -> None:
    """Keep a trial, before its first game; and once it is told, its end."""
    store.keep_asked(round_of_trial(kept.trial), json.dumps(asdict(kept)))


def keep_found(store: Store, found: Found) -> None:
    """Keep what a study has found."""
    store.keep_found(json.dumps(asdict(found)))


def kept_search(config: TuningConfig, store: Store) -> KeptSearch:
    """The search that a database keeps. ValueError if another program has changed it."""
    rows, found = store.game_rows(), store.found()
    trials = _parsed(list[KeptTrial], f"[{','.join(store.asked_trials())}]")
    parameters = list(config.space.default)
    if any(list(point) != parameters for each in trials for point in each.trial.points):
        raise ValueError(f"a trial has other parameters than {', '.join(parameters)}")
    if rows and not trials:
        return _older_search(config, rows, store.rounds())
    by_number = {each.trial.number: each for each in trials}
    return KeptSearch(rows, by_number, _parsed(Found, found) if found else None)


def _older_search(
    config: TuningConfig, rows: Sequence[GameRow], rounds: Sequence[int]
) -> KeptSearch:
    """A search that was played before trials were kept.

    The points of trials that are measured alone are spelt by the names of their games' players.
    """
    rivals = {player.name for player in config.players}
    names = defaultdict[int, set[str]](set)
    for row, round in zip(rows, rounds, strict=False):  # a game may have come in between
        for name in row.result[:2]:
            point = name.rpartition(AT)[0] if config.varied else name
            if point not in rivals:
                names[round].add(point)
    if config.compares:
        return KeptSearch(rows, is_older=True, names=names)
    points = {round - 1: point_named(name) for round, (name,) in names.items()}
    trials = {at: KeptTrial(Trial(at, point, (point,)), ()) for at, point in points.items()}
    return KeptSearch(rows, trials, is_older=True)


def check_found_again(folder: Path, asked: Sequence[Trial], names: Mapping[int, set[str]]) -> None:
    """Raise ConfigError if games were played at other points than the tuner asks for now."""
    points = {round_of_trial(trial): set(map(point_name, trial.points)) for trial in asked}
    lost = [round for round, played in names.items() if not played <= points.get(round, set())]
    if lost:
        message = (
            f"its trials cannot be found again, such as trial {min(lost)}: they were played before "
            "gomoku-arena stored them, and another processor, or another version of numpy, asks "
            "for other points. Go on with it where it was played, or begin anew under another name"
        )
        raise ConfigError(Fault(str(folder), message))


def point_named(name: str) -> Values:
    """The point whose values a name spells: see `point_name`."""
    return cast(Values, parse_parameters(name))


def _parsed(kind: type[T], text: str) -> T:
    """A value of this kind as its text keeps it. ValueError if it keeps none."""
    try:
        return cast(T, adapter(kind).validate_python(json.loads(text)))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
