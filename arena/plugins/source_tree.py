"""A user's source tree, imported beside other versions of its packages and modules.

Two git worktrees of one engine have the same module names. So each tree lives under a name of its
own in `sys.modules`, and what its modules import is looked for in their own tree first. Only
`arena` is never the tree's: the contract is the referee's.

Sources can be kept in memory: all processes forked from this one then import what was read here,
even if the files are changed or gone.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.files import read_whole


@dataclass(frozen=True, slots=True)
class KeptSource:
    """A file as it was when it was read."""

    text: bytes
    mtime: float


KEPT_SOURCES: dict[str, KeptSource] = {}


def keep_sources(files: Iterable[Path]) -> None:
    """Let these files be imported as they are now."""
    for file in files:
        KEPT_SOURCES[str(file)] = KeptSource(read_whole(file), file.stat().st_mtime)
    _find_first()


def _find_first() -> None:
    """Let Python's import ask for users' modules here before it looks elsewhere."""
    if not any(isinstance(finder, TreeFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TreeFinder())


def import_file(path: Path) -> ModuleType:
    """The module of a file anywhere, with its own tree around it."""
    root = root_of(path)
    parts = path.relative_to(root).with_suffix("").parts
    return importlib.import_module(".".join([Tree.at(root).name, *parts]))


def root_of(path: Path) -> Path:
    """The folder that absolute imports in this file start from: the first that is no package."""
    folder = path.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


class Tree:
    """A root folder, and the name under which its modules are imported."""

    known: dict[str, Tree] = {}  # noqa: RUF012

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = f"tree_{hashlib.sha256(bytes(root)).hexdigest()[:12]}"
        self.builtins = vars(builtins) | {"__import__": self.import_}
        self._owned: dict[str, bool] = {}

    @classmethod
    def at(cls, root: Path) -> Tree:
        """The tree of this folder, made known to Python's import when it is first asked for."""
        tree = cls(root)
        if tree.name not in cls.known:
            _find_first()
            package = ModuleType(tree.name)
            package.__path__ = [str(root)]
            sys.modules[tree.name] = package
            cls.known[tree.name] = tree
        return cls.known[tree.name]

    def owns(self, top: str) -> bool:
        """True if a top-level name is one of the tree's own modules."""
        if top not in self._owned:
            self._owned[top] = top != "arena" and self._has(top)
        return self._owned[top]

    def _has(self, top: str) -> bool:
        """True if the tree has a module of this name.

        A folder without `__init__.py` gives way to any real module, as in Python itself.
        """
        own = PathFinder.find_spec(top, [str(self.root)])
        if own is None or own.origin:
            return own is not None
        elsewhere = PathFinder.find_spec(top)
        return not (elsewhere and elsewhere.origin)

    def import_(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """The tree's own `__import__`."""
        top = name.partition(".")[0]
        if level or not self.owns(top):
            return builtins.__import__(name, globals, locals, fromlist, level)
        found = builtins.__import__(f"{self.name}.{name}", globals, locals, fromlist, 0)
        # `import a.b` binds a; `from a.b import c` asks for a.b.
        return found if fromlist else sys.modules[f"{self.name}.{top}"]


class TreeFinder(MetaPathFinder):
    """A finder of the modules of all trees, and of others whose sources are kept."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec whose loader gives the module its tree's `__import__`, and its kept source."""
        tree = Tree.known.get(fullname.partition(".")[0])
        if not tree and not KEPT_SOURCES:
            return None
        spec = PathFinder.find_spec(fullname, path)
        if not spec or not isinstance(spec.loader, SourceFileLoader):
            return spec if tree else None
        if tree:
            spec.loader = TreeLoader(fullname, spec.loader.path, tree)
        elif spec.loader.path in KEPT_SOURCES:
            spec.loader = KeptLoader(fullname, spec.loader.path)
        else:
            return None
        return spec


class KeptLoader(SourceFileLoader):
    """A loader of a module from its kept source, if there is one."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """The time and size of the source; bytecode of another is not taken for its own."""
        if kept := KEPT_SOURCES.get(path):
            return {"mtime": kept.mtime, "size": len(kept.text)}
        return super().path_stats(path)

    def get_data(self, path: str) -> bytes:
        """The bytes of a file."""
        kept = KEPT_SOURCES.get(path)
        return kept.text if kept else super().get_data(path)


class TreeLoader(KeptLoader):
    """A loader of one module of a tree."""

    def __init__(self, fullname: str, path: str, tree: Tree) -> None:
        super().__init__(fullname, path)
        self._tree = tree

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code with the tree's `__import__`."""
        vars(module)["__builtins__"] = self._tree.builtins
        super().exec_module(module)
