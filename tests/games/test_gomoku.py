"""The referee's Gomoku against its definition, written out the long way."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given, settings, strategies as st

from arena import load_game
from arena.game import Game, Outcome, Position, symmetries
from arena.games.gomoku import loud_pattern
from arena.match.play import place_opening

RULES = ("freestyle", "standard", "caro", "caro_exact")
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def runs(p: Position, size: int, cell: int) -> list[tuple[int, bool]]:
    """The lengths of the four unbroken rows of one colour through a stone, by walking.

    With each, whether a stone of the other colour is beyond both of its ends.
    """
    found = []
    for down, right in DIRECTIONS:
        length, ends = 1, 0
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
            if 0 <= row < size and 0 <= column < size:
                ends += p.cells[row * size + column] == 3 - p.cells[cell]
        found.append((length, ends == 2))
    return found


def wins(rule: str, k: int, length: int, is_blocked: bool) -> bool:
    """True if a row of this length wins, by the words of each rule."""
    if rule in ("caro", "caro_exact") and length == k and is_blocked:
        return False
    return length == k if rule in ("standard", "caro_exact") else length >= k


def defined_outcome(p: Position, size: int, k: int, rule: str) -> Outcome | None:
    if not p.moves:
        return None
    if any(wins(rule, k, *run) for run in runs(p, size, p.moves[-1])):
        return Outcome(3 - p.turn, "line")
    return None if 0 in p.cells else Outcome(None, "full board")


@st.composite
def games(draw: st.DrawFn) -> tuple[Game, str, list[int]]:
    """A game and an order of all its cells, crowded into rows so that lines do come about."""
    size = draw(st.integers(5, 12))
    rule = draw(st.sampled_from(RULES))
    cells = draw(st.permutations(range(size * size)))
    return load_game(f"gomoku:size={size},rule={rule}"), rule, cells


@given(games())
@settings(max_examples=100, deadline=None)
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


def row_of(stones: str, rule: str) -> Outcome | None:
    """The outcome when the X marked `x` completes this row on an otherwise empty board."""
    game = load_game(f"gomoku:size=15,rule={rule}")
    cells = bytearray(225)
    for column, stone in enumerate(stones):
        cells[7 * 15 + column] = {"X": 1, "x": 1, "O": 2}.get(stone, 0)
    return game.outcome(Position(bytes(cells), 2, (7 * 15 + stones.index("x"),)))


@pytest.mark.parametrize(
    ("stones", "winning"),
    [
        ("_XXxX__", ""),
        ("_XXxXX_", "freestyle standard caro caro_exact"),
        ("OXXxXXO", "freestyle standard"),
        ("XXXxXX_", "freestyle caro"),
        ("XXXXxXXXX", "freestyle caro"),
        ("XXXX_xXXXX", "freestyle standard caro caro_exact"),
        ("X_XXXXx_X", "freestyle standard caro caro_exact"),
        ("_xXXXX", "freestyle standard caro caro_exact"),
        ("OXXxXX_", "freestyle standard caro caro_exact"),
        ("_XXxXXO", "freestyle standard caro caro_exact"),
        ("xXXXXO", "freestyle standard caro caro_exact"),  # the edge blocks nothing
        ("OXXXXxXO", "freestyle caro"),
        ("OXXXXX_xXXXXX", "freestyle caro"),
        ("OXXXX_xO", ""),
        ("_XXXX_xXXXXO", "freestyle standard caro caro_exact"),
        ("OxXXXXO_", "freestyle standard"),
        ("OXXXXXxXXXXO", "freestyle caro"),
    ],
)
def test_rows_that_win_by_each_rule(stones: str, winning: str) -> None:
    assert [rule for rule in RULES if row_of(stones, rule)] == winning.split()


@st.composite
def crowded(draw: st.DrawFn) -> tuple[int, Position]:
    """A board full of runs, and a stone of it that was the last."""
    size = draw(st.integers(5, 9))
    text = draw(st.lists(st.sampled_from([b"\1", b"\1\1\1\1\1", b"\2", b"\2" * 5, b"\0"])))
    cells = b"".join(text)[: size * size].ljust(size * size, b"\0")
    if draw(st.booleans()):
        cells = bytes(cells[row + size * column] for row in range(size) for column in range(size))
    stones = [cell for cell, stone in enumerate(cells) if stone] or [0]
    last = draw(st.sampled_from(stones))
    return size, Position(cells, 3 - cells[last] if cells[last] else 2, (last,))


@given(crowded(), st.sampled_from(RULES))
@settings(max_examples=100)
def test_crowded_boards_are_judged_by_definition(drawn: tuple[int, Position], rule: str) -> None:
    size, p = drawn
    if p.cells[p.moves[-1]]:
        game = load_game(f"gomoku:size={size},rule={rule}")
        assert game.outcome(p) == defined_outcome(p, size, 5, rule)


@given(crowded(), st.sampled_from(RULES))
def test_a_win_stays_one_when_turned_and_swapped(drawn: tuple[int, Position], rule: str) -> None:
    size, p = drawn
    game = load_game(f"gomoku:size={size},rule={rule}")
    if not p.cells[p.moves[-1]]:
        return
    expected = game.outcome(p)
    for order in symmetries(size):
        last = order.index(p.moves[-1])
        turned = Position(bytes(p.cells[cell] for cell in order), p.turn, (last,))
        assert game.outcome(turned) == expected
    swapped = Position(p.cells.translate(bytes([0, 2, 1, *range(3, 256)])), 3 - p.turn, p.moves)
    other = game.outcome(swapped)
    assert bool(other) == bool(expected)
    if expected and other and expected.winner:
        assert other.winner == 3 - expected.winner


def wins_in(line: str, own: str, rule: str) -> bool:
    other, at = "21"[int(own) - 1], 0
    for stone, group in groupby(line):
        length = len(list(group))
        is_blocked = line[max(at - 1, 0) : at] == other == line[at + length : at + length + 1]
        if stone == own and wins(rule, 5, length, is_blocked):
            return True
        at += length
    return False


def is_loud(line: str, rule: str) -> bool:
    """True if a line has a five, a four or a live three of either side, by trying every stone."""

    def added(line: str, cell: int, own: str) -> str:
        return line[:cell] + own + line[cell + 1 :]

    for own in "12":
        empty = [cell for cell, stone in enumerate(line) if stone == "0"]
        if wins_in(line, own, rule) or any(wins_in(added(line, c, own), own, rule) for c in empty):
            return True
        for start in range(len(line) - 5):
            ends, inside = (start, start + 5), line[start + 1 : start + 5]
            if {line[end] for end in ends} == {"0"} and sorted(inside) == sorted("0" + own * 3):
                four = line[: start + 1] + own * 4 + line[start + 5 :]
                if all(wins_in(added(four, end, own), own, rule) for end in ends):
                    return True
    return False


@given(st.text("0011222", min_size=5, max_size=15), st.sampled_from(RULES))
@settings(max_examples=100)
def test_quiet_lines_are_those_without_a_four_and_a_live_three(line: str, rule: str) -> None:
    assert bool(loud_pattern(5, rule, "12").search(line)) == is_loud(line, rule)  # type: ignore[arg-type]


def test_a_full_board_without_five_is_a_draw() -> None:
    game = load_game("gomoku:size=5")
    rows = ["11221", "22112", "11221", "22112", "11221"]
    cells = bytes(int(stone) for row in rows for stone in row)
    assert all(len(list(group)) < 5 for row in rows for _, group in groupby(row))
    assert game.outcome(Position(cells, 2, (24,))) == Outcome(None, "full board")


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


@pytest.mark.parametrize(
    ("moves", "is_forced"),
    [
        ("7,5 0,0 7,6 0,14 7,7", False),  # the other side's live three can be met in several ways
        ("7,5 0,0 7,6 0,14 7,7 9,9", True),  # the mover's becomes an open four
        ("7,5 7,4 7,6 0,14 7,7 9,9", False),  # closed at one side
        ("0,0 9,9 0,1 9,14 0,2 5,5 0,3", True),  # a four that must be stopped
        ("0,0 9,9 0,1 9,14 0,2 5,5 0,3 3,3", True),  # one that wins
    ],
)
def test_forced_positions_have_a_win_or_a_five_to_be_stopped(moves: str, is_forced: bool) -> None:
    game = load_game("gomoku:size=15")
    assert game.is_forced(place_opening(game, moves)) == is_forced  # type: ignore[attr-defined]


def test_under_exact_five_an_own_stone_two_cells_off_spoils_a_live_three() -> None:
    moves = "7,1 0,0 7,4 0,2 7,5 0,4 7,6 0,6 7,9 2,2"  # X__XXX__X: a fourth leaves one way to five
    for rule, is_quiet in (("freestyle", False), ("standard", True)):
        game = load_game(f"gomoku:rule={rule}")
        assert game.is_quiet(place_opening(game, moves)) == is_quiet  # type: ignore[attr-defined]
