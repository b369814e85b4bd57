"""Two runs side by side: the settings that differ, and how much Elo changed."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isinf
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeGuard

from arena.config.settings import by_name, cut_short
from arena.errors import ConfigError
from arena.ratings.rating_list import version_mark
from arena.report.numbers import with_short_numbers
from arena.report.run_answer import point_names
from arena.report.verdict import Conclusion, PlayedRuns, verdict_of
from arena.stats.davidson import Points
from arena.stats.elo import TAIL
from arena.stats.leads import (
    UNKNOWN,
    Estimate,
    FaultViews,
    as_marked,
    change,
    estimate,
    is_beyond_chance,
    joined_looks,
)
from arena.stats.ratings import Rating, rate
from arena.stats.rounding import rounded
from arena.storage.database import Store
from arena.storage.folder import CONFIG, as_config_error, kept_kind, path_text, read_store
from arena.storage.history import FILES, changed_files, without_digests
from arena.tournament.run import PathLike, Run, config_data, open_run, played_of
from arena.tuning.proof.verification import NAME as TEST


@dataclass(frozen=True)
class ComparedRun:
    """A run as it is compared."""

    label: str
    settings: Mapping[str, Any]
    played: PlayedRuns
    verdict: Conclusion


@dataclass(frozen=True)
class Comparison:
    """Two runs."""

    before: ComparedRun
    after: ComparedRun

    @cached_property
    def differences(self) -> list[Difference]:
        return differences(self.before.settings, self.after.settings)

    @cached_property
    def shown_differences(self) -> list[Difference]:
        """The same for people, with points as boards name them."""
        before, after = (
            _with_points(run.settings, point_names([run.played.extras.runs[0].game]))
            for run in (self.before, self.after)
        )
        return differences(before, after)

    @cached_property
    def common(self) -> list[str]:
        before, after = self.before.played.tally.names, self.after.played.tally.names
        return [name for name in before if name in after]

    @cached_property
    def games_among(self) -> tuple[Counter[str], Counter[str]]:
        common, both = set(self.common), (Counter[str](), Counter[str]())
        for run, counts in zip((self.before, self.after), both, strict=True):
            for (first, second, _, _), games in run.played.tally.evidence.items():
                if first in common and second in common:
                    counts.update({first: games, second: games})
        return both

    @cached_property
    def leads(self) -> list[Lead]:
        runs = self.before.played, self.after.played
        before, after = (each.tally for each in runs)
        looks = joined_looks(each.looks for each in runs)
        looks = replace(looks, earlier=looks.earlier - 1)  # one question is asked of both
        counts = [each.evidence_of(self.common) for each in (before, after)]
        openings, faulty = min(n for n, _ in counts), max(share for _, share in counts)
        tail = looks.tail(openings, faulty)
        return leads(self.common, before.evidence_views, after.evidence_views, tail)

    @property
    def is_over(self) -> bool:
        return self.before.played.is_over and self.after.played.is_over

    @cached_property
    def sure(self) -> list[Lead]:
        """The players that changed more than chance explains, by gains that no faults carry."""
        return [each for each in self.leads if each.is_sure and not each.gain.doubtful]


def compare(before: PathLike, after: PathLike, *, results: PathLike = "results") -> Comparison:
    """Two runs, by their folders or names; no engine is imported.

    Raises ConfigError if there is no such folder, and for studies and fits.
    """
    _check_kinds([path_text(Path(each)) for each in (before, after)], results)
    runs = [open_run(each, results=results) for each in (before, after)]
    return Comparison(*map(_compared_run, runs, _labels([run.folder for run in runs])))


def _check_kinds(names: list[str], results: PathLike) -> None:
    kinds = {name: kept_kind(name, results) for name in names}
    if tuned := [name for name, kind in kinds.items() if not kind.COMBINES]:
        tests = " and ".join(f"{name}/{TEST}" for name in tuned)
        reports = " and ".join(f"`arena report {name}`" for name in tuned)
        raise ConfigError(
            "only runs can be compared, but the test of a study or a fit is a run: take "
            f"{tests}, and see what was found with {reports}"
        )


def _labels(folders: list[Path]) -> list[str]:
    """The names of both folders; with the folders around them, if these names are equal."""
    places = [folder.resolve() for folder in folders]
    if len({place.name for place in places}) > 1:
        return [path_text(Path(place.name)) for place in places]
    around = os.path.commonpath([place.parent for place in places])
    return [path_text(place.relative_to(around)) for place in places]


def _compared_run(run: Run, label: str) -> ComparedRun:
    games, extras = run.evidence()
    played = played_of(run, games, extras)
    data = config_data(run.folder, run.config)
    with as_config_error(run.folder / CONFIG):
        settings = settings_of(data, read_store(run.folder, Store.facts) or {})
    return ComparedRun(label, settings, played, verdict_of(played))


@dataclass(frozen=True, slots=True)
class Lead:
    """A player's Elo over the other players of both runs, by the games among them."""

    name: str
    field: tuple[str, ...]  # The players whose mean is the zero of its Elo, in both runs
    before: Estimate
    after: Estimate
    gain: Estimate
    is_sure: bool  # True if the gain is hardly chance, of as many players as there are


