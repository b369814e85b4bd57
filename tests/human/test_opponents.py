"""The engines that people can meet, and the one that they meet by default."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import arena as command
from arena.human.in_play import at_level, default_opponent, levels_of, middle_level, opponents
from arena.plugins.load import Named


@pytest.mark.parametrize(
    ("game", "rule", "engine"),
    [
        ("gomoku", "freestyle", "strong:level=5"),
        ("gomoku", "standard", "strong:level=5"),
        ("renju", None, "strong:level=5"),
        ("tictactoe", None, "minimax"),
        ("two_eat_one", None, "piece_count"),
        ("gomoku", "caro", None),
        ("unheard of", None, None),
    ],
)
def test_the_default_is_made_for_the_game_and_has_levels_if_any_has(
    game: str, rule: str | None, engine: str | None
) -> None:
    assert default_opponent(game, rule) == engine


def test_levels_are_those_of_the_parameter() -> None:
    assert levels_of("strong") == range(1, 10)
    assert at_level("strong", middle_level("strong")) == Named("strong", {"level": 5})
    assert not levels_of("balance")
    assert at_level("balance", middle_level("balance")) == Named("balance")


def test_an_engine_that_needs_parameters_is_no_opponent() -> None:
    assert "gomocup" not in opponents()
    assert opponents()[0] == "strong"


def game_of_a_person(*arguments: str, typed: str = "resign\n") -> tuple[int, str]:
    """The exit code and all that is shown."""
    done = CliRunner().invoke(command, ["play", *arguments], input=typed)
    return done.exit_code, done.output


def test_a_person_who_names_nobody_meets_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, shown = game_of_a_person("human", typed="7,7\nresign\n")
    assert code == 0
    assert "● human  ○ strong:level=5" in shown
    assert "2. ○ strong:level=5 " in shown
    _, shown = game_of_a_person("human", "--game", "tictactoe")
    assert "● human  ○ minimax" in shown
    _, shown = game_of_a_person("human", typed="quit\n")
    assert "To go on: arena play human\n" in shown


def test_an_engine_alone_has_no_opponent_and_a_person_none_by_a_rule_that_no_engine_knows() -> None:
    code, shown = game_of_a_person("strong")
    assert code == 2
    assert "Missing argument 'SECOND'" in shown
    code, shown = game_of_a_person("human", "--game", "gomoku:rule=caro")
    assert code == 2
    assert "No engine here plays gomoku by the rule caro: name one." in shown
