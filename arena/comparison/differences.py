"""The settings in which two runs differ, key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from arena.config.changes import by_name, cut_short
from arena.ratings.rating_list import version_mark
from arena.storage.sources import FILES, changed_files, without_digests

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

Entries = Mapping[str, Mapping[str, Any]]
"""Players by name, as a run's folder keeps them: with the digests of their code if known."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A key whose values differ."""

    key: str
    """Such as `limit.nodes`."""
    before: str
    """The value of the first of both; a dash where it has none."""
    after: str


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
    players = _leaves(PLAYERS, *map(_bare, both))
    return [*_leaves("", *rest), *players, *_code_differences(*both)]


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
    """Its name, with its parameters."""
    ((name, own),) = value.items()
    return f"{name} ({_setting_text(own)})" if own else name


def _setting_text(value: object) -> str:
    """A value as its YAML would have it, cut short."""
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
            yield Difference(f"{PLAYERS}.{name}: code ({told})", *marks)


def differences_told(found: list[Difference]) -> str:
    """A clause on what differs: the first few keys with their values."""
    if not found:
        return "nothing differs in the config"
    told = ", ".join(map(_difference_told, found[:SOME_KEYS]))
    more = len(found) - SOME_KEYS
    return f"they differ in {told}{f' and {more} more' if more > 0 else ''}"


def _difference_told(found: Difference) -> str:
    """A key with both values, if they are short."""
    values = f"{found.before} -> {found.after}"
    return f"{found.key} ({values})" if len(values) <= MOST_TOLD else found.key
