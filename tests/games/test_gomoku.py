"""The referee's Gomoku against its definition, written out the long way."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given, settings, strategies as st

from arena import load_game
from arena.game import Game, Outcome, Position
from arena.match.play import place_opening

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def runs(p: Position, size: int, cell: int) -> list[int]:
    """The lengths of the four unbroken rows of one colour through a stone, by walking."""
    found = []
    for down, right in DIRECTIONS:
        length = 1
        for sign in (1, -1):
            row, column = divmod(cell, size)
            row, column = row + sign * down, column + sign * right
            while (
                0 <= row < size
                and 0 <= column < size
                and p.cells[row * size + column] == p.cells[cell]
            ):
                length += 1
                row, column = row + sign * down, column + sign * right
        found.append(length)
    return found


def defined_outcome(p: Position, size: int, k: int, rule: str) -> Outcome | None:
    if not p.moves:
        return None
    wins = [n == k if rule == "standard" else n >= k for n in runs(p, size, p.moves[-1])]
    if any(wins):
        return Outcome(3 - p.turn, "line")
    return None if 0 in p.cells else Outcome(None, "full board")


@st.composite
def games(draw: st.DrawFn) -> tuple[Game, str, list[int]]:
    """A game and an order of all its cells, crowded into rows so that lines do come about."""
    size = draw(st.integers(5, 12))
    rule = draw(st.sampled_from(["freestyle", "standard"]))
    cells = draw(st.permutations(range(size * size)))
    return load_game(f"gomoku:size={size},rule={rule}"), rule, cells


@given(games())
@settings(max_examples=200, deadline=None)
def test_a_random_game_ends_when_the_definition_says_so(drawn: tuple[Game, str, list[int]]) -> None:
    game, rule, cells = drawn
    p = game.start()
    for cell in cells:
        assert game.outcome(p) == defined_outcome(p, game.size, 5, rule)
        if game.outcome(p):
            assert not game.moves(p)
            return
        assert game.is_legal(p, cell)
        p = game.play(p, cell)
        assert not game.is_legal(p, cell)
    assert game.outcome(p) == defined_outcome(p, game.size, 5, rule)


def row_of(stones: str, rule: str, turn: str = "X") -> Outcome | None:
    """The outcome when the X marked `x` completes this row on an otherwise empty board."""
    game = load_game(f"gomoku:size=15,rule={rule}")
    cells = bytearray(225)
    for column, stone in enumerate(stones):
        cells[7 * 15 + column] = {"X": 1, "x": 1, "O": 2}.get(stone, 0)
    return game.outcome(Position(bytes(cells), 2, (7 * 15 + stones.index("x"),)))


@pytest.mark.parametrize(
    ("stones", "freestyle", "standard"),
    [
        ("_XXxX__", False, False),
        ("_XXxXX_", True, True),
        ("OXXxXXO", True, True),
        ("XXXxXX_", True, False),
        ("XXXXxXXXX", True, False),
        ("XXXX_xXXXX", True, True),
        ("X_XXXXx_X", True, True),
        ("_xXXXX", True, True),
    ],
)
def test_five_win_and_six_win_in_freestyle_only(
    stones: str, freestyle: bool, standard: bool
) -> None:
    assert bool(row_of(stones, "freestyle")) == freestyle
    assert bool(row_of(stones, "standard")) == standard


def test_a_full_board_without_five_is_a_draw() -> None:
    game = load_game("gomoku:size=5")
    rows = ["11221", "22112", "11221", "22112", "11221"]
    cells = bytes(int(stone) for row in rows for stone in row)
    assert all(len(list(group)) < 5 for row in rows for _, group in groupby(row))
    assert game.outcome(Position(cells, 2, (24,))) == Outcome(None, "full board")


def test_moves_are_written_as_row_and_column() -> None:
    game = load_game("gomoku:size=15")
    assert game.text(7 * 15 + 3) == "7,3"
    assert all(game.parse(game.text(move)) == move for move in range(225))


@pytest.mark.parametrize("text", ["", "7", "7;3", "a,b", "15,0", "0,15", "-1,3", "7,3,1"])
def test_other_text_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match=r"off the board|is no move"):
        load_game("gomoku:size=15").parse(text)


@pytest.mark.parametrize(
    ("moves", "is_quiet"),
    [
        ("", True),
        ("7,7 8,8", True),
        ("7,5 0,0 7,6 0,14 7,7", False),  # a live three
        ("7,5 7,4 7,6 0,14 7,7", True),  # closed at one side: no live three
        ("7,5 0,0 7,6 0,14 7,8", False),  # a broken live three
        ("0,0 9,9 0,1 9,14 0,2 5,5 0,3", False),  # a four
        ("3,3 7,5 0,0 7,6 0,14 7,7", False),  # White's live three
        ("3,3 7,5 0,0 7,6 0,14 7,8", False),  # White's broken one
        ("3,3 0,0 9,9 0,1 9,14 0,2 5,5 0,3", False),  # White's four
        ("7,7 0,0 5,5 0,1 9,9 0,2", True),  # the edge closes White's three
    ],
)
def test_a_quiet_position_has_no_five_no_four_and_no_live_three(moves: str, is_quiet: bool) -> None:
    game = load_game("gomoku:size=15")
    assert game.is_quiet(place_opening(game, moves)) == is_quiet  # type: ignore[attr-defined]


def test_under_exact_five_an_own_stone_two_cells_off_spoils_a_live_three() -> None:
    moves = "7,1 0,0 7,4 0,2 7,5 0,4 7,6 0,6 7,9 2,2"  # X__XXX__X: a fourth leaves one way to five
    for rule, is_quiet in (("freestyle", False), ("standard", True)):
        game = load_game(f"gomoku:rule={rule}")
        assert game.is_quiet(place_opening(game, moves)) == is_quiet  # type: ignore[attr-defined]
