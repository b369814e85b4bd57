"""Openings that the players make at the terminal: persons, engines, and what is kept of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import arena
from arena.cli import arena as command
from arena.match.opening_rules import SWAP, rule_named
from arena.plugins.load import names

RULES = names("opening rule")
STONES = "e5 d4 f6"


def played(folder: Path, typed: str, *words: str) -> str:
    game = ["--game", "gomoku:size=9", "--results", str(folder)]
    found = CliRunner().invoke(command, ["play", *words, *game], input=typed)
    assert found.exception is None, found.output
    return found.output


@pytest.mark.parametrize("rule", RULES)
def test_a_person_lays_three_stones_and_an_engine_chooses(rule: str, tmp_path: Path) -> None:
    typed = f"hint\n{STONES} f6\n{STONES[:5]} e5\n{STONES}\nundo\nresign\n"
    said = played(tmp_path, typed, "human", "random_mover", "--opening", rule)
    assert "You may lay three stones" in said
    assert "Make the opening first." in said
    assert "4 stones are no answer here." in said or "is occupied" in said
    assert f"{rule.capitalize()}: human laid three stones, random_mover stayed White." in said
    assert "There is nothing to take back." in said
    ((_, record),) = arena.open_run(tmp_path / "human-gomoku").records()
    assert record.made
    assert (record.made.rule, record.proposer, record.winner) == (rule, 1, 2)
    assert record.opening == "4,4 5,3 3,5"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("answer", ["swap", "a1"])
def test_a_person_chooses_and_has_its_colour(rule: str, answer: str, tmp_path: Path) -> None:
    words = "random_mover", "human", "--opening", f"{rule} {STONES}"
    typed = f"nonsense\n{answer}\na2\nundo\nresign\n"
    said = played(tmp_path, typed, *words)
    assert SWAP in rule_named(rule).ANSWERS["three",]
    assert "or take Black (swap)" in said
    assert "unknown word 'nonsense'" in said
    assert "Taken back." in said
    ((_, record),) = arena.open_run(tmp_path / "human-gomoku").records()
    names_now = ("human", "random_mover") if answer == "swap" else ("random_mover", "human")
    assert (record.first, record.second) == names_now
    assert record.player(3 - (record.winner or 0)) == "human"
    again = played(tmp_path, typed, *words)
    assert "Kept as game 2" in again


def test_games_by_all_rules_are_kept_side_by_side(tmp_path: Path) -> None:
    for rule in [*RULES, *RULES]:
        typed = f"{STONES}\nresign\n"
        played(tmp_path, typed, "human", "random_mover", "--opening", f"{rule} a1 a2 a3")
    records = [record for _, record in arena.open_run(tmp_path / "human-gomoku").records()]
    kept = {(record.made and record.made.rule, record.round) for record in records}
    assert kept == {(rule, round) for rule in RULES for round in (1, 2)}


def test_engines_make_it_and_colours_are_told_at_the_end(tmp_path: Path) -> None:
    said = played(tmp_path, "", "random_mover", "live_dead:depth=1", "--opening", "swap2")
    assert "1. ● " not in said
    assert "4. ○ White" in said
    assert "Swap2: random_mover laid three stones, live_dead:depth=1 " in said


@pytest.mark.parametrize(
    ("opening", "game", "words"),
    [
        ("swap2 e5", "gomoku", "swap2 does not begin with 1 stones"),
        ("swap2", "two_eat_one", "swap2 is no opening of two_eat_one"),
    ],
)
def test_what_is_no_beginning_of_an_opening(
    opening: str, game: str, words: str, tmp_path: Path
) -> None:
    asked = ["play", "random_mover", "random_mover", "--opening", opening, "--game", game]
    found = CliRunner().invoke(command, asked)
    assert words in str(found.exception) + found.output
