"""The page about the architecture names every folder of `arena`."""

from __future__ import annotations

from support.samples import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_every_folder_of_the_arena_is_named() -> None:
    folders = {file.parent.name for file in ROOT.glob("arena/*/*.py")}
    assert {folder for folder in folders if f"{folder}/" not in PAGE} == set()
