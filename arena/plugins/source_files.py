"""The files that an engine is made of: its own, and those of its tree that these import.

They are found in the text, without running any of it, so that imports within functions count. Of
what is made up while it runs, only what a reading of the engine has loaded is known.
"""

from __future__ import annotations

import ast
import hashlib
import sysconfig
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import all_suffixes
from pathlib import Path

from arena.files import read_whole

HOME = Path(__file__).parents[2]
"""The folder of the project's own packages."""
ENGINES = HOME / "arena" / "engines"
"""The folder of the engines that come with the project, which users' engines may import from."""
INSTALLED = ("site-packages", "dist-packages")
STANDARD = Path(sysconfig.get_path("stdlib"))

IMPORTERS = ("__import__", "import_module")
"""Functions that import what their first argument names."""


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
        """True if a file that was loaded is of the engine's tree."""
        if not file.is_relative_to(self.root) or file.is_relative_to(STANDARD):
            return False
        parts = file.relative_to(self.root).with_suffix("").parts
        return not set(parts) & {*INSTALLED, "__pycache__"} and self.has(".".join(parts))


def engine_files(home: Home, loaded: Iterable[Path] = ()) -> dict[str, Path]:
    """The files by their paths within the tree; `loaded` are known without being looked for."""
    shipped = Home(HOME, ENGINES / "__init__.py")
    found: dict[str, Path] = {}
    seen: set[tuple[Path, str]] = set()
    queue = [(home, home.file)]
    queue += [(home, file) for file in loaded if home.owns(file) and file.is_file()]
    while queue:
        near, file = queue.pop()
        name = file.relative_to(near.root).as_posix()
        if name in found:
            continue
        found[name] = file
        asked = {(near.root, name) for name in imports_of(file, near.root, changed(file))}
        for _, wanted in asked - seen:
            if own := _file_of(near, wanted):
                queue.append((near, own))
            elif other := _file_of(shipped, wanted):
                queue.append((shipped, other))
        seen |= asked
    return dict(sorted(found.items()))


def names_imported(files: Mapping[str, Path]) -> set[str]:
    """All dotted names that the files import: modules, and names in modules."""
    return {
        wanted
        for name, file in files.items()
        for wanted in imports_of(file, file.parents[name.count("/")], changed(file))
    }


def changed(file: Path) -> tuple[int, int]:
    """Numbers that differ once a file was written to."""
    status = file.stat()
    return status.st_mtime_ns, status.st_size


def digest_of(file: Path) -> str:
    """A short digest of a file's bytes."""
    return digest_in(read_whole(file))


def digest_in(text: bytes) -> str:
    """A short digest of a file that was read."""
    return hashlib.sha256(text).hexdigest()[:12]


def _file_of(home: Home, name: str) -> Path | None:
    """The file of a module that would be of this tree; None if there is none."""
    if not home.has(name):
        return None
    path = home.root.joinpath(*name.split("."))
    places = [path / "__init__.py", *(path.with_name(path.name + each) for each in all_suffixes())]
    return next((place for place in places if place.is_file()), None)


@lru_cache(maxsize=4096)
def imports_of(file: Path, root: Path, version: tuple[int, int]) -> frozenset[str]:
    """The dotted names that a file may import, with the packages around each, and around itself.

    They are kept for this `version` of the file: see `changed`.
    """
    package = file.relative_to(root).parent.parts
    names = {".".join(package)}
    if file.suffix == ".py":
        for level, name in _names_in(read_whole(file)):
            around = package[: max(0, len(package) - level + 1)] if level else ()
            names.add(".".join(filter(None, [*around, name])))
    return frozenset(head for name in names for head in heads(name))


def _names_in(source: bytes) -> Iterator[tuple[int, str]]:
    """The names in the imports of a source, each with the number of dots before it.

    A source that Python cannot read has none.
    """
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


def heads(name: str) -> Iterator[str]:
    """A dotted name, and the packages around it."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        if all(map(str.isidentifier, parts[:end])):
            yield ".".join(parts[:end])
