"""The rooms of the kit: the boards know nothing of what is built on them, nor of each other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from samples import ROOT

KIT = ROOT / "engines" / "kit"
ROOMS = {"windows": {"windows"}, "shapes": {"shapes"}, "threats": {"threats", "shapes"}}
"""The rooms that each room may import from."""


def kit_imports(file: Path) -> set[str]:
    """The rooms, and the files beside them, that a file imports from."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    named = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[2] for name in named if name.startswith("engines.kit.")}


@pytest.mark.parametrize("file", sorted(KIT.glob("*/*.py")), ids=lambda file: file.stem)
def test_a_room_imports_only_its_own_and_files_that_import_no_room(file: Path) -> None:
    for name in kit_imports(file) - ROOMS[file.parent.name]:
        assert not kit_imports(KIT / f"{name}.py") & {*ROOMS}, f"{file} imports {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_in_one_sentence_what_it_is(room: str) -> None:
    said = ast.get_docstring(ast.parse((KIT / room / "__init__.py").read_text(encoding="utf-8")))
    assert said
    assert "\n" not in said
