"""The page about tournaments: it has every key of the file, and its lines can be read."""

from __future__ import annotations

import re

import pytest
from ruamel.yaml import YAML
from samples import ROOT, ROUND, Write

from arena.config.reader import TERMS, parameter_names
from arena.config.settings import tournament_keys
from arena.config.tournament import read_config
from arena.plugins.load import factory

PAGE = (ROOT / "docs/tournaments.md").read_text(encoding="utf-8")
LINES = [
    line
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
    if line.startswith(("openings:", "limit:", "resign:", "draw"))
]


def test_its_table_has_every_key() -> None:
    (table,) = re.findall(r"\| key .*?\n\n", PAGE, re.DOTALL)
    shown = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert sorted(shown) == sorted(TERMS | parameter_names(tournament_keys))


@pytest.mark.parametrize("line", LINES)
def test_its_lines_can_be_read(line: str, write: Write) -> None:
    ((key, value),) = YAML(typ="safe").load(line).items()
    rest = re.sub(rf"^ *{key}:.*\n", "", ROUND, flags=re.MULTILINE).replace("size: 7", "size: 15")
    read_config(write(f"    {key}: {value}\n{rest}"))


def test_it_names_every_parameter_of_random_openings() -> None:
    for name in parameter_names(factory("source of openings", "random")):
        assert f"`{name}`" in PAGE or f"{name}:" in PAGE
