"""Moves as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from arena import load_game
from arena.coordinates import NOTATIONS, Coordinates, Notation
from arena.game import Game, Move, Position
from arena.human.game import example, read_move
from arena.match.play import place_opening
from arena.plugins.load import names

GAMES = {name: load_game(name) for name in names("game")}
BLANKS = st.text(" \t", max_size=2)


def read_numbers(game: Game, p: Position, text: str) -> Move:
    return read_move(game, p, text, Coordinates(game.size, "numbers"))


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("name", names("game"))
def test_every_move_is_read_as_it_is_shown(name: str, notation: Notation) -> None:
    game = GAMES[name]
    p, coordinates = game.start(), Coordinates(game.size, notation)
    for move in game.moves(p):
        shown = coordinates.text(game.text(move))
        assert read_move(game, p, shown, coordinates) == move
        assert read_move(game, p, f" {shown.upper()} ", coordinates) == move


def test_words_have_the_notation_of_their_reader_whatever_was_typed() -> None:
    game = GAMES["gomoku"]
    p = place_opening(game, "7,7")
    for typed in ("h8", "7,7"):
        with pytest.raises(ValueError, match="h8 is occupied"):
            read_move(game, p, typed, Coordinates(15))
    with pytest.raises(ValueError, match="Write one such as i8, or"):
        read_move(game, p, "h8h9", Coordinates(15))
    with pytest.raises(ValueError, match="p1 is off the board"):
        read_move(game, p, "p1", Coordinates(15))


@given(name=st.sampled_from(sorted(GAMES)), data=st.data())
def test_a_move_is_read_with_blanks_anywhere_between_its_parts(
    name: str, data: st.DataObject
) -> None:
    game = GAMES[name]
    p = game.start()
    move = data.draw(st.sampled_from(list(game.moves(p))))
    spaced = "".join(
        f"{data.draw(BLANKS)}{part}{data.draw(BLANKS)}" if part in ",-" else part
        for part in game.text(move)
    )
    assert read_numbers(game, p, f"{data.draw(BLANKS)}{spaced}{data.draw(BLANKS)}") == move


@pytest.mark.parametrize("text", ["7 8", "(7,8)", "7;8", "7-8", " 7 , 8 ", "( 7  8 )", "7->8"])
def test_whatever_stands_between_the_numbers(text: str) -> None:
    game = GAMES["gomoku"]
    assert game.text(read_numbers(game, game.start(), text)) == "7,8"


@pytest.mark.parametrize("text", ["0 2 1 2", "0,2 1,2", "0,2 -> 1,2", "0,2,1,2", "(0,2-1,2)"])
def test_where_pieces_move(text: str) -> None:
    game = GAMES["two_eat_one"]
    assert game.text(read_numbers(game, game.start(), text)) == "0,2-1,2"


@pytest.mark.parametrize("text", ["-7,8", "7,-8", "7", "7,8,9", "7,,8", "7.5,8", "x", "7,8 9", ""])
def test_what_is_no_move_is_never_taken_for_one(text: str) -> None:
    game = GAMES["gomoku"]
    with pytest.raises(ValueError, match="is no move"):
        read_numbers(game, game.start(), text)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("gomoku", "7,7", "7,7 is occupied."),
        ("gomoku", "15 0", "'15,0' is off the board"),
        ("two_eat_one", "4,0-3,0", "no piece of yours stands on 4,0"),
        ("two_eat_one", "0,0-0,1", "0,1 is occupied"),
        ("two_eat_one", "0,0-2,0", "only: 0,0-1,0."),
        ("two_eat_one", "2,2-2,3", "no piece of yours stands on 2,2"),
    ],
)
def test_why_a_move_cannot_be_played(name: str, text: str, words: str) -> None:
    game: Game = GAMES[name]
    p = place_opening(game, "7,7" if name == "gomoku" else "")
    with pytest.raises(ValueError, match=words.replace(".", r"\.")):
        read_numbers(game, p, text)


@pytest.mark.parametrize("name", names("game"))
def test_the_example_can_be_played(name: str) -> None:
    game = GAMES[name]
    assert read_numbers(game, game.start(), example(game, game.start())) in game.moves(game.start())
