"""What a study's folder keeps of its search: each trial as it was asked, and what was found.

Tuners compute with floats, whose last bits differ between processors and versions of libraries, and
a last bit can become another point. So nothing that a game, a name or a seed hangs on is computed
again: it is stored before the first game, and read back.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import cache, partial
from math import isfinite
from pathlib import Path
from typing import Any

from arena.errors import ConfigError, Fault
from arena.match.game_row import GameRow
from arena.match.opening import fault_of
from arena.plugins.load import load_game
from arena.plugins.parameters import adapter
from arena.storage.database import Store
from arena.tuning.method import Advice, Forecast, Trial
from arena.tuning.settings.conditions import AT
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import PROPOSED_DIGITS, point_faults
from arena.tuning.trials import KeptTrial, point_name, point_named, round_of_trial

DIGITS, FOUND = "digits", "found"  # Names of what is kept beside the trials
_parser = cache(adapter)


@dataclass(frozen=True, slots=True)
class Found:
    """What a study has found, once all its trials are told."""

    advice: tuple[Advice, ...]
    forecast: Forecast | None = None


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """A search as far as its folder keeps it."""

    rows: Sequence[GameRow] = ()
    names: Mapping[int, set[str]] = field(default_factory=dict)
    """The names of the points that have games, by the rounds of these."""
    trials: Mapping[int, KeptTrial] = field(default_factory=dict)  # By their numbers
    digits: int | None = None
    """Significant digits of the numbers that its method proposes; 0 for all that there are. None
    before it was begun, or where games were played before trials were kept."""
    found: Found | None = None

    @property
    def proposed_digits(self) -> int:
        """The digits of proposed values; a search that began with all of them keeps all."""
        if self.digits is not None:
            return self.digits
        return 0 if self.rows else PROPOSED_DIGITS

    @property
    def must_ask(self) -> bool:
        """True if nothing but the method itself tells what the trials were."""
        return bool(self.rows) and not self.trials


def begin_search(store: Store, search: KeptSearch, played: Sequence[KeptTrial]) -> KeptSearch:
    trials = {**search.trials, **{kept.trial.number: kept for kept in played}}
    digits = search.proposed_digits
    store.keep_search({DIGITS: json.dumps(digits)}, map(_asked_row, trials.values()))
    return replace(search, trials=trials, digits=digits)


def keep_trial(store: Store, kept: KeptTrial) -> None:
    """Keep a trial, before its first game; and once it is told, its end."""
    store.keep_search({}, [_asked_row(kept)])


def keep_found(store: Store, found: Found) -> None:
    store.keep_search({FOUND: json.dumps(asdict(found))})


def _asked_row(kept: KeptTrial) -> tuple[int, str]:
    return round_of_trial(kept.trial), json.dumps(asdict(kept))


def kept_search(config: TuningConfig, store: Store) -> KeptSearch:
    """The search that a database keeps. ValueError if another program has changed it."""
    facts = {name: _parsed_json(text) for name, text in store.search_facts().items()}
    found = _parser(Found).validate_python(facts[FOUND]) if facts.get(FOUND) else None
    digits = _parser(int | None).validate_python(facts.get(DIGITS), strict=True)
    rows, rounds = store.game_rows(), store.rounds()
    names = _names_by_round(config, rows, rounds)
    if digits is None and not config.compares:
        trials = {}
        for round, (name,) in names.items():
            point = point_named(name)
            trials[round - 1] = KeptTrial(Trial(round - 1, point, (point,)), ())
    else:
        asked = store.asked_trials()
        fault = cache(partial(fault_of, load_game(config.terms.game)))
        trials = {round - 1: _kept_trial(config, fault, round, text) for round, text in asked}
    if found:
        _check_found(config, found)
    return KeptSearch(rows, names, trials, digits, found)


def check_played(folder: Path, search: KeptSearch, asked: Sequence[Trial] = ()) -> None:
    """Raise ConfigError if games were played at other points than were asked for in their round."""
    trials = [*asked, *(kept.trial for kept in search.trials.values())]
    points = {round_of_trial(trial): set(map(point_name, trial.points)) for trial in trials}
    lost = [
        round for round, played in search.names.items() if not played <= points.get(round, set())
    ]
    if not lost:
        return
    if search.must_ask:
        message = (
            f"its trials cannot be found again, such as trial {min(lost)}: they were played before "
            "gomoku-arena stored them, and another processor, or another version of numpy, asks "
            "for other points. Go on with it where it was played, or begin anew under another name"
        )
    else:
        message = f"has games of trial {min(lost)} at points that were never asked for"
    raise ConfigError(Fault(str(folder), message))


def _names_by_round(
    config: TuningConfig, rows: Sequence[GameRow], rounds: Sequence[int]
) -> dict[int, set[str]]:
    rivals = {player.name for player in config.players}
    names = defaultdict[int, set[str]](set)
    for row, round in zip(rows, rounds, strict=False):  # a game may have come in between
        for name in row.result[:2]:
            point = name.rpartition(AT)[0] if config.varied else name
            if point not in rivals:
                names[round].add(point)
    return dict(names)


def _kept_trial(
    config: TuningConfig, opening_fault: Callable[[str], object], round: int, text: str
) -> KeptTrial:
    """The trial whose games have this round. ValueError if it could not have been asked for."""
    kept: KeptTrial = _parser(KeptTrial).validate_python(_parsed_json(text))
    trial, place = kept.trial, f"the trial of round {round}"
    if trial.number != round - 1 or len(trial.points) != 1 + config.compares:
        raise ValueError(f"{place} has another number, or other points")
    for point in trial.points:
        _check_values(config, point, place)
    numbers = [*trial.centre.values(), *(x for note in trial.note.values() for x in note)]
    is_complete = trial.centre.keys() == config.space.default.keys()
    if not is_complete or not all(map(_is_plain, numbers)):
        raise ValueError(f"{place} has a centre, or notes, that are no numbers")
    if any(len(note) not in (0, len(config.space.axes)) for note in trial.note.values()):
        raise ValueError(f"{place} has notes of another space")
    for label, opening in kept.starts:
        if label not in config.labels or opening_fault(opening):
            raise ValueError(f"{place} has other conditions or openings")
    if kept.copy_of is not None and not 0 <= kept.copy_of < trial.number:
        raise ValueError(f"{place} is a copy of a trial that was not before")
    if kept.end and not 0 <= kept.end.openings <= len(kept.starts):
        raise ValueError(f"{place} has more openings than it was given")
    return kept


def _check_found(config: TuningConfig, found: Found) -> None:
    _check_values(config, {each.name: each.value for each in found.advice}, "what was found")
    for each in found.advice:
        flat, spread = (each.flat_low, each.flat_high), (each.spread_low, each.spread_high)
        ends = (each.low, each.high), flat, spread
        if not all(map(_is_plain, astuple(each))) or any(pair.count(None) == 1 for pair in ends):
            raise ValueError(f"what was found of {each.name} has no such numbers")


def _check_values(config: TuningConfig, values: Mapping[str, Any], place: str) -> None:
    if list(values) != list(config.space.default):
        raise ValueError(f"{place} has other parameters than the study")
    for name, message in point_faults(config.space, values):
        raise ValueError(f"{place}: {name}: {message}")


def _is_plain(value: object) -> bool:
    return not isinstance(value, float) or isfinite(value)


def _parsed_json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("a text is nested too deeply") from None
