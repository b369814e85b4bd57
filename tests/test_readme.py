"""What the README shows is true of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from samples import ROOT, Write

import arena
from arena.cli import arena as command
from arena.config.tournament import read_config
from arena.match.play import place_opening
from arena.tuning.reader import read_tuning

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)


def block(language: str, containing: str) -> str:
    (found,) = [text for kind, text in BLOCKS if kind == language and containing in text]
    return found


def test_its_tournament_can_be_read_and_its_engine_plays(write: Write) -> None:
    own = write(block("python", "# my_engine.py"), "my_engine.py")
    config = read_config(write(block("yaml", "name: round")))
    assert config.names == ["deep", "mine", "hurried"]
    assert config.players[1].engine.parameters == {"width": 12}
    record = arena.play("gomoku", f"{own}:width=5", "five_tuple:depth=2")
    assert (record.winner, record.reason) == (2, "line")


@pytest.mark.parametrize("file", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda f: f.stem)
def test_every_config_can_be_read(file: Path) -> None:
    if file.stem.startswith("tune_"):
        assert read_tuning(file).name == file.stem
    else:
        assert read_config(file).name == file.stem


def test_its_commands_exist() -> None:
    shown = re.findall(r"^arena (\w+)", README, re.MULTILINE)
    assert set(command.commands) == set(shown)


def test_its_errors_are_those_that_come(write: Write) -> None:
    errors = block("", "did you mean 'five_tuple'").splitlines()
    text = block("yaml", "name: round").replace("engine: five_tuple,", "engine: five_tupel,", 1)
    file = write(text.replace("width: 12", "width: 0"))
    write(block("python", "# my_engine.py"), "my_engine.py")
    with pytest.raises(arena.ConfigError) as caught:
        read_config(file)
    for error, fault in zip(errors, caught.value.faults, strict=True):
        assert error.split(": ", 1)[1] == fault.message


def test_the_forcing_search_is_called_as_shown() -> None:
    code = block("python", "ForcingSearch(game)")
    game = arena.load_game("gomoku")
    p = place_opening(game, "7,7 0,0 7,8 0,2 7,9 0,4")
    names: dict[str, object] = {"game": game, "p": p}
    exec(code, names)
    assert names["line"]


def test_every_command_answers_for_help() -> None:
    for name in command.commands:
        assert CliRunner().invoke(command, [name, "--help"]).exit_code == 0