NO_LEAD = Lead("", (), UNKNOWN, UNKNOWN, UNKNOWN, is_sure=False)


def leads(
    names: Sequence[str], before: FaultViews[Points], after: FaultViews[Points], tail: float = TAIL
) -> list[Lead]:
    """Most gain first; a claim may be wrong by the chance `tail` on either side."""
    played = _leads(names, before.played, after.played, tail)
    if all(each.without is each.played is each.drawn for each in (before, after)):
        return played
    rows = FaultViews(
        played,
        _leads(names, before.without, after.without, tail),
        _leads(names, before.drawn, after.drawn, tail),
    )
    views = rows.map(lambda view: {each.name: each for each in view})

    def marked(row: Lead) -> Lead:
        leads = views.map(lambda view: view.get(row.name, NO_LEAD))
        before, after, gain = (
            as_marked(leads.map(attrgetter(name))) for name in ("before", "after", "gain")
        )
        if row.is_sure and not all(each.is_sure for each in leads):
            gain = gain._replace(doubtful=True)
        return replace(row, before=before, after=after, gain=gain)

    return list(map(marked, played))


def _leads(names: Sequence[str], before: Points, after: Points, tail: float) -> list[Lead]:
    # In both runs a player is rated over the mean of the same others: those that can be compared
    # with it in both, and neither won nor lost everything there.
    among = [
        {key: games for key, games in points.items() if key[0] in names and key[1] in names}
        for points in (before, after)
    ]
    fields = _fields_of(names, *(_rated(names, points) for points in among))
    ratings = [_rated(names, points, fields) for points in among]
    gains = {}
    for name in fields:
        one, other = (estimate(run[name].elo, run[name].low, run[name].high) for run in ratings)
        gains[name] = one, other, change(one, other)
    # Of two players, what the one gained the other lost: that is one question.
    asked = len(gains) - (len(gains) == 2)
    rows = [
        Lead(name, fields[name], *gain, is_sure=is_beyond_chance(gain[2], asked, tail))
        for name, gain in gains.items()
    ]
    rows.sort(key=lambda row: (isinf(row.gain.high - row.gain.low), -rounded(row.gain.elo)))
    return rows


def _rated(
    names: Sequence[str], points: Points, fields: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Rating]:
    players = rate(names, points, over=fields).players if points else ()
    return {each.name: each for each in players}


def _fields_of(
    names: Sequence[str], before: Mapping[str, Rating], after: Mapping[str, Rating]
) -> dict[str, tuple[str, ...]]:
    """For each player the others that its Elo can be told over in both runs, if there are any."""
    groups: dict[tuple[int, int], list[str]] = defaultdict(list)
    if not before or not after:
        return {}
    for name in names:
        groups[before[name].group, after[name].group].append(name)
    fields = {}
    for group in groups.values():
        firm = [name for name in group if _is_known(before[name]) and _is_known(after[name])]
        for name in group:
            if others := tuple(each for each in firm if each != name):
                fields[name] = others
    return fields


def _is_known(rating: Rating) -> bool:
    elo = estimate(rating.elo, rating.low, rating.high)
    return not isinf(elo.high - elo.low)


UNSET = "-"  # The text of a key that one of both does not have
PLAYERS = "engines"
OWN_KEYS = ("name", "kind", "date")  # Keys that tell two folders apart, not what was played in them
SOME_FILES = 3  # Files that are named where code differs
SOME_KEYS = 3  # Keys that the sentence on all differences names
MOST_TOLD = 40  # Characters of the values of a key that it tells
MOST_SHOWN = 60  # Characters of a value in a table for people

Entries = Mapping[str, Mapping[str, Any]]  # Players by name as a folder keeps them, with digests


