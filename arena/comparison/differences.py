"""The settings in which two runs differ, key by key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from arena.config.settings import by_name, cut_short
from arena.ratings.rating_list import version_mark
from arena.report.numbers import with_short_numbers
from arena.storage.history import FILES, changed_files, without_digests

UNSET = "-"
"""The text of a key that one of both does not have."""
PLAYERS = "engines"
OWN_KEYS = ("name", "kind", "date")
"""Keys that tell two folders apart, not what was played in them."""
SOME_FILES = 3
"""Files that are named where code differs."""
SOME_KEYS = 3
"""Keys that the sentence on all differences names."""
MOST_TOLD = 40
"""Characters of the values of a key that it tells."""
MOST_SHOWN = 60
"""Characters of a value in a table for people."""

Entries = Mapping[str, Mapping[str, Any]]
"""Players by name, as a run's folder keeps them: with the digests of their code if known."""


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
        """The difference in words: `balance-d6: depth 6, now 4`; without its values if they are
        long."""
        if self.what == self.player:
            return f"{self.player} is {'new' if self.before == UNSET else 'gone'}"
        before, after = (each if each != UNSET else "not set" for each in self._short_values)
        if len(before + after) > MOST_TOLD:
            return self.what
        return f"{self.what}{'' if self.player else ':'} {before}, now {after}"

    @property
    def _short_values(self) -> tuple[str, str]:
        """Both values with fewer digits, if they still differ."""
        before, after = map(with_short_numbers, (self.before, self.after))
        return (before, after) if before != after else (self.before, self.after)

    @property
    def shown(self) -> tuple[str, str, str]:
        """What it is of, and its values, as people read them in a table."""
        before, after = (cut_short(each, MOST_SHOWN) for each in self._short_values)
        return self.what, before, after


def settings_of(data: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a config, with its players by name.

    The facts that its folder keeps tell the code of its players.
    """
    noted = {entry["name"]: entry for entry in facts.get(PLAYERS, [])}
    entries = {entry["name"]: noted.get(entry["name"], entry) for entry in data[PLAYERS]}
    settings = {name: value for name, value in data.items() if name not in OWN_KEYS}
    return {**settings, PLAYERS: entries}


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """All keys that differ between two configs' settings, then the players, and their code."""
    both = before[PLAYERS], after[PLAYERS]
    rest = [{**each, PLAYERS: None} for each in (before, after)]
    old, new = map(_bare, both)
    players = [
        replace(each, player=name)
        for name in {**old, **new}
        for each in _leaves(f"{PLAYERS}.{name}", old.get(name), new.get(name))
    ]
    return [*_leaves("", *rest), *players, *_code_differences(*both)]


def with_points(settings: Mapping[str, Any], names: Callable[[str], str]) -> dict[str, Any]:
    """The settings with the moves of listed openings as `names` writes them."""
    openings = settings.get("openings")  # imported games have none
    if not isinstance(openings, Mapping) or not isinstance(openings.get("list"), list):
        return dict(settings)
    return {**settings, "openings": {"list": [names(str(each)) for each in openings["list"]]}}


def _bare(entries: Entries) -> dict[str, dict[str, Any]]:
    """The players as they stand in the YAML, without their names."""
    plain = {name: without_digests(entry) for name, entry in entries.items()}
    return {name: {k: v for k, v in each.items() if k != "name"} for name, each in plain.items()}


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
    return isinstance(value, Mapping) and [isinstance(v, Mapping) for v in value.values()] == [True]


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
    """A row for each player of both whose code differs: the marks of `arena ratings`."""
    for name in before:
        both = before[name], after.get(name, {})
        if not all(entry.get(FILES) for entry in both):
            continue
        if files := changed_files(*both):
            more = ", ..." if len(files) > SOME_FILES else ""
            told = f"{', '.join(files[:SOME_FILES])}{more}"
            marks = [version_mark(sorted(map(str, entry[FILES].values()))) for entry in both]
            yield Difference(f"{PLAYERS}.{name}: code ({told})", marks[0], marks[1], name)


def differences_told(found: list[Difference]) -> str:
    """A sentence on what differs: the first few keys with their values, those of players first."""
    if not found:
        return "Nothing differs in the config"
    return f"What differs: {_some_told(sorted(found, key=lambda each: not each.player))}"


def namesakes_told(found: list[Difference], common: Collection[str]) -> list[str]:
    """A sentence on the players of both runs that differ between them, if there are any."""
    own = [each for each in found if each.player in common]
    told = f"Players are matched by name, but some differ between the runs: {_some_told(own)}."
    return [told] if own else []


def _some_told(found: list[Difference]) -> str:
    more = len(found) - SOME_KEYS
    return "; ".join(
        [*(each.told for each in found[:SOME_KEYS]), *([f"and {more} more"] if more > 0 else [])]
    )
