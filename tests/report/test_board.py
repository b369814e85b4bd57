"""The board as text."""

from __future__ import annotations

from dataclasses import replace

from arena import load_game
from arena.coordinates import Coordinates
from arena.game import Game
from arena.match.play import place_opening
from arena.match.record import GameRecord
from arena.report.live import diagram, last_remarks, remark_lines


def test_stones_lines_numbers_and_the_last_move() -> None:
    game = load_game("gomoku:size=5")
    p = place_opening(game, "0,0 2,2 4,4")
    assert diagram(game, p, Coordinates(5)).splitlines() == [
        "    a b c d e",
        " 5  ●─┬─┬─┬─┐",
        " 4  ├─┼─┼─┼─┤",
        " 3  ├─┼─○─┼─┤",
        " 2  ├─┼─┼─┼─┤",
        " 1  └─┴─┴─┴(●)",
    ]
    numbered = diagram(game, p, Coordinates(5, "numbers")).splitlines()
    assert numbered[0] == "    0 1 2 3 4"
    assert [line[:3] for line in numbered[1:]] == [" 0 ", " 1 ", " 2 ", " 3 ", " 4 "]


def lines_of(game: Game, opening: str) -> list[str]:
    coordinates = Coordinates(game.size, "numbers")
    return diagram(game, place_opening(game, opening), coordinates).splitlines()


def test_columns_stay_in_line_on_large_boards() -> None:
    game = load_game("gomoku:size=25")
    tens, ones, *rows = lines_of(game, "24,0")
    assert len(tens) == len(ones) == len(rows[0])
    assert (tens[-1], ones[-1], rows[0][-1]) == ("2", "4", "┐")
    assert rows[24].startswith("24 (●)┴─")
    assert {len(row) for row in rows[:24]} == {53}


def test_the_empty_board_has_no_brackets() -> None:
    game = load_game("tictactoe")
    assert "(" not in "".join(lines_of(game, ""))


def test_where_pieces_move_the_brackets_are_around_the_one_moved() -> None:
    game = load_game("two_eat_one")
    assert lines_of(game, "0,4-1,4 4,0-3,0") == [
        "    0 1 2 3 4",
        " 0  ●─●─●─●─┐",
        " 1  ├─┼─┼─┼─●",
        " 2  ├─┼─┼─┼─┤",
        " 3 (○)┼─┼─┼─┤",
        " 4  └─○─○─○─○",
    ]


RECORD = GameRecord(
    first="a",
    second="b",
    opening="2,2",
    round=1,
    seed=0,
    winner=2,
    reason="illegal move",
    detail="9,9",
    plies=3,
    moves="2,2 1,1 3,3",
    times="0.001 0.25 0.5",
    nodes="1200 0 7",
    depths="4 0 1",
    scores="-5 - 0",
    pv="3,3 0,0||",
    info='{"second":{"cuts":[3,null]}}',
)


def test_each_chosen_move_is_shown_with_what_its_player_said_of_it() -> None:
    plain, letters = Coordinates(5, "numbers"), Coordinates(5)
    assert remark_lines(RECORD, plain) == [
        "2. ○ b 1,1: 1.0 ms; score -5; depth 4; 1,200 nodes; expects 3,3 0,0; cuts 3",
        "3. ● a 3,3: 250.0 ms",
        "4. ○ b no move: 500.0 ms; score +0; depth 1; 7 nodes",
    ]
    assert last_remarks(RECORD, plain) == remark_lines(RECORD, plain)[1:]
    assert remark_lines(RECORD, letters)[0].startswith("2. ○ b b4: 1.0 ms")
    assert "1,200 nodes; expects d2 a5;" in remark_lines(RECORD, letters)[0]


def test_players_that_said_nothing_have_no_last_words() -> None:
    mute = replace(RECORD, nodes="0 0 0", depths="0 0 0", scores="- - -", pv="", info="")
    assert last_remarks(mute, Coordinates(5)) == []
