"""The books that come along: made by the files beside them, and used by their names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.samples import ROOT, ROUND, Write

from arena.books import header, read_book
from arena.commands.init import init
from arena.config.reader import read_config
from arena.errors import ConfigError
from arena.match.opening import fault_of
from arena.match.openings.book import BOOKS, books, game_of_book, openings
from arena.plugins.load import load_game

FREESTYLE = load_game("gomoku")
LEAST = 1500
"""Openings of each book."""


def test_there_is_a_book_for_each_file_that_makes_one() -> None:
    makers = {file.stem.removeprefix("book_") for file in (ROOT / "configs").glob("book_*.yaml")}
    assert makers == set(books())


def test_the_help_of_init_names_all_books() -> None:
    assert {*books()} <= {*re.findall(r"\w+", init.help or "")}


@pytest.mark.parametrize("name", books())
def test_every_opening_of_a_book_can_be_played_on(name: str) -> None:
    of = game_of_book(BOOKS / f"{name}.txt")
    assert of
    game = load_game(of)
    for opening in openings(game, name=name):
        assert fault_of(game, opening) is None, opening


@pytest.mark.parametrize("name", books())
def test_a_book_was_made_by_the_file_of_its_name(name: str) -> None:
    config = read_book(ROOT / f"configs/book_{name}.yaml")
    text = (BOOKS / f"{name}.txt").read_text(encoding="utf-8")
    assert text.startswith(header(config))
    assert text.count("\n") - header(config).count("\n") >= LEAST
    assert game_of_book(BOOKS / f"{name}.txt")
    assert list(openings(load_game(config.game), name=name, count=1)), "of another game"


def test_a_tournament_takes_a_book_by_its_name(write: Write) -> None:
    rest = "\n".join(line for line in ROUND.splitlines() if "openings:" not in line)
    rest = rest.replace("size: 7", "size: 15")
    line = "openings: {book: {name: freestyle15, start: 2, count: 3}}"
    config = read_config(write(f"    {line}\n{rest}"))
    assert list(config.openings) == list(openings(FREESTYLE, name="freestyle15"))[2:5]


def test_a_book_of_another_game_is_refused_with_the_one_that_fits() -> None:
    with pytest.raises(ConfigError, match="'renju15' is of another game; for it there is freest"):
        list(openings(FREESTYLE, name="renju15"))
    with pytest.raises(ConfigError, match="of another game, for which there is none"):
        list(openings(load_game("gomoku:size=19"), name="renju15"))


def test_a_name_that_is_no_books_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="unknown book 'freestile15'; did you mean 'freestyle15'"):
        list(openings(FREESTYLE, name="freestile15"))
    with pytest.raises(ConfigError, match="unknown book 'balanced15'"):
        list(openings(FREESTYLE, name="balanced15"))


@pytest.mark.parametrize(
    "text",
    ["", "7,7 7,8\n", "# Openings made by hand.\n# {game: [}\n", "# Openings made by x\n# 3"],
)
def test_a_file_without_a_books_head_is_of_no_known_game(text: str, tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text(text, encoding="utf-8")
    assert game_of_book(tmp_path / "openings.txt") is None
