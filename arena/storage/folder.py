"""The folder of a run or study: its files, lock, config and plans; if it is at play, its boards."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, fields
from functools import partial
from hashlib import blake2b
from itertools import combinations
from math import isfinite
from pathlib import Path
from threading import Condition
from types import ModuleType
from typing import Any, NamedTuple, TextIO, TypeVar

from arena.config.yaml_file import Document, dump, read_text
from arena.engine import Remark
from arena.errors import ConfigError, Fault, gone_settings, refused, unknown
from arena.files import read_regular, refuse_other, regular, regular_opener, replaced
from arena.match.record import columns, remarks_in
from arena.plugins import load
from arena.stats.leads import Looks
from arena.storage.connection import BESIDE, is_there, read_only_address
from arena.storage.database import OTHER_VERSION, Store
from arena.storage.history import (
    CODE,
    bare_entries,
    change_text,
    code_changes,
    with_digests,
    without_unplayed,
)

CONFIG = "config.yaml"
WRITTEN = "written"  # The key, among the facts, of the file that the config was read from
DATABASE = "arena.db"
LOG = "arena.log"
REPORT_PAGE = "report.html"  # The report for a browser, as it was when the games ended
WRITTEN_FILES = (CONFIG, DATABASE, *(f"{DATABASE}{end}" for end in BESIDE), LOG, REPORT_PAGE)
"""The files that a run writes, and is thrown away with."""
LOCK = "lock"
MAX_CONFIG = 1 << 24  # Bytes of a config that is kept

PLAYED_HERE: set[tuple[int, Path]] = set()
"""Folders in which a process plays, itself included: its children do not play what it plays."""
ENDED = Condition()  # Guards PLAYED_HERE, and tells those that wait

T = TypeVar("T")
Changes = Callable[[dict[str, Any], dict[str, Any], set[str]], Iterable[str]]
"""A function of a config kept, a new one, and players: what would make games of these differ."""


def path_text(folder: Path) -> str:
    """The path as text that can be encoded, though its name may be bytes of no encoding."""
    return str(folder).encode("utf-8", "backslashreplace").decode()


def run_id(name: Path) -> str:
    """The id of a run, by its path below the results folder, in the addresses of `arena serve`."""
    return blake2b(os.fsencode(name), digest_size=6).hexdigest()


def make_folder(folder: Path) -> None:
    """Make the folder and those above it; ConfigError if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        message = "results go into a folder, but a file is in its place"
        raise ConfigError(Fault(str(folder), message)) from None
    except OSError as error:
        raise refused(error, folder) from None


def find_folder(name: str | os.PathLike[str], results: str | os.PathLike[str]) -> Path:
    """A folder by its path, or by its name under `results`; ConfigError if nothing is there."""
    places = Path(name), Path(results) / name
    try:
        folder = next((place for place in places if regular(place / CONFIG)), None)
    except OSError as error:
        raise refused(error, error.filename) from None
    if folder is None:
        known = [file.parent.name for file in Path(results).glob(f"*/{CONFIG}")]
        raise ConfigError(unknown("run", os.fspath(name), known))
    return folder


def kept_config(folder: Path) -> dict[str, Any]:
    """The config that a folder keeps; ConfigError if it cannot be read."""
    file = folder / CONFIG
    return Document(file, text=read_text(file, partial(read_regular, most=MAX_CONFIG))).data


@contextmanager
def as_config_error(file: Path) -> Iterator[None]:
    """Turn faults of a kept config, which may be edited by hand, into a ConfigError."""
    try:
        yield
    except ConfigError as error:
        error.faults = [Fault(str(file), str(fault)) for fault in error.faults]
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = f"is not what a run keeps: {type(error).__name__}: {error}; if it {OTHER_VERSION}"
        raise ConfigError(Fault(str(file), message)) from None


