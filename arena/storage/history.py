"""The history of a run: when it was played and on which machine, and the code that played."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from arena.engine import Limit
from arena.plugins.build import program_files
from arena.plugins.load import files_of
from arena.plugins.source_files import ENGINES, KEPT_SOURCES, digest_in, digest_of

OVERLOAD = 2  # Processes a core above which players with limits of time are likely to be late
PERIOD = 10
"""Seconds between two times that a session is kept: a kill takes the machine's load since."""


@dataclass(frozen=True, slots=True)
class Session:
    began: float  # Seconds since 1970
    ended: float
    workers: int
    cores: int
    least_load: float
    """Processes that were running or ready to, the workers among them; a mean of a minute."""
    most_load: float


class Recorder:
    """Holds the session that is going on, and has it kept from time to time."""

    def __init__(self, workers: int, keep: Callable[[Session], None]) -> None:
        now, load = time.time(), os.getloadavg()[0]
        self._session = Session(now, now, workers, cores(), load, load)
        self._keep = keep
        self._kept: float | None = None

    def look(self) -> None:
        """Look at the machine after a game; keep what was seen, unless that was done just now."""
        if self._kept is None or time.monotonic() - self._kept >= PERIOD:
            self._keep_now()

    def close(self) -> None:
        if self._kept is not None:
            self._keep_now()

    def _keep_now(self) -> None:
        self._kept = time.monotonic()
        load, before = os.getloadavg()[0], self._session
        self._session = replace(
            before,
            ended=time.time(),
            least_load=min(load, before.least_load),
            most_load=max(load, before.most_load),
        )
        self._keep(self._session)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load_of(sessions: Iterable[Session]) -> float:
    """The most load for each core; 0 if it is not known."""
    return max((each.most_load / each.cores for each in sessions), default=0.0)


def overload_notes(limits: Iterable[Limit]) -> Iterator[str]:
    """A warning before games with limits of time on a machine that is busy with something else."""
    load, count = os.getloadavg()[0], cores()
    if load > OVERLOAD * count and any(limit.is_timed for limit in limits):
        yield (
            f"The machine is busy: a load of {load:.0f} on {count} cores. Players may lose games on"
            " time that they would not lose on a quiet one."
        )


def _busy_text(sessions: list[Session]) -> str:
    counts = sorted({session.workers for session in sessions})
    workers = f"{' and '.join(map(str, counts))} {'worker' if counts == [1] else 'workers'}"
    least = min(session.least_load for session in sessions)
    most = max(session.most_load for session in sessions)
    return f"{workers} on {sessions[-1].cores} cores, load average {least:.1f} to {most:.1f}"


def notes_of(limits: Iterable[Limit], sessions: Sequence[Session]) -> Iterator[str]:
    """A sentence for readers of a report on limits of time: no game need come out the same."""
    if any(limit.is_timed for limit in limits):
        load = f" ({_busy_text(list(sessions))})" if sessions else ""
        yield f"Time was limited, so that results depend on the machine and its load{load}."


FILES = "files"  # Key of a player's entry: the digests of its engine's files
CODE = "code"  # Key of the facts: a row for each time that code changed between games, or may have
BEFORE = "before"  # Key of such a row: the digests of the files before

PROGRAM_NAMES = "programs"
"""Key of the facts: the words of each player's program on itself, where it has some."""

Entry = Mapping[str, Any]  # A player as its folder keeps it


def with_digests(entry: Entry) -> dict[str, Any]:
    engine = entry["engine"]
    files = {name: _played_digest_of(file) for name, file in files_of(engine).items()}
    programs = {str(file): digest_of(file) for file in program_files(engine, entry)}
    return {**entry, FILES: files | programs}


def _played_digest_of(file: Path) -> str:
    """The digest of a file as it is imported where games are played."""
    if file.is_relative_to(ENGINES):
        return _first_digest_of(file)  # ours are imported once by a process
    kept = KEPT_SOURCES.get(str(file))
    return digest_in(kept.text) if kept else digest_of(file)


@lru_cache(maxsize=4096)
def _first_digest_of(file: Path) -> str:
    """The digest of a file as this process first saw it."""
    return digest_of(file)


def without_digests(entry: Entry) -> dict[str, Any]:
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
