"""The code behind a run's games: a digest of each file of its engines, and changes since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from arena.plugins.engine_facts import program_files
from arena.plugins.load import files_of
from arena.plugins.source_files import ENGINES, digest_in, digest_of
from arena.plugins.source_tree import KEPT_SOURCES

FILES = "files"
"""Key of a player's entry: the digests of its engine's files."""
CODE = "code"
"""Key of the facts: a row for each time that code changed between games, or may have."""
BEFORE = "before"
"""Key of such a row: the digests of the files before."""

PROGRAM_NAMES = "programs"
"""Key of the facts: the words of each player's program on itself, where it has some."""

Entry = Mapping[str, Any]
"""A player as its folder keeps it."""


def with_digests(entry: Entry) -> dict[str, Any]:
    """A player with the digests of its engine's files."""
    engine = entry["engine"]
    files = {name: _played_digest_of(file) for name, file in files_of(engine).items()}
    programs = {str(file): digest_of(file) for file in program_files(engine, entry)}
    return {**entry, FILES: files | programs}


def _played_digest_of(file: Path) -> str:
    """The digest of a file as it is imported where games are played."""
    if file.is_relative_to(ENGINES):
        return first_digest_of(file)  # ours are imported once by a process
    kept = KEPT_SOURCES.get(str(file))
    return digest_in(kept.text) if kept else digest_of(file)


@lru_cache(maxsize=4096)
def first_digest_of(file: Path) -> str:
    """The digest of a file as this process first saw it."""
    return digest_of(file)


def without_digests(entry: Entry) -> dict[str, Any]:
    """A player as it stands in the YAML."""
    return {key: value for key, value in entry.items() if key != FILES}


def bare_entries(entries: object) -> object:
    """The players as they stand in the YAML; a file edited by hand may have anything there."""
    return list(map(without_digests, entries)) if isinstance(entries, list) else entries


def code_changes(
    before: Sequence[Entry], after: Sequence[Entry], games: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    """A row for each player whose code is not what played its games.

    `games` is the number of games that each player has played.
    """
    kept = {entry["name"]: entry for entry in before if games.get(entry["name"])}
    for new in after:
        name = new["name"]
        if name in kept and (files := changed_files(kept[name], new)):
            yield {"player": name, "files": files, "games": games[name], BEFORE: kept[name][FILES]}


def without_unplayed(
    entries: Sequence[Entry],
    after: Sequence[Entry],
    rows: Sequence[dict[str, Any]],
    games: Mapping[str, int],
) -> tuple[list[Entry], list[dict[str, Any]]]:
    """The players and rows without changes that no game has followed, where code changes again."""
    wanted = {entry["name"]: entry[FILES] for entry in after}
    edited = {each["name"] for each in entries if each[FILES] != wanted.get(each["name"])}
    played: list[dict[str, Any]] = []
    before: dict[str, object] = {}
    for row in rows:
        name = row["player"]
        if name in edited and row["games"] == games.get(name):
            before.setdefault(name, row[BEFORE])
        else:
            played.append(row)
    names = before.keys()
    return [
        {**each, FILES: before[each["name"]]} if each["name"] in names else each for each in entries
    ], played


def changed_files(before: Entry, after: Entry) -> list[str]:
    """The files that differ between two entries of a player."""
    old, new = before[FILES], after[FILES]
    return sorted(file for file in {**old, **new} if old.get(file) != new.get(file))


def change_text(row: Mapping[str, Any]) -> str:
    """The reason why games are not played on, for one row of code that changed."""
    return (
        f"the code of {row['player']} changed after {row['games']} of its games: "
        f"{', '.join(row['files'])}"
    )


def code_notes(facts: Mapping[str, Any]) -> Iterator[str]:
    """Sentences for readers of a report: programs in their own words, and code that changed."""
    for player, about in facts.get(PROGRAM_NAMES, {}).items():
        yield f"{player} is a program that calls itself {about}."
    for row in facts.get(CODE, []):
        yield (
            f"The code of {row['player']} changed after {row['games']} of its games, and those "
            f"before and after count alike: {', '.join(row['files'])}."
        )
