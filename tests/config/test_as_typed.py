"""What a command line takes, files take; and what in a name or number is not seen is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.samples import Write, player

from arena.cli import arena as command
from arena.config.reader import read_config
from arena.config.settings import parse_limit, to_data
from arena.errors import ConfigError
from arena.plugins.load import parse_named

LONG = """
name: same
game: {gomoku: {size: 9, rule: standard}}
limit: {seconds: 1}
format: {round_robin: {pairs: 3}}
openings: {random: {plies: 4, count: 5, seed: 2}}
resign: {score: 600, moves: 2}
draw: {score: 10}
engines:
  - {name: random_mover, engine: random_mover}
  - {name: five_tuple-depth-2, engine: five_tuple, depth: 2}
  - {name: own, engine: five_tuple, depth: 1, radius: 1, limit: {clock: 10+0.1}}
  - {name: mine-width-5, engine: ./mine.py}
"""
SHORT = """
name: same
game: gomoku:size=9,rule=standard
limit: 1s
format: round_robin:pairs=3
openings: "random:plies=4,count=5,seed=2"
resign: 600,moves=2
draw: 10
engines:
  - random_mover
  - five_tuple:depth=2
  - {name: own, engine: "five_tuple:depth=1", radius: 1, limit: 10+0.1}
  - ./mine.py:name=mine-width-5
"""


def test_texts_of_the_line_are_what_mappings_are(write: Write) -> None:
    write(player("return Choice(self.game.moves(p)[0])"), "mine.py")
    long, short = (to_data(read_config(write(text))) for text in (LONG, SHORT))
    assert short == long


def test_a_file_of_openings_may_be_named_alone(write: Write) -> None:
    write("0,0 1,1 2,0\n", "book.txt")
    write(player("return Choice(self.game.moves(p)[0])"), "mine.py")
    source = "{random: {plies: 4, count: 5, seed: 2}}"
    long, short = (
        to_data(read_config(write(LONG.replace(source, each))))
        for each in ("{file: {path: book.txt}}", "book.txt")
    )
    assert short == long


@pytest.mark.parametrize(
    ("typed", "plain", "fault"),
    [
        ("limit: {seconds: 1}", "limit: 1 s", "limit is written 0.1s"),
        ("limit: {seconds: 1}", "limit: 0s", "must be more than 0"),
        ("limit: {seconds: 1}", "limit: ١s", "limit is written 0.1s"),
        ("{clock: 10+0.1}", "{clock: ١٠+٠.١}", "clock must be written like 60+0.5"),
        ("{gomoku: {size: 9, rule: standard}}", "gomoku:size", "'size' must be written key=value"),
        ("{gomoku: {size: 9, rule: standard}}", "gomoku:size=٩", "must be a whole number"),
        ("{gomoku: {size: 9, rule: standard}}", "gomku:size=9", "unknown game 'gomku'"),
        ("{name: random_mover, engine: random_mover}", "randm_mover", "unknown engine"),
        ("{name: random_mover, engine: random_mover}", "7", "must be {name: ..., engine: ...}"),
        ("name: own", r'name: "o\u202en"', r"name has the character '\u202e'"),
        ("name: own", r'name: "o\u200bn"', r"name has the character '\u200b'"),
        ("name: same", r'name: "s\u202em"', r"name has the character '\u202e'"),
        ("name: same", 'name: "a/b"', "name must be that of a folder"),
        ("name: own", f"name: {'o' * 101}", "name must be a line of at most 100 characters"),
    ],
)
def test_a_text_that_means_nothing_is_refused_at_its_place(
    write: Write, typed: str, plain: str, fault: str
) -> None:
    write(player("return Choice(self.game.moves(p)[0])"), "mine.py")
    assert typed in LONG
    with pytest.raises(ConfigError) as told:
        read_config(write(LONG.replace(typed, plain, 1)))
    (line,) = str(told.value).splitlines()
    number = 1 + LONG.lstrip("\n")[: LONG.lstrip("\n").index(typed)].count("\n")
    assert f"round.yaml:{number}:" in line
    assert fault in line


@pytest.mark.parametrize("bad", ["\0", "\x01", "\x85\ufffe"])
def test_a_character_that_no_yaml_may_have_is_told_with_its_line(write: Write, bad: str) -> None:
    with pytest.raises(ConfigError, match=r"round\.yaml:11:\d+: has a character"):
        read_config(write(LONG.replace("radius", f"rad{bad}ius")))


@pytest.mark.parametrize("typed", ["١s", "١n", "d١", "١٠+٠.١", "seconds=١", "10+٠.١"])
def test_a_limit_has_the_digits_from_0_to_9(typed: str) -> None:
    with pytest.raises(ConfigError):
        parse_limit(typed)
    assert all(isinstance(each, str) for each in parse_named("x:a=٩,b=٠.٥").parameters.values())


@pytest.mark.parametrize("words", ["--games ٤", "--margin ٠.٥", "--seed=٧", "--sprt ٠ ٥"])
def test_so_has_every_option(words: str) -> None:
    done = CliRunner().invoke(command, ["match", "random_mover", "random_mover", *words.split()])
    assert done.exit_code == 2
    assert "a number is written with the digits 0 to 9" in done.output


def test_a_name_with_the_ending_of_a_file_names_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    how: tuple[Any, ...] = ("--limit", "d1", "--games", "2", "--workers", "0", "--quiet")
    words = ["match", "random_mover", "random_mover", *how, "--name", "mine.yaml"]
    assert CliRunner().invoke(command, words).exit_code == 0
    assert [file.name for file in tmp_path.glob("*.y*ml")] == ["mine.yaml"]
    assert (tmp_path / "results/mine/arena.db").is_file()