@contextmanager
def locked(folder: Path, wait: bool = False) -> Iterator[None]:
    """Lock the folder against other processes and threads that would play there.

    Raises ConfigError if it is locked already, unless it is to `wait` until that has ended.
    """
    with _locked_here(folder, wait), _lock_file(folder) as file:
        try:
            # Unlike flock's, this lock is not inherited by workers or by processes they leave.
            fcntl.lockf(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            raise _played_elsewhere(folder) from None
        yield


@contextmanager
def joined(folder: Path) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Lock the folder against those that want it for themselves, not against others that join.

    Threads of one process take turns. Within the function that is given, no other process that has
    joined is within its own. Raises ConfigError if the folder is locked.
    """
    with _locked_here(folder, wait=True), _lock_file(folder) as file:

        @contextmanager
        def alone() -> Iterator[None]:
            fcntl.lockf(file, fcntl.LOCK_EX, 1, 1)
            try:
                yield
            finally:
                fcntl.lockf(file, fcntl.LOCK_UN, 1, 1)

        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 0)
        except OSError:
            raise _played_elsewhere(folder) from None
        yield alone


def _lock_file(folder: Path) -> TextIO:
    try:
        for name in WRITTEN_FILES:
            regular(folder / name, follows=name in (CONFIG, DATABASE, REPORT_PAGE))
        return open(folder / LOCK, "a+", opener=regular_opener)
    except OSError as error:
        raise refused(error, error.filename) from None


@contextmanager
def _locked_here(folder: Path, wait: bool) -> Iterator[None]:
    """No other thread of this process plays in this folder: a file's lock would not keep it out.

    Nor may a thread that is refused have opened that file: closing it would give up the lock. And
    a folder without games, but with a config of a user's own, is none to play in.
    """
    if not (folder / DATABASE).exists():
        refuse_other(folder / CONFIG, "run")
    place = os.getpid(), folder.resolve()
    with ENDED:
        if not wait and place in PLAYED_HERE:
            raise _played_elsewhere(folder)
        ENDED.wait_for(lambda: place not in PLAYED_HERE)
        PLAYED_HERE.add(place)
    try:
        yield
    finally:
        with ENDED:
            PLAYED_HERE.remove(place)
            ENDED.notify_all()


@contextmanager
def _is_played_here(folder: Path) -> Iterator[bool]:
    """True if this process plays in the folder; if it does not, no thread of it begins meanwhile.

    Where it does, the lock's file may not be opened: closing it would give up the lock.
    """
    with ENDED:
        place = os.getpid(), Path(os.path.realpath(folder))  # which a link to itself is, too
        yield bool(PLAYED_HERE) and place in PLAYED_HERE


def _played_elsewhere(folder: Path) -> ConfigError:
    return ConfigError(Fault(str(folder), "this run is being played already"))


def read_store(folder: Path, read: Callable[[Store], T]) -> T | None:
    """Something that the folder's database has; None before it is there with its tables."""
    file = folder / DATABASE
    if not is_there(file):
        return None
    with closing(Store(file, read_only=True)) as store:
        return read(store) if store.is_made else None


def clear(folder: Path) -> None:
    for name in WRITTEN_FILES:
        (folder / name).unlink(missing_ok=True)


def kind_of(data: Mapping[str, Any]) -> str:
    """The kind of folder that keeps this config; those without a `kind` are known by their keys."""
    kind: str = data.get("kind", "study" if "plan" in data else "tournament")
    return kind


def kind_module(data: Mapping[str, Any]) -> ModuleType:
    """The kind of experiment whose config this is, as `arena/experiment.py` has it; ConfigError for
    a kind that is not known."""
    return load.module("experiment", kind_of(data))


def kept_kind(name: str | os.PathLike[str], results: str | os.PathLike[str]) -> ModuleType:
    """The kind of experiment that is kept under this name; ConfigError if nothing is."""
    folder = find_folder(name, results)
    with as_config_error(folder / CONFIG):
        return kind_module(kept_config(folder))


def freeze(
    folder: Path,
    config: dict[str, Any],
    changes: Changes,
    store: Store,
    accept_changes: bool = False,
    found: Mapping[str, Any] | None = None,
) -> None:
    """Keep the config, and what was `found` by it; ConfigError if games are here that are not of
    it, or of other code.

    Code that changed may be accepted; that stays among the facts. Players that left are remembered
    as long as games of theirs are kept.
    """
    refuse_changes(folder, config, changes, store)
    kept, played, kind = store.facts(), store.players(), kind_of(config)
    wanted, key = {"kind": kind, **config}, kind_module(config).PLAYERS
    before, entries = kept.get(key, []), [with_digests(entry) for entry in wanted[key]]
    with as_config_error(folder / DATABASE):
        games = games_of([entry["name"] for entry in before], kind, store)
        before, told = without_unplayed(before, entries, kept.get(CODE, []), games)
        rows = list(code_changes(before, entries, games))
    if not accept_changes:
        _refuse_changed_code(folder, rows)
    here = {entry["name"] for entry in entries}
    with as_config_error(folder / DATABASE):
        gone = [entry for entry in before if entry["name"] in played - here]
        rows = [*told, *rows]
    facts = wanted | {key: [*entries, *gone]}
    more: Mapping[str, Any] = found or {}
    store.note({**facts, **({CODE: rows} if rows else {}), **kept_plans(kept), **more})
    keep_config(folder, wanted)


def refuse_changes(folder: Path, config: Mapping[str, Any], changes: Changes, store: Store) -> None:
    """Raise ConfigError if the games that are kept are of another config."""
    kept, played, wanted = store.facts(), store.players(), {"kind": kind_of(config), **config}
    if kept and kind_of(kept) != wanted["kind"]:
        with as_config_error(folder / DATABASE):
            content = kind_module(kept).CONTENT
        raise ConfigError(Fault(str(folder), f"{content} kept here: choose another name"))
    key = kind_module(wanted).PLAYERS
    with as_config_error(folder / DATABASE):
        old = kept | {key: bare_entries(kept.get(key, []))}
        changed = [*gone_settings(kept), *changes(old, wanted, played)] if played else []
    if changed:
        raise ConfigError(
            *(Fault(str(folder), change) for change in changed),
            "the games played so far were played otherwise: "
            "choose another name, or throw them away with --fresh",
        )


def keep_written(store: Store, text: str) -> None:
    """Keep the file as its user wrote it, for readers of the report, if there is one."""
    if text:
        store.note(store.facts() | {WRITTEN: text})


def games_of(names: Iterable[str], kind: str, store: Store) -> dict[str, int]:
    """The number of games of each player.

    In a study each has all of them: they are between points, which are no players of the config.
    """
    meetings = store.meetings()
    if kind == "study":
        return dict.fromkeys(names, sum(meetings.values()))
    found = Counter[str]()
    for seats, games in meetings.items():
        found.update(dict.fromkeys(seats, games))
    return found


def _refuse_changed_code(folder: Path, rows: Iterable[dict[str, Any]]) -> None:
    if found := [Fault(str(folder), change_text(row)) for row in rows]:
        raise ConfigError(
            *found,
            "the games played so far were played by other code: choose another name, throw them "
            "away with --fresh, or go on with --accept-changes, which the report will say",
        )


def keep_config(folder: Path, data: dict[str, Any], name: str = CONFIG) -> None:
    keep_text(folder / name, dump(data))


def keep_text(file: Path, text: str) -> None:
    """Write a file, whole or not at all, with the ends of lines that the text has."""
    keep_bytes(file, text.encode())


def keep_bytes(file: Path, content: bytes) -> None:
    """Write a file, whole or not at all; OSError if something else is in its place."""
    regular(file)
    with replaced(file) as out:
        out.write(content)


OVER, BEGUN = "plans", "plans_begun"
"""Facts of a run: games of the plans that were over, as earlier versions kept them; all plans."""


class RunPlan(NamedTuple):
    pairs: int  # Pairs of each two that meet
    is_over: bool = False


def begin_plan(store: Store, pairs: int, played: int, before: int | None = None) -> None:
    """Note the plan that is played from now on as begun; drop earlier plans unless games of them
    were `played`. `before` is the plan of the earlier config of a folder that noted none."""
    facts = store.facts()
    begun = [*_begun(facts)] if played else []
    if played and not begun and before is not None:
        begun = [RunPlan(before)]
    if begun and begun[-1].pairs == pairs:
        begun.pop()
    store.note(facts | {BEGUN: [*begun, RunPlan(pairs)]})


def end_plan(store: Store) -> None:
    """Keep that the plan that was begun last is over: from now on its verdict is known."""
    facts = store.facts()
    *before, last = _begun(facts)
    if not last.is_over:
        store.note(facts | {BEGUN: [*before, RunPlan(last.pairs, True)]})


def kept_plans(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that stay as they are when a config is kept anew."""
    return {key: facts[key] for key in (OVER, BEGUN) if facts.get(key)}


def looks_of(facts: Mapping[str, Any], games: int) -> Looks:
    """The looks at the games of a run before the plan that was begun last; it has so many games."""
    begun = [plan.pairs for plan in _begun(facts)]
    over = {*_over(facts)} - {games}
    is_smaller = any(before > after for before, after in combinations(begun, 2))
    return Looks(max(len(begun) - 1, len(over)), is_smaller)


def last_looks(facts: Mapping[str, Any], games: int) -> Looks:
    """The same, for games that are read whatever was planned: at any moment, if some miss."""
    looks, begun = looks_of(facts, games), [*_begun(facts)]
    is_over = begun[-1].is_over if begun else games in _over(facts)
    return looks if is_over else Looks(looks.earlier, True)


def has_begun(facts: Mapping[str, Any]) -> bool:
    return any(_begun(facts))


def _over(facts: Mapping[str, Any]) -> list[int]:
    """Games of plans that were over; in a foreign folder they may be anything."""
    plans = facts.get(OVER)
    return [each for each in plans if isinstance(each, int)] if isinstance(plans, list) else []


def _begun(facts: Mapping[str, Any]) -> Iterator[RunPlan]:
    """The plans that were begun; in a foreign folder they may be anything."""
    plans = facts.get(BEGUN)
    if not isinstance(plans, list):
        return
    for each in plans:
        if isinstance(each, list | tuple) and [type(x) for x in each] == [int, bool]:
            yield RunPlan(*each)


HAS_FACTS = "SELECT 1 FROM sqlite_master WHERE name = 'facts' AND type = 'table'"
"""A foreign view of this name may have rows without an end."""
KEPT_FACTS = "SELECT json FROM facts LIMIT 1"


def player_names(folder: Path) -> tuple[str, ...]:
    """The names in a folder's config, with players that left it; nothing if it cannot be read."""
    try:
        facts = json.loads(_facts_text(f"{folder}/{DATABASE}"))
        entries = facts[kind_module(facts).PLAYERS]
        return tuple(str(entry["name"]) for entry in entries)
    except (sqlite3.Error, OSError, ValueError, KeyError, TypeError, AttributeError, ConfigError):
        return ()
    except RecursionError:  # brackets in brackets, in a foreign file
        return ()


def _facts_text(file: str) -> str:
    with closing(sqlite3.connect(read_only_address(file), uri=True)) as base:
        row = base.execute(KEPT_FACTS).fetchone() if base.execute(HAS_FACTS).fetchone() else None
        return str(row[0]) if row else "{}"


BOARDS = "boards.json"
SHOW_INTERVAL = 0.5  # Seconds between two writes of the boards, at least
MOST_BOARDS, MOST_BYTES = 1024, 1 << 23
"""Boards that are read of a file, and the size of a file that is read at all."""
STOP = "stop"  # A file in the folder: no further game is started while it is there
LOCK_FIELDS = (
    {"start": "q", "length": "q", "pid": "i", "type": "h", "whence": "h"}
    if sys.platform == "darwin"
    else {"type": "h", "whence": "h", "start": "q", "length": "q", "pid": "i"}
)
"""The C structure `flock`: its fields in order, and their types as `struct` names them."""


def is_at_play(folder: Path) -> bool:
    """True if a process other than this one plays here; its lock is only asked for, never taken."""
    with _is_played_here(folder) as is_ours:
        return not is_ours and _is_locked(folder)


def _is_locked(folder: Path) -> bool:
    """True if another process has the folder's lock; a lock of this process would be lost by it."""
    try:
        lock = regular_opener(os.path.join(folder, LOCK), os.O_RDONLY)
    except OSError:
        return False
    try:
        values = {"type": fcntl.F_WRLCK, "whence": os.SEEK_SET, "start": 0, "length": 0, "pid": 0}
        types = "".join(LOCK_FIELDS.values())
        question = struct.pack(types, *(values[name] for name in LOCK_FIELDS))
        answer = struct.unpack(types, fcntl.fcntl(lock, fcntl.F_GETLK, question))
        return bool(answer[list(LOCK_FIELDS).index("type")] != fcntl.F_UNLCK)
    except (OSError, struct.error):
        return False
    finally:
        os.close(lock)


def ask_to_stop(folder: Path) -> None:
    """Let no further game be started here. Raises OSError if the folder cannot be written to."""
    os.close(regular_opener(os.path.join(folder, STOP), os.O_WRONLY | os.O_CREAT, 0o600))


def is_asked_to_stop(folder: Path) -> bool:
    """True if that was asked for since the last start."""
    return os.path.lexists(os.path.join(folder, STOP))  # after each game: quicker than a Path


def forget_stop(folder: Path) -> None:
    """Start anew: what was asked before was of an earlier time."""
    (folder / STOP).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveBoard:
    slot: int  # Number of the worker, from 0
    game: int  # A number that changes with the game
    goes_on: bool  # False for a game that is over, until the next one takes its place
    first: str
    second: str
    opening: str
    moves: str  # Moves as text, joined by spaces, opening included
    remarks: Sequence[Remark]


@dataclass(frozen=True, slots=True)
class LiveBoards:
    began: float  # Seconds since 1970 when its workers were started
    done: int  # Games that ended since then
    boards: Sequence[LiveBoard]


PLAIN = [field.name for field in fields(LiveBoard) if field.name != "remarks"]
"""Fields that the file has as they are; the remarks stand there as in a record."""


class BoardsFile:
    """Holds the file of the games at play; if it cannot be written, they are played unseen."""

    def __init__(self, folder: Path) -> None:
        self.done = 0  # Games that have ended
        self._file = folder / BOARDS
        self._began, self._due, self._shown = time.time(), 0.0, ""

    def show(self, boards: Iterable[LiveBoard | None]) -> None:
        """Write the boards, unless that was just done or nothing has changed."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + SHOW_INTERVAL
        shown = [
            {name: getattr(each, name) for name in PLAIN} | columns(each.remarks, kept=False)
            for each in boards
            if each
        ]
        text = json.dumps({"began": self._began, "done": self.done, "boards": shown})
        if text != self._shown:
            with suppress(OSError):
                keep_text(self._file, text)
                self._shown = text

    def close(self) -> None:
        with suppress(OSError):
            self._file.unlink()


def read_boards(folder: Path) -> LiveBoards | None:
    try:
        data = json.loads(read_regular(folder / BOARDS, MOST_BYTES))
        began, done = float(data["began"]), data["done"]
        if not isfinite(began) or type(done) is not int or done.bit_length() > 63:
            return None
        boards = [_board_in(each) for each in data["boards"][:MOST_BOARDS]]
    except (ConfigError, OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    return LiveBoards(began, done, [each for each in boards if each])


def _board_in(data: Mapping[str, Any]) -> LiveBoard | None:
    try:
        texts = {name: value for name, value in data.items() if isinstance(value, str)}
        return LiveBoard(
            slot=int(data["slot"]),
            game=int(data["game"]),
            goes_on=bool(data["goes_on"]),
            first=texts["first"],
            second=texts["second"],
            opening=texts["opening"],
            moves=texts["moves"],
            remarks=remarks_in(texts, len(texts["opening"].split())),
        )
    except (AttributeError, ConfigError, KeyError, TypeError, ValueError, OverflowError):
        return None
