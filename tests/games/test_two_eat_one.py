"""Two eat one: what the published program counted, and each way to capture and to lose."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.samples import ROOT

from arena import load_game
from arena.game import Outcome, Position
from arena.match.play import place_opening

DATA = ROOT / "tests/data"
PERFT = json.loads((DATA / "two_eat_one_perft.json").read_text())
CASES = json.loads((DATA / "two_eat_one_games.json").read_text())["cases"]
GAME = load_game("two_eat_one")
PIECES = {".": 0, "x": 1, "o": 2}


def board(*rows: str, turn: int = 1) -> Position:
    """A position from five rows of five; rows left out are empty."""
    text = "".join(rows).ljust(25, ".")
    return Position(bytes(PIECES[point] for point in text), turn)


def played(p: Position, text: str) -> Position:
    move = GAME.parse(text)
    assert GAME.is_legal(p, move)
    return GAME.play(p, move)


def perft(p: Position, depth: int) -> int:
    """The number of lines of play of this length; the last ply is counted, not played."""
    moves = GAME.moves(p)
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.play(p, move), depth - 1) for move in moves)


def pieces(p: Position) -> int:
    return len(p.cells) - p.cells.count(0)


@pytest.mark.slow
def test_the_tree_and_its_captures_are_as_large_as_the_published_programs() -> None:
    lines, captured = [GAME.start()], 0
    for depth in range(1, 7):
        before, lines = lines, []
        for p in before:
            for move in GAME.moves(p):
                lines.append(GAME.play(p, move))
                captured += pieces(p) - pieces(lines[-1])
        assert len(lines) == PERFT["perft"][str(depth)]
        assert captured == PERFT["captures"].get(str(depth), 0)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_its_games_come_out_the_same(case: dict[str, Any]) -> None:
    p, captured = GAME.start(), []
    for index, step in enumerate(case["moves"]):
        row, column, to_row, to_column = step
        assert GAME.outcome(p) is None
        text = f"{row},{column}-{to_row},{to_column}"
        assert GAME.text(GAME.parse(text)) == text
        before, p = p, played(p, text)
        left = {cell for cell in range(25) if before.cells[cell] and not p.cells[cell]}
        captured += [[index, *divmod(cell, 5)] for cell in sorted(left - {5 * row + column})]
    assert captured == case["captured"]
    assert [p.cells.count(1), p.cells.count(2)] == case["pieces"]
    assert bool(GAME.outcome(p)) == case["lost"]
    assert [perft(p, depth) for depth in range(1, 6)] == case["perft"]


@pytest.mark.parametrize(
    ("row", "after"),
    [
        ("xXo..", "xX..."),  # the moved piece, X, in the middle of three
        ("Xxo..", "Xx..."),  # at their end
        ("oxX..", ".xX.."),
        (".oXx.", "..Xx."),
        ("..xXo", "..xX."),
        ("xoX..", "xoX.."),  # the own pieces are apart
        ("xX.o.", "xX.o."),  # the enemy is apart
        ("Xxo.x", "Xxo.x"),  # four on the line
        ("oxXo.", "oxXo."),
        ("Xxxo.", "Xxxo."),
        ("ooX..", "ooX.."),  # nobody captures by an enemy's move
    ],
)
def test_a_row_and_a_column_capture_alike(row: str, after: str) -> None:
    to = row.index("X")
    line = row.lower()
    cells = line[:to] + "." + line[to + 1 :]
    across = board(".....", ".....", cells, "." * to + "x" + "." * (4 - to))
    moved = played(across, f"3,{to}-2,{to}")
    assert moved.cells[10:15] == board(after.lower()).cells[:5]
    turned = bytes(across.cells[column * 5 + row] for row in range(5) for column in range(5))
    moved = played(Position(turned, 1), f"{to},3-{to},2")
    assert moved.cells[2::5] == board(after.lower()).cells[:5]


def test_one_move_can_capture_twice() -> None:
    after = played(board("..o..", "..x..", "ox.x."), "2,3-2,2")
    assert after.cells == board(".....", "..x..", ".xx..").cells
    # A fourth piece on the column, and only the row captures.
    after = played(board("..o..", "..x..", "ox.x.", ".....", "..o.."), "2,3-2,2")
    assert after.cells == board("..o..", "..x..", ".xx..", ".....", "..o..").cells


@pytest.mark.parametrize("mover", [1, 2])
def test_the_side_to_move_with_one_piece_or_no_move_has_lost(mover: int) -> None:
    few = board("x..oo")
    stuck = board("xxo..", "oo...")
    for p, reason in ((few, "few pieces"), (stuck, "no move")):
        cells = p.cells if mover == 1 else p.cells.translate(bytes.maketrans(b"\1\2", b"\2\1"))
        lost = Position(cells, mover)
        assert GAME.outcome(lost) == Outcome(3 - mover, reason)  # type: ignore[arg-type]
        assert not GAME.moves(lost)
        assert GAME.outcome(Position(cells, 3 - mover)) is None


@pytest.mark.parametrize(
    "text", ["", "0,4", "0,4 1,4", "0,4-1", "a,b-c,d", "5,0-4,0", "0,0-0,10", "0,4-1,4-2,4"]
)
def test_other_text_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match=r"off the board|is no move"):
        GAME.parse(text)


@pytest.mark.parametrize("text", ["0,0-0,1", "0,0-2,0", "0,0-1,1", "4,0-3,0", "2,2-2,3", "0,4-1,0"])
def test_a_move_is_one_step_of_an_own_piece_to_an_empty_point(text: str) -> None:
    assert not GAME.is_legal(GAME.start(), GAME.parse(text))
    with pytest.raises(ValueError, match="is not legal after 0 moves"):
        place_opening(GAME, text)
