"""The page of commands: its list has them all, and no others."""

from __future__ import annotations

import re

from support.samples import ROOT

from arena.cli import arena as command


def test_it_lists_every_command() -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    shown = re.findall(r"^arena (\w+)", page, re.MULTILINE)
    assert {*shown} == {name for name, each in command.commands.items() if not each.hidden}
