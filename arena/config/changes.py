"""The changes of a config between two runs on which games depend."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from arena.config.settings import from_data, one_named, terms_data, terms_from_data
from arena.errors import LONGEST_WORDS
from arena.match.terms import FREE
from arena.plugins.build import free_parameters

LONGEST_VALUE = 60
"""Characters of each value of a change."""


def changes(
    before: Mapping[str, Any], after: Mapping[str, Any], played: Collection[str]
) -> Iterator[str]:
    """Changes that would make games of these players differ, each as `key: old -> new`.

    Openings, too, may only be added or left out: others in their place are another experiment.
    """
    yield from _terms_changes(before, after)
    yield from openings_changes(before, after)
    old = {entry["name"]: entry for entry in before["engines"] if entry["name"] in played}
    for entry in after["engines"]:
        name = entry["name"]
        if name in old:
            yield from value_changes(f"engines.{name}", decisive(old[name]), decisive(entry))


def openings_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """The changes of openings, unless some were only added, or left out."""
    old, new = before["openings"], after["openings"]
    if old == new:
        return
    old_starts, new_starts = (set(from_data(data).openings) for data in (before, after))
    if old_starts <= new_starts or new_starts <= old_starts:
        return
    if "list" in (*old, *new):
        both = f", {len(old_starts & new_starts)} of them in both"
        yield f"openings: {_openings_text(old)} -> {_openings_text(new)}{both}"
    else:
        yield from value_changes("openings", old, new)


def _openings_text(data: Mapping[str, Any]) -> str:
    """A source of openings, of a list only how many there are."""
    return f"a list of {len(data['list']):,}" if "list" in data else str(one_named(data))


def decisive(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A player without the parameters on which none of its games depends."""
    free = free_parameters(entry["engine"])
    return {key: value for key, value in entry.items() if key not in free}


def _terms_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    old, new = (terms_data(terms_from_data(data)) for data in (before, after))
    for key in new:
        if key not in FREE:
            yield from value_changes(key, old[key], new[key])


def value_changes(path: str, before: object, after: object) -> Iterator[str]:
    """The leaves that differ between two nested values; lists of named entries count as mappings.

    Their order counts, too.
    """
    old, new = by_name(before), by_name(after)
    if isinstance(old, Mapping) and isinstance(new, Mapping) and _in_same_order(old, new):
        for key in {**old, **new}:
            yield from value_changes(f"{path}.{key}", old.get(key), new.get(key))
    elif before != after:
        shown = (cut_short(value, LONGEST_VALUE) for value in (before, after))
        yield f"{path}: {' -> '.join(shown)}"


def by_name(value: object) -> object:
    """A list of entries that all have a name, by their names; anything else as it is."""
    if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
        names = [each.get("name") for each in value]
        if None not in names and len(set(names)) == len(names):
            return dict(zip(names, value, strict=True))
    return value


def _in_same_order(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> bool:
    """True if the keys that both have are in one order in both."""
    return [key for key in before if key in after] == [key for key in after if key in before]


def cut_short(value: object, most: int = LONGEST_WORDS) -> str:
    """A value in a message: the list of a run's openings may be very long."""
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}..."
