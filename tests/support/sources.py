"""The sources of `arena` and its engines as syntax trees, and their imports of each other."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

from support.samples import ROOT

SOURCES = sorted(
    file
    for folder in ("arena", "engines")
    for file in (ROOT / folder).rglob("*.py")
    if file.relative_to(ROOT).parts[:2] not in {("arena", "engines"), ("arena", "configs")}
)


def name(file: Path) -> str:
    """A file as a dotted module name."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    above = ("arena",) if parts[0] == "engines" else ()
    return ".".join(part for part in (*above, *parts) if part != "__init__")


@cache
def text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def tree(file: Path) -> ast.Module:
    """A file's syntax tree, in which every import is absolute."""
    found = ast.parse(text(file))
    package = name(file) if file.name == "__init__.py" else name(file).rpartition(".")[0]
    for node in ast.walk(found):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert file.is_relative_to(ROOT / "engines"), "only engines import relatively"
            node.module = resolve_name("." * node.level + (node.module or ""), package)
    return found


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(file)))


def imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Everything that is imported, wherever in a file the import stands."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def of(folder: str) -> list[Path]:
    return [file for file in SOURCES if file.is_relative_to(ROOT / folder)]


def own_imports(nodes: Iterable[ast.AST]) -> set[str]:
    """The files and folders of this project that are imported, or imported from."""
    return {module for each in imports(nodes) if (module := known_module(each))}


def known_module(dotted: str) -> str | None:
    """The file or folder that a name is, or is taken from."""
    parts = dotted.split(".")
    heads = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((head for head in heads if head in MODULES), None)


MODULES = {name(file) for file in SOURCES}
