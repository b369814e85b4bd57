"""The README: what it shows can be typed, and comes out as shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.samples import ROOT

import arena
from arena.cli import arena as command
from arena.config.reader import read_config
from arena.config.shipped import STARTER
from arena.tuning.settings.reader import read_tuning

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)


def block(language: str, containing: str) -> str:
    (found,) = [text for kind, text in BLOCKS if kind == language and containing in text]
    return found


def test_its_engine_plays(tmp_path: Path) -> None:
    (tmp_path / "my_engine.py").write_text(block("python", "GAMES"), encoding="utf-8")
    record = arena.play("gomoku", f"{tmp_path / 'my_engine.py'}:width=5", "five_tuple:depth=2")
    assert (record.winner, record.reason) == (2, "line")


def test_the_engine_that_init_writes_plays() -> None:
    record = arena.play("gomoku", f"{STARTER / 'my_engine.py'}:width=5", "five_tuple:depth=2")
    assert (record.winner, record.reason) == (2, "line")


def test_the_tournament_that_init_writes_has_as_many_games_as_it_says() -> None:
    file = STARTER / "configs/match.yaml"
    config = read_config(file)
    pairings = len(config.names) * (len(config.names) - 1) // 2
    games = 2 * pairings * len(config.openings)
    assert f"openings: {games} games." in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["match", "sprt", "study"])
def test_every_file_that_init_writes_is_of_its_own_name(name: str, undrawn: None) -> None:
    read = read_tuning if name == "study" else read_config
    assert read(STARTER / f"configs/{name}.yaml").name == name


def test_its_round_has_as_many_games_as_it_says() -> None:
    config = read_config(ROOT / "configs/round.yaml")
    pairings = len(config.names) * (len(config.names) - 1) // 2
    assert f"ten players, {2 * pairings * len(config.openings)} games" in README


def test_its_commands_exist() -> None:
    shown = re.findall(r"^arena (\w+)", README, re.MULTILINE)
    assert {name for name, each in command.commands.items() if not each.hidden} >= {*shown}


def test_every_command_answers_for_help() -> None:
    for name in command.commands:
        assert CliRunner().invoke(command, [name, "--help"]).exit_code == 0
