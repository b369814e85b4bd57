"""The files that an engine is made of, and a user's source tree beside other versions of it."""

from __future__ import annotations

import ast
import builtins
import hashlib
import importlib
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader, all_suffixes
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.files import read_whole

HOME = Path(__file__).parents[2]  # The folder of the project's own packages
ENGINES = HOME / "arena" / "engines"
"""The folder of the engines that come with the project, which users' engines may import from."""
INSTALLED = ("site-packages", "dist-packages")
STANDARD = Path(sysconfig.get_path("stdlib"))

IMPORTERS = ("__import__", "import_module")  # Functions that import what their first argument names


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that an engine's absolute imports start from, and the engine's file."""

    root: Path
    file: Path

    def has(self, name: str) -> bool:
        """True if a module of this dotted name would be the engine's own, if there is one.

        The contract is not; and of a folder of installed packages, only the engine's package is.
        """
        top = name.partition(".")[0]
        if self.root.name in INSTALLED or self.root == HOME:
            if self.file.is_relative_to(ENGINES):
                return f"{name}.".startswith("arena.engines.")
            return top == self.file.relative_to(self.root).parts[0].removesuffix(".py")
        return top != "arena"

    def owns(self, file: Path) -> bool:
        if not file.is_relative_to(self.root) or file.is_relative_to(STANDARD):
            return False
        parts = file.relative_to(self.root).with_suffix("").parts
        return not set(parts) & {*INSTALLED, "__pycache__"} and self.has(".".join(parts))


def engine_files(home: Home, loaded: Iterable[Path] = ()) -> dict[str, Path]:
    """The files by their paths within the tree; `loaded` are known without being looked for."""
    shipped = Home(HOME, ENGINES / "__init__.py")
    files: dict[str, Path] = {}
    seen: set[tuple[Path, str]] = set()
    queue = [(home, home.file)]
    queue += [(home, file) for file in loaded if home.owns(file) and file.is_file()]
    while queue:
        near, file = queue.pop()
        name = file.relative_to(near.root).as_posix()
        if name in files:
            continue
        files[name] = file
        imports = {(near.root, name) for name in _imports_of(file, near.root, changed(file))}
        for _, wanted in imports - seen:
            if own := _file_of(near, wanted):
                queue.append((near, own))
            elif other := _file_of(shipped, wanted):
                queue.append((shipped, other))
        seen |= imports
    return dict(sorted(files.items()))


def names_imported(files: Mapping[str, Path]) -> set[str]:
    return {
        wanted
        for name, file in files.items()
        for wanted in _imports_of(file, file.parents[name.count("/")], changed(file))
    }


def changed(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_mtime_ns, status.st_size


def digest_of(file: Path) -> str:
    return digest_in(read_whole(file))


def digest_in(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:12]


def _file_of(home: Home, name: str) -> Path | None:
    if not home.has(name):
        return None
    path = home.root.joinpath(*name.split("."))
    places = [path / "__init__.py", *(path.with_name(path.name + each) for each in all_suffixes())]
    return next((place for place in places if place.is_file()), None)


@lru_cache(maxsize=4096)
def _imports_of(file: Path, root: Path, version: tuple[int, int]) -> frozenset[str]:
    """The dotted names that a file may import, with the packages around each, and around itself.

    They are kept for this `version` of the file: see `changed`.
    """
    package = file.relative_to(root).parent.parts
    names = {".".join(package)}
    if file.suffix == ".py":
        for level, name in _names_in(read_whole(file)):
            around = package[: max(0, len(package) - level + 1)] if level else ()
            names.add(".".join(filter(None, [*around, name])))
    return frozenset(head for name in names for head in _heads(name))


def _names_in(source: bytes) -> Iterator[tuple[int, str]]:
    """The names imported, each with the dots before it; none from what Python cannot read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd texts, which are for their import to tell
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            around = [node.module] if node.module else []
            yield node.level, ".".join(around)
            yield from ((node.level, ".".join([*around, each.name])) for each in node.names)
        elif isinstance(node, ast.Call) and (name := _name_called_for(node)):
            yield len(name) - len(name.lstrip(".")), name.lstrip(".")


def _name_called_for(call: ast.Call) -> str | None:
    """The name that stands in a call such as `import_module("helper")`; None in any other."""
    function, first = call.func, next(iter(call.args), None)
    called = getattr(function, "id", None) or getattr(function, "attr", None)
    if called not in IMPORTERS or not isinstance(first, ast.Constant):
        return None
    return first.value if isinstance(first.value, str) else None


def _heads(name: str) -> Iterator[str]:
    """A dotted name, and the packages around it."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        if all(map(str.isidentifier, parts[:end])):
            yield ".".join(parts[:end])


@dataclass(frozen=True, slots=True)
class KeptSource:
    """A file as it was when it was read."""

    text: bytes
    mtime: float


KEPT_SOURCES: dict[str, KeptSource] = {}


def keep_sources(files: Iterable[Path]) -> None:
    for file in files:
        KEPT_SOURCES[str(file)] = KeptSource(read_whole(file), file.stat().st_mtime)
    _find_first()


def _find_first() -> None:
    if not any(isinstance(finder, TreeFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TreeFinder())


def import_file(path: Path) -> ModuleType:
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
        kept = KEPT_SOURCES.get(path)
        return kept.text if kept else super().get_data(path)


class TreeLoader(KeptLoader):
    def __init__(self, fullname: str, path: str, tree: Tree) -> None:
        super().__init__(fullname, path)
        self._tree = tree

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self._tree.builtins
        super().exec_module(module)
