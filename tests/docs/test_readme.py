"""The README: what it shows can be typed, and comes out as shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.samples import ROOT, Write

import arena
from arena.cli import arena as command
from arena.config.shipped import STARTER, write_starter
from arena.config.tournament import read_config
from arena.tuning.settings.reader import read_tuning

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)


def block(language: str, containing: str) -> str:
    (found,) = [text for kind, text in BLOCKS if kind == language and containing in text]
    return found


def test_its_engine_and_its_tournament_are_those_that_init_writes() -> None:
    assert block("python", "# my_engine.py") == (STARTER / "my_engine.py").read_text()
    assert block("yaml", "engines:") == (STARTER / "configs/match.yaml").read_text()


def test_its_engine_plays() -> None:
    record = arena.play("gomoku", f"{STARTER / 'my_engine.py'}:width=5", "five_tuple:depth=2")
    assert (record.winner, record.reason) == (2, "line")


def test_its_tournament_has_as_many_games_as_it_says() -> None:
    config = read_config(STARTER / "configs/match.yaml")
    assert config.names == ["deep", "mine", "quick"]
    assert config.players[1].engine.parameters == {"width": 12}
    pairings = len(config.names) * (len(config.names) - 1) // 2
    assert f"openings: {2 * pairings * len(config.openings)} games." in README


def test_its_errors_are_those_that_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_starter(Path())
    file = Path("configs/match.yaml")
    text = file.read_text().replace("engine: five_tuple,", "engine: five_tupel,", 1)
    file.write_text(text.replace("width: 12", "width: 0"))
    with pytest.raises(arena.ConfigError) as caught:
        read_config(file)
    assert str(caught.value).splitlines() == block("", "did you mean 'five_tuple'").splitlines()


@pytest.mark.parametrize("name", ["match", "sprt", "study"])
def test_every_file_that_init_writes_is_of_its_own_name(name: str, undrawn: None) -> None:
    read = read_tuning if name == "study" else read_config
    assert read(STARTER / f"configs/{name}.yaml").name == name


def test_its_python_runs(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "configs").mkdir()
    write(name="configs/round.yaml")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(block("python", "run.standings()"), names)
    assert isinstance(names["run"], arena.Run)


def test_its_commands_exist() -> None:
    shown = re.findall(r"^arena (\w+)", README, re.MULTILINE)
    assert {name for name, each in command.commands.items() if not each.hidden} >= {*shown}


def test_every_command_answers_for_help() -> None:
    for name in command.commands:
        assert CliRunner().invoke(command, [name, "--help"]).exit_code == 0
