"""The folder of a run or study: its files, its lock, and the one config that its games are of."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from arena.config.yaml_file import dump
from arena.errors import ConfigError, Fault, unknown
from arena.plugins.load import is_foreign, source_digest
from arena.storage.database import Store

CONFIG = "config.yaml"
DATABASE = "arena.db"
LOG = "arena.log"

T = TypeVar("T")
Changes = Callable[[dict[str, Any], dict[str, Any], set[str]], Iterable[str]]
"""A function of a config kept, a new one, and players: what would make games of these differ."""
FolderKind = Literal["tournament", "study"]
OTHER: dict[FolderKind, str] = {"tournament": "a tuning study", "study": "a tournament"}
"""For each kind of folder, what is kept in one of the other kind."""
PLAYERS_KEY: dict[FolderKind, str] = {"tournament": "engines", "study": "players"}
"""Key of the config under which the players' entries stand."""


def make_folder(folder: Path) -> None:
    """Make the folder and those above it; ConfigError if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        message = "results go into a folder, but a file is in its place"
        raise ConfigError(Fault(str(folder), message)) from None
    except OSError as error:
        raise ConfigError(Fault(str(folder), error.strerror or str(error))) from None


def find_folder(name: str | os.PathLike[str], results: str | os.PathLike[str]) -> Path:
    """A folder by its path, or by its name under `results`; ConfigError if nothing is there."""
    places = Path(name), Path(results) / name
    folder = next((place for place in places if (place / CONFIG).exists()), None)
    if folder is None:
        known = [file.parent.name for file in Path(results).glob(f"*/{CONFIG}")]
        raise ConfigError(unknown("run", os.fspath(name), known))
    return folder


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """A kept config that is none, edited by hand as it may be, is a ConfigError."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(*(Fault(str(file), str(fault)) for fault in error.faults)) from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = f"is not what a run keeps: {type(error).__name__}: {error}"
        raise ConfigError(Fault(str(file), message)) from None


@contextmanager
def locked(folder: Path, wait: bool = False) -> Iterator[None]:
    """No other process plays in this folder meanwhile; ConfigError if one does.

    Unless it is worth a `wait` until that one has ended.
    """
    try:
        file = (folder / "lock").open("w")
    except OSError as error:
        raise ConfigError(Fault(str(folder), error.strerror or str(error))) from None
    with file:
        try:
            # Unlike flock's, this lock is not inherited by workers, nor by what these leave behind.
            # It does not keep out another thread of this process.
            fcntl.lockf(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            raise ConfigError(Fault(str(folder), "another process is playing this run")) from None
        yield


def read_store(folder: Path, read: Callable[[Store], T]) -> T | None:
    """Something that the folder's database has; None before the first game."""
    file = folder / DATABASE
    if not file.exists():
        return None
    with closing(Store(file, read_only=True)) as store:
        return read(store)


def clear(folder: Path) -> None:
    """Throw away what was played here, and nothing else that may be there."""
    for name in (CONFIG, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", LOG):
        (folder / name).unlink(missing_ok=True)


def kind_of(data: dict[str, Any]) -> FolderKind:
    """The kind of folder that keeps this config; those without a `kind` are known by their keys."""
    kind: FolderKind = data.get("kind", "study" if "plan" in data else "tournament")
    return kind


def freeze(folder: Path, config: dict[str, Any], changes: Changes, store: Store) -> None:
    """Keep the config; ConfigError if games are here that are not of this config.

    Players that left are remembered as long as games of theirs are kept.
    """
    kept, played, kind = store.facts(), store.players(), kind_of(config)
    if kept and kind_of(kept) != kind:
        raise ConfigError(Fault(str(folder), f"{OTHER[kind]} is kept here: choose another name"))
    wanted, key = {"kind": kind, **config}, PLAYERS_KEY[kind]
    entries = [entry | source_of(entry) for entry in wanted[key]]
    with reading(folder / DATABASE):
        found = list(changes(kept, wanted | {key: entries}, played)) if played else []
    if found:
        raise ConfigError(
            *(Fault(str(folder), change) for change in found),
            "the games played so far were played otherwise: "
            "choose another name, or throw them away with --fresh",
        )
    here = {entry["name"] for entry in entries}
    with reading(folder / DATABASE):
        gone = [entry for entry in kept.get(key, []) if entry["name"] in played - here]
    store.note(wanted | {key: [*entries, *gone]})
    keep_config(folder, wanted)


def keep_config(folder: Path, data: dict[str, Any], name: str = CONFIG) -> None:
    """Write a config, whole or not at all."""
    draft = folder / f"{name}.draft"
    draft.write_text(dump(data), encoding="utf-8")
    draft.replace(folder / name)


def source_of(entry: dict[str, Any]) -> dict[str, str]:
    """A digest of a user's engine, whose games before and after an edit should not mix."""
    engine = entry["engine"]
    return {"source": source_digest(engine)} if is_foreign(engine) else {}
