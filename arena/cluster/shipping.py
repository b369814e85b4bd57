"""Files of engines that travel to other machines, and the values that travel with them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from arena.config.settings import Player
from arena.errors import ConfigError, Fault
from arena.files import read_whole
from arena.match.record import Sent
from arena.plugins.build import shipped_places
from arena.plugins.engine_names import is_foreign, is_path
from arena.plugins.load import Named, files_of
from arena.plugins.source_files import ENGINES, KEPT_SOURCES
from arena.processes.child import MEGABYTE

SKIPPED = ("__pycache__", ".git")  # Folders that no program needs
MOST_MEGABYTES = 256
MOST_FILES = 2000
"""Files and megabytes that may travel with one run: a folder with more is hardly a program's."""


@dataclass(frozen=True)
class ShippedTree:
    """A folder's files, as they were when the run was started."""

    root: str
    files: Mapping[str, bytes]  # Their bytes by their paths within the folder
    executables: frozenset[str] = frozenset()
    is_whole: bool = False  # True if all that is in the folder travels
    is_imported: bool = False  # True if modules of it are imported by their dotted names

    @cached_property
    def digest(self) -> str:
        """The name of its folder on another machine."""
        sha = hashlib.sha256()
        for name in sorted(self.files):
            mark = "x" if name in self.executables else "-"
            sha.update(f"{len(name.encode())} {mark} {len(self.files[name])}\n".encode())
            sha.update(name.encode() + self.files[name])
        return sha.hexdigest()[:16]

    @property
    def unpacked(self) -> UnpackedTree:
        names = frozenset(self.files)
        return UnpackedTree(self.root, self.digest, names, self.is_whole, self.is_imported)

    def joined(self, other: ShippedTree) -> ShippedTree:
        return ShippedTree(
            self.root,
            {**self.files, **other.files},
            self.executables | other.executables,
            self.is_whole or other.is_whole,
            self.is_imported or other.is_imported,
        )


@dataclass(frozen=True, slots=True)
class UnpackedTree:
    """A tree that has travelled: which files it has, and where it is from."""

    root: str
    digest: str
    files: frozenset[str]
    is_whole: bool
    is_imported: bool

    def has(self, place: Path) -> bool:
        if not place.is_relative_to(self.root):
            return False
        return self.is_whole or place.relative_to(self.root).as_posix() in self.files


@dataclass(frozen=True, slots=True)
class Manifest:
    """The trees that were unpacked into one folder."""

    folder: Path
    trees: tuple[UnpackedTree, ...] = ()

    def import_paths(self) -> list[str]:
        """Folders from which dotted names are to be imported, before all others."""
        return [str(self.folder / each.digest) for each in self.trees if each.is_imported]

    def moved_player(self, player: Player) -> Player:
        named = player.engine
        name = str(self.moved(named.name)) if is_path(named.name) else named.name
        values = {key: self.moved(value) for key, value in named.parameters.items()}
        return replace(player, engine=Named(name, values, named.is_checked))

    def moved(self, value: Any) -> Any:
        """A value with the paths in it that have travelled as they are here."""
        if isinstance(value, list):
            return [self.moved(each) for each in value]
        if not isinstance(value, str) or not Path(value).is_absolute():
            return value
        place = Path(value)
        for unpacked in self.trees:
            if unpacked.has(place):
                return str(self.folder / unpacked.digest / place.relative_to(unpacked.root))
        return value


@dataclass(frozen=True, slots=True)
class Shipment:
    trees: tuple[ShippedTree, ...] = ()

    @property
    def megabytes(self) -> float:
        return sum(map(len, _loads_of(self.trees))) / MEGABYTE

    def unpack(self, folder: Path) -> Manifest:
        """Write all trees below a folder, unless they are there; each whole or not at all."""
        for tree in self.trees:
            target = folder / tree.digest
            if not target.exists():
                draft = folder / f"{tree.digest}-{os.urandom(4).hex()}"
                try:
                    _write_tree(tree, draft)
                    draft.rename(target)
                except OSError:
                    shutil.rmtree(draft, ignore_errors=True)
                    if not target.exists():  # else another thread was faster
                        raise
        return Manifest(folder, tuple(tree.unpacked for tree in self.trees))