@dataclass(frozen=True, slots=True)
class Difference:
    """A key whose values differ."""

    key: str  # Such as `limit.nodes`
    before: str  # The value of the first of both; a dash where it has none
    after: str
    player: str = ""  # The player whose setting it is, if it is one's

    @property
    def what(self) -> str:
        """The key in words: `balance-d6: depth`; of a player that one run has not, its name."""
        if not self.player:
            return self.key
        setting = self.key.removeprefix(f"{PLAYERS}.{self.player}").lstrip(":. ")
        return f"{self.player}: {setting}" if setting else self.player

    @property
    def told(self) -> str:
        if self.what == self.player:
            return f"{self.player} is {'new' if self.before == UNSET else 'gone'}"
        before, after = (each if each != UNSET else "not set" for each in self._short_values)
        if len(before + after) > MOST_TOLD:
            return self.what
        return f"{self.what}{'' if self.player else ':'} {before}, now {after}"

    @property
    def _short_values(self) -> tuple[str, str]:
        before, after = map(with_short_numbers, (self.before, self.after))
        return (before, after) if before != after else (self.before, self.after)

    @property
    def shown(self) -> tuple[str, str, str]:
        before, after = (cut_short(each, MOST_SHOWN) for each in self._short_values)
        return self.what, before, after


def settings_of(data: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    noted = {entry["name"]: entry for entry in facts.get(PLAYERS, [])}
    entries = {entry["name"]: noted.get(entry["name"], entry) for entry in data[PLAYERS]}
    settings = {name: value for name, value in data.items() if name not in OWN_KEYS}
    return {**settings, PLAYERS: entries}


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    both = before[PLAYERS], after[PLAYERS]
    rest = [{**each, PLAYERS: None} for each in (before, after)]
    old, new = ({name: _bare(entry) for name, entry in each.items()} for each in both)
    players = [
        replace(each, player=name)
        for name in {**old, **new}
        for each in _leaves(f"{PLAYERS}.{name}", old.get(name), new.get(name))
    ]
    return [*_leaves("", *rest), *players, *_code_differences(*both)]


def _with_points(settings: Mapping[str, Any], names: Callable[[str], str]) -> dict[str, Any]:
    """The settings with the moves of listed openings as `names` writes them."""
    openings = settings.get("openings")  # imported games have none
    if not isinstance(openings, Mapping) or not isinstance(openings.get("list"), list):
        return dict(settings)
    return {**settings, "openings": {"list": [names(str(each)) for each in openings["list"]]}}


def _bare(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in without_digests(entry).items() if key != "name"}


def _leaves(path: str, before: object, after: object) -> Iterator[Difference]:
    """The leaves that differ between two nested values; lists of named entries are mappings."""
    old, new = by_name(before), by_name(after)
    if _is_one_of_kind(old) and _is_one_of_kind(new) and {*old} != {*new}:
        yield Difference(path, _choice_text(old), _choice_text(new))
    elif isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in {**old, **new}:
            inner = f"{path}.{key}" if path else str(key)
            yield from _leaves(inner, old.get(key), new.get(key))
    elif old != new:
        yield Difference(path, _setting_text(old), _setting_text(new))


def _is_one_of_kind(value: object) -> TypeGuard[Mapping[str, Mapping[str, Any]]]:
    """True for a format, game or source of openings, which has its name as its key."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return False
    (parameters,) = value.values()
    return isinstance(parameters, Mapping)


def _choice_text(value: Mapping[str, Mapping[str, Any]]) -> str:
    ((name, own),) = value.items()
    return f"{name} ({_setting_text(own)})" if own else name


def _setting_text(value: object) -> str:
    if value is None:
        return UNSET
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        given = {k: v for k, v in value.items() if v not in (None, "")}
        return cut_short(", ".join(f"{key}: {_setting_text(each)}" for key, each in given.items()))
    if isinstance(value, list):
        some = ", ".join(map(_setting_text, value))
        return f"{len(value):,} entries: {cut_short(some)}" if len(value) > 1 else cut_short(some)
    return cut_short(value)


def _code_differences(before: Entries, after: Entries) -> Iterator[Difference]:
    for name in before:
        both = before[name], after.get(name, {})
        if not all(entry.get(FILES) for entry in both):
            continue
        if files := changed_files(*both):
            some = ", ".join([*files[:SOME_FILES], *(["..."] if len(files) > SOME_FILES else [])])
            old, new = (version_mark(sorted(map(str, entry[FILES].values()))) for entry in both)
            yield Difference(f"{PLAYERS}.{name}: code ({some})", old, new, name)


def differences_told(rows: list[Difference]) -> str:
    if not rows:
        return "Nothing differs in the config"
    return f"What differs: {_some_told(sorted(rows, key=lambda each: not each.player))}"


def namesakes_told(rows: list[Difference], common: Collection[str]) -> list[str]:
    own = [each for each in rows if each.player in common]
    if not own:
        return []
    return [f"Players are matched by name, but some differ between the runs: {_some_told(own)}."]


def _some_told(rows: list[Difference]) -> str:
    texts = [each.told for each in rows[:SOME_KEYS]]
    if len(rows) > SOME_KEYS:
        texts.append(f"and {len(rows) - SOME_KEYS} more")
    return "; ".join(texts)
