"""The folders of the kit: the boards know nothing of what is built on them, nor of each other."""

from __future__ import annotations

import ast
from importlib.util import resolve_name
from pathlib import Path

import pytest
from support.samples import ROOT

KIT = ROOT / "engines" / "kit"
FOLDERS = {
    "windows": {"windows"},
    "shapes": {"shapes"},
    "threats": {"threats", "shapes"},
    "selective": {"selective", "threats", "shapes"},
    "brain": {"brain"},
}
"""The folders that each folder may import from."""


BOARDS = sorted(file for file in KIT.glob("*/*.py") if file.name != "player.py")
"""All but the players, which have a board of the record that all folders share."""


def text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def kit_imports(source: str, package: str = "arena.engines.kit.folder") -> set[str]:
    """The folders, and the files beside them, that a file of `package` imports, or from."""
    named = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            named += [resolve_name(f"{module}.{alias.name}", package) for alias in node.names]
        elif isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
    found = {name.split(".")[3] for name in named if name.startswith("arena.engines.kit.")}
    return {name for name in found if name in FOLDERS or (KIT / f"{name}.py").exists()}


@pytest.mark.parametrize("file", BOARDS, ids=lambda file: file.stem)
def test_a_folder_imports_only_its_own_and_files_that_import_no_folder(file: Path) -> None:
    for name in kit_imports(text(file)) - FOLDERS[file.parent.name]:
        assert name not in FOLDERS, f"{file} imports {name}"
        assert not kit_imports(text(KIT / f"{name}.py"), "arena.engines.kit") & {*FOLDERS}, (
            f"{file} imports {name}"
        )


@pytest.mark.parametrize(
    "source",
    [
        "import arena.engines.kit.shapes",
        "from arena.engines.kit import shapes, DEEP",
        "from arena.engines.kit.shapes import table",
        "from arena.engines.kit.shapes.table import FIVE",
        "from ..shapes.table import FIVE",
        "from ..shapes import table",
    ],
)
def test_an_import_of_a_folder_is_seen_however_it_is_written(source: str) -> None:
    assert kit_imports(source) == {"shapes"}
