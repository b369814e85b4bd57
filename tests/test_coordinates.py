"""Points of a board as text, for people: read as they are shown, in both notations."""

from __future__ import annotations

import pytest

from arena.coordinates import NOTATIONS, Coordinates, Notation, written

SIZES = (3, 5, 9, 15, 19, 20, 25)


def stored(cell: int, size: int) -> str:
    return f"{cell // size},{cell % size}"


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("size", SIZES)
def test_every_point_is_read_as_it_is_shown(size: int, notation: Notation) -> None:
    coordinates = Coordinates(size, notation)
    names = [coordinates.point(cell) for cell in range(size**2)]
    assert len(set(names)) == size**2
    assert [written(name, size) for name in names] == [stored(i, size) for i in range(size**2)]
    assert all(written(name.upper(), size) == written(name, size) for name in names)
    assert [coordinates.text(stored(cell, size)) for cell in range(size**2)] == names


def test_columns_go_from_a_with_i_and_rows_from_1_at_the_bottom() -> None:
    cells = {(15, 112): "h8", (15, 0): "a15", (15, 224): "o1", (15, 128): "i7", (19, 180): "j10"}
    for (size, cell), name in cells.items():
        assert Coordinates(size).point(cell) == name
        assert Coordinates(size, "numbers").point(cell) == stored(cell, size)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_names_at_the_edges_are_those_of_the_points(notation: Notation) -> None:
    coordinates = Coordinates(15, notation)
    for cell in range(225):
        parts = {coordinates.rows[cell // 15], coordinates.columns[cell % 15]}
        name = coordinates.point(cell)
        assert parts == {*(name.split(",") if "," in name else (name[0], name[1:]))}


def test_moves_are_shown_wherever_they_stand() -> None:
    shown = Coordinates(15).text
    assert shown("7,7 7,8 0,14") == "h8 i8 o15"
    small = Coordinates(5).text
    assert small("0,2-1,2: the piece stands on 4,4.") == "c5-c4: the piece stands on e1."
    assert shown("no move 99,0 1,200") == "no move 99,0 1,200"
    assert shown("") == ""


@pytest.mark.parametrize("typed", ["a5-a4", "a5a4", "a5 a4", "(A5 -> a4)", " a5,a4 "])
def test_where_pieces_move_two_points_are_typed(typed: str) -> None:
    assert written(typed, 5) == "0,0-1,0"


@pytest.mark.parametrize(
    "typed",
    ["h8x", "resign", "8h", "h0", "h", "h8 7,7", "7 7", "", "hh8", "h888", "ſ8", "\u212a8", "h８"],
)
def test_what_is_no_point_comes_back_as_it_is(typed: str) -> None:
    assert written(typed, 15) == typed


@pytest.mark.parametrize("typed", ["p1", "a16", "z99"])
def test_a_point_off_the_board_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="columns go from a to o, rows from 1 to 15"):
        written(typed, 15)
