"""The page about the architecture names every folder of `arena`."""

from __future__ import annotations

import re

from support.samples import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_every_folder_of_the_arena_is_named() -> None:
    folders = {file.parent.name for file in ROOT.glob("arena/*/__init__.py")}
    rows = re.findall(r"^\| `(\w+)/` \|", PAGE, re.MULTILINE)
    assert folders - {"engines"} == {*rows}