def _write_tree(tree: ShippedTree, folder: Path) -> None:
    for name, content in tree.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(0o755 if name in tree.executables else 0o644)


def shipment_of(players: Iterable[Player]) -> Shipment:
    """All that is to travel with these players; ConfigError for what is too much."""
    trees: dict[str, ShippedTree] = {}
    for player in players:
        try:
            for tree in _trees_of(player):
                known = trees.get(tree.root)
                trees[tree.root] = known.joined(tree) if known else tree
        except OSError as error:
            words = f"cannot be shipped: {error.filename}: {error.strerror}"
            raise ConfigError(Fault(player.place, words)) from None
        loads = _loads_of(trees.values())
        if len(loads) > MOST_FILES or sum(map(len, loads)) > MOST_MEGABYTES * MEGABYTE:
            raise ConfigError(Fault(player.place, TOO_MUCH))
    # Of folders within each other the inner one has the more exact answer.
    return Shipment(tuple(sorted(trees.values(), key=lambda tree: (-len(tree.root), tree.root))))


def _loads_of(trees: Iterable[ShippedTree]) -> list[bytes]:
    return [content for tree in trees for content in tree.files.values()]


TOO_MUCH = (
    f"more than {MOST_FILES} files or {MOST_MEGABYTES} MB would have to travel to other machines: "
    "give the program a folder of its own, or copy it to each machine and leave `ship` out"
)


def _trees_of(player: Player) -> Iterator[ShippedTree]:
    name = player.engine.name
    if is_foreign(name):
        is_dotted = not is_path(name)
        for relative, file in files_of(name).items():
            if not file.is_relative_to(ENGINES):
                root = str(file.parents[relative.count("/")])
                kept = KEPT_SOURCES.get(str(file))
                content = kept.text if kept else file.read_bytes()
                yield ShippedTree(root, {relative: content}, is_imported=is_dotted)
    for place in shipped_places(name, player.engine.parameters):
        if place.is_dir():
            yield _whole_folder(place, player)
        elif place.is_file():
            marks = frozenset([place.name]) if os.access(place, os.X_OK) else frozenset()
            yield ShippedTree(str(place.parent), {place.name: read_whole(place)}, marks)


def _whole_folder(folder: Path, player: Player) -> ShippedTree:
    """Read a folder with all its files. Raises ConfigError once they are too many or too large."""
    files: dict[str, bytes] = {}
    executables = set()
    left = MOST_MEGABYTES * MEGABYTE
    for file in _files_below(folder):
        left -= file.stat().st_size
        if left < 0 or len(files) == MOST_FILES:
            raise ConfigError(Fault(player.place, TOO_MUCH))
        name = file.relative_to(folder).as_posix()
        files[name] = file.read_bytes()
        if os.access(file, os.X_OK):
            executables.add(name)
    return ShippedTree(str(folder), files, frozenset(executables), is_whole=True)


def _files_below(folder: Path) -> Iterator[Path]:
    """All files of a folder and those below, in order; links to folders are not followed."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in SKIPPED)
        for name in sorted(names):
            file = Path(place, name)
            if file.is_file():
                yield file


@dataclass(frozen=True, slots=True)
class RunDescription:
    """All that a worker needs to know of a run."""

    referee: bytes  # Pickled: only the child is to import engines
    shipment: Shipment
    versions: Mapping[str, str]  # The driver's, which the worker's must be like


@dataclass(frozen=True, slots=True)
class Order:
    """The first thing that a child is told."""

    referee: bytes
    manifest: Manifest
    log: Path


class Reply(NamedTuple):
    """The games of one batch that a child has played."""

    records: list[Sent]  # The values of each game's record
    seconds: float
    log: str = ""
    fault: str = ""  # Words on the engines that this machine cannot build
    error: str = ""  # The traceback of an error that is ours
    faults: tuple[tuple[str, str], ...] = ()
    """Words on the engines that this machine cannot build, by player."""


class Delivery(NamedTuple):
    """A reply, and where it comes from."""

    machine: str
    address: str  # The worker's
    reply: Reply
