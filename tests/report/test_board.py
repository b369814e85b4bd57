"""The board as text."""

from __future__ import annotations

from arena import load_game
from arena.match.play import place_opening
from arena.report.board import diagram


def test_stones_lines_numbers_and_the_last_move() -> None:
    game = load_game("gomoku:size=5")
    p = place_opening(game, "0,0 2,2 4,4")
    assert diagram(game, p).splitlines() == [
        "    0 1 2 3 4",
        " 0  ●─┬─┬─┬─┐",
        " 1  ├─┼─┼─┼─┤",
        " 2  ├─┼─○─┼─┤",
        " 3  ├─┼─┼─┼─┤",
        " 4  └─┴─┴─┴(●)",
    ]


def test_columns_stay_in_line_on_large_boards() -> None:
    game = load_game("gomoku:size=25")
    tens, ones, *rows = diagram(game, place_opening(game, "24,0")).splitlines()
    assert len(tens) == len(ones) == len(rows[0])
    assert (tens[-1], ones[-1], rows[0][-1]) == ("2", "4", "┐")
    assert rows[24].startswith("24 (●)┴─")
    assert {len(row) for row in rows[:24]} == {53}


def test_the_empty_board_has_no_brackets() -> None:
    game = load_game("tictactoe")
    assert "(" not in diagram(game, game.start())


def test_where_pieces_move_the_brackets_are_around_the_one_moved() -> None:
    game = load_game("two_eat_one")
    assert diagram(game, place_opening(game, "0,4-1,4 4,0-3,0")).splitlines() == [
        "    0 1 2 3 4",
        " 0  ●─●─●─●─┐",
        " 1  ├─┼─┼─┼─●",
        " 2  ├─┼─┼─┼─┤",
        " 3 (○)┼─┼─┼─┤",
        " 4  └─○─○─○─○",
    ]
