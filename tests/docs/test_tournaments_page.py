"""The page about tournaments: it has every key of the file, and its lines can be read."""

from __future__ import annotations

import re

import pytest
from ruamel.yaml import YAML
from support.samples import ROOT, ROUND, Write

from arena.config.reader import TERMS, parameter_names, read_config
from arena.config.settings import tournament_keys
from arena.plugins.load import factory, names
from arena.records.opening_file import OPENING_FORMATS

PAGE = (ROOT / "docs/tournaments.md").read_text(encoding="utf-8")
LINES = [
    line
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
    if line.startswith(("openings:", "limit:", "proof:", "resign:", "draw"))
]


def test_its_table_has_every_key() -> None:
    (table,) = re.findall(r"\| key .*?\n\n", PAGE, re.DOTALL)[:1]
    shown = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert sorted(shown) == sorted(TERMS | parameter_names(tournament_keys))


@pytest.mark.parametrize("line", LINES)
def test_its_lines_can_be_read(line: str, write: Write) -> None:
    ((key, value),) = YAML(typ="safe").load(line).items()
    rest = re.sub(rf"^ *{key}:.*\n", "", ROUND, flags=re.MULTILINE).replace("size: 7", "size: 15")
    write(
        "\n".join(f"h8{column}{row}" for column in "abcdefg" for row in range(1, 9)), "openings.txt"
    )
    read_config(write(f"    {key}: {value}\n{rest}"))


@pytest.mark.parametrize("source", names("source of openings"))
def test_it_names_every_parameter_of_the_sources_of_openings(source: str) -> None:
    for name in parameter_names(factory("source of openings", source)):
        assert f"`{name}`" in PAGE or f"{name}:" in PAGE


def test_it_names_every_format_of_files_of_openings() -> None:
    (table,) = re.findall(r"\| format \| one opening.*?\n\n", PAGE, re.DOTALL)
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == set(OPENING_FORMATS)
