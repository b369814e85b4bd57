"""The page about the architecture: its tree is that of the repository, and so are its layers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from support.samples import ROOT
from test_architecture import LAYERS

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
TREE, LISTED_LAYERS = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)


def lines() -> Iterator[tuple[str, str]]:
    """Each line of the tree: a path, a folder's with a slash at its end, and what is said of it."""
    folders: list[str] = []
    for line in TREE.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        name, _, about = line.strip().partition(" ")
        folders = [*folders[:depth], name]
        yield "".join(folders), about.strip()


LINES = dict(lines())
MODULES = [
    str(file.relative_to(ROOT))
    for folder in ("arena", "engines")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if file.name != "__init__.py"
]


def lists_its_files(folder: str) -> bool:
    """True if the tree has lines for single files of this folder."""
    return any(path.rpartition("/")[0] + "/" == folder and path.endswith(".py") for path in LINES)


def is_there(path: str) -> bool:
    """True if a file or folder of the tree is in the repository."""
    return (ROOT / path).is_dir() if path.endswith("/") else (ROOT / path).is_file()


def test_what_the_tree_has_is_there() -> None:
    assert [path for path in LINES if not is_there(path)] == []
    assert [path for path, about in LINES.items() if not about] == ["arena/"]


def is_in_the_tree(module: str) -> bool:
    """True if a module has a line of its own, or is one of many alike in its folder."""
    folder = module.rpartition("/")[0] + "/"
    is_alike = folder in LINES and (not lists_its_files(folder) or folder == "engines/")
    return module in LINES or is_alike


def test_every_module_is_in_the_tree() -> None:
    missing = [module for module in MODULES if not is_in_the_tree(module)]
    assert missing == [], "give these a line in docs/architecture.md"


def test_its_layers_are_those_that_are_held() -> None:
    assert [line.split() for line in LISTED_LAYERS.splitlines()] == LAYERS
