"""The referee's renju: published positions, the definition written out, and how games end."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from support.samples import ROOT

from arena import load_game
from arena.game import Forbids, Outcome, Position
from arena.games.gomoku import DIRECTIONS
from arena.games.renju import Renju
from arena.match.play import place_opening

DATA = json.loads((ROOT / "tests/data" / "renju_forbidden.json").read_text())
SIZE = 15

Stones = dict[tuple[int, int], int]  # A board by (row, column); empty points are left out


def position(case: dict[str, Any]) -> Position:
    """A case's position; the file gives columns first, and Black's and White's stones in turn."""
    cells = bytearray(SIZE * SIZE)
    for number, (column, row) in enumerate(case["moves"]):
        cells[row * SIZE + column] = 1 + number % 2
    return Position(bytes(cells), 1)


def all_forbidden(game: Renju, p: Position) -> dict[int, str]:
    kinds = {move: game.forbidden(p, move) for move in range(game.size**2)}
    return {move: kind for move, kind in kinds.items() if kind}


def test_forbidden_points_of_published_positions() -> None:
    for case in DATA["cases"]:
        found = all_forbidden(Renju(), position(case))
        assert sorted(found) == sorted(y * SIZE + x for x, y in case["forbidden"]), case["id"]
        for move, kind in found.items():
            assert kind in case["kinds"][f"{move % SIZE},{move // SIZE}"].split("+")


def run(stones: Stones, point: tuple[int, int], step: tuple[int, int]) -> list[tuple[int, int]]:
    """The black stones in a row through a black stone, in order, by walking."""
    (row, column), (down, right) = point, step
    while stones.get((row - down, column - right)) == 1:
        row, column = row - down, column - right
    found = []
    while stones.get((row, column)) == 1:
        found.append((row, column))
        row, column = row + down, column + right
    return found


def empty(stones: Stones, size: int) -> list[tuple[int, int]]:
    points = [(row, column) for row in range(size) for column in range(size)]
    return [point for point in points if point not in stones]


def near(point: tuple[int, int], step: tuple[int, int], free: list[Any]) -> list[Any]:
    (row, column), (down, right) = point, step
    return [p for k in range(-4, 5) if (p := (row + k * down, column + k * right)) in free]


def defined(stones: Stones, point: tuple[int, int], size: int) -> str | None:
    """The shape that a black stone makes: the specification word for word."""
    after = stones | {point: 1}
    free = empty(after, size)
    runs = [len(run(after, point, step)) for step in DIRECTIONS]
    if 5 in runs:
        return "five"
    if max(runs) > 5:
        return "overline"
    fours = {
        frozenset(five) - {more}
        for step in DIRECTIONS
        for more in near(point, step, free)
        if point in (five := run(after | {more: 1}, more, step)) and len(five) == 5
    }
    if len(fours) > 1:
        return "double-four"
    threes = [
        step
        for step in DIRECTIONS
        if any(
            makes_straight_four(after, point, more, step, size) for more in near(point, step, free)
        )
    ]
    return "double-three" if len(threes) > 1 else None


def makes_straight_four(
    stones: Stones, point: tuple[int, int], more: tuple[int, int], step: tuple[int, int], size: int
) -> bool:
    """True if one more stone, itself allowed and no five, makes a straight four with this."""
    after = stones | {more: 1}
    four = run(after, more, step)
    if point not in four or len(four) != 4:
        return False
    (down, right), first, last = step, four[0], four[-1]
    ends = [(first[0] - down, first[1] - right), (last[0] + down, last[1] + right)]
    free = empty(after, size)
    return (
        all(end in free and len(run(after | {end: 1}, end, step)) == 5 for end in ends)
        and defined(stones, more, size) is None
    )


def crowded(seed: int, size: int) -> Stones:
    """More black stones than white ones, near one spot."""
    rng = random.Random(seed)
    centre = (rng.randrange(size), rng.randrange(size))
    points = [
        (row, column)
        for row in range(size)
        for column in range(size)
        if max(abs(row - centre[0]), abs(column - centre[1])) <= 4
    ]
    chosen = rng.sample(points, min(len(points), rng.randint(8, 20)))
    return {point: 1 if rng.random() < 0.75 else 2 for point in chosen}


def cells_of(stones: Stones, size: int) -> bytes:
    return bytes(stones.get(divmod(move, size), 0) for move in range(size * size))


@pytest.mark.slow
def test_forbidden_points_equal_the_definition() -> None:
    size, kinds = 11, set()
    for seed in range(60):
        stones = crowded(seed, size)
        p = Position(cells_of(stones, size), 1)
        game = Renju(size)
        for point in empty(stones, size):
            expected = defined(stones, point, size)
            kinds.add(expected)
            found = game.forbidden(p, point[0] * size + point[1])
            assert found == (None if expected == "five" else expected), (seed, point)
    assert kinds == {None, "five", "overline", "double-four", "double-three"}


CROSS = "7,6 0,0 7,8 0,14 6,7 14,0 8,7 14,14"  # Black's next stone on 7,7 makes two threes


def test_a_forbidden_point_can_be_played_and_loses() -> None:
    game = Renju()
    p = place_opening(game, CROSS)
    move = game.parse("7,7")
    assert isinstance(game, Forbids)
    assert game.forbidden(p, move) == "double-three"
    assert game.is_legal(p, move)
    assert move in game.moves(p)
    after = game.play(p, move)
    assert game.outcome(after) == Outcome(2, "forbidden")
    assert not game.moves(after)


def test_nothing_is_forbidden_to_white() -> None:
    game = Renju()
    p = place_opening(game, "14,7 " + CROSS)
    assert p.turn == 2
    assert not all_forbidden(game, p)
    assert game.outcome(game.play(p, game.parse("7,7"))) is None


def test_what_cannot_be_played_is_not_forbidden() -> None:
    game = Renju()
    p = place_opening(game, CROSS)
    assert game.forbidden(p, game.parse("7,6")) is None
    assert game.forbidden(p, -1) is game.forbidden(p, SIZE * SIZE) is None


def row_of(text: str) -> Outcome | None:
    cells = bytearray(SIZE * SIZE)
    for column, stone in enumerate(text):
        cells[7 * SIZE + column] = {"X": 1, "O": 2}.get(stone.upper(), 0)
    last = next(column for column, stone in enumerate(text) if stone.islower())
    return Renju().outcome(Position(bytes(cells), 2 if "x" in text else 1, (7 * SIZE + last,)))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("_XXxXX_", Outcome(1, "line")),
        ("_XXxXXX_", Outcome(2, "forbidden")),
        ("_OOoOO_", Outcome(2, "line")),
        ("_OOoOOO_", Outcome(2, "line")),
        ("X_XxX_X", Outcome(2, "forbidden")),
        ("_XXxX_", None),
        ("O_OoO_O", None),
    ],
)
def test_five_wins_and_six_win_for_white_only(text: str, outcome: Outcome | None) -> None:
    assert row_of(text) == outcome


def test_a_five_wins_whatever_else_the_stone_makes() -> None:
    game = Renju()
    cells = bytearray(SIZE * SIZE)
    for text in ("7,3 7,4 7,5 7,6", "2,7 3,7 4,7 5,7 6,7 8,7", "6,6 5,5 8,8 9,9"):
        for point in text.split():
            cells[game.parse(point)] = 1
    p = Position(bytes(cells), 1)
    assert game.forbidden(p, game.parse("7,7")) is None
    assert game.outcome(game.play(p, game.parse("7,7"))) == Outcome(1, "line")


def test_blacks_last_point_may_be_forbidden() -> None:
    """On a full board, too."""
    stripes = ("112" * 5, "221" * 5)
    cells = bytearray(int(stone) for row in range(SIZE) for stone in stripes[row // 2 % 2])
    cells[7 * SIZE : 7 * SIZE + 7] = b"\1" * 7
    game, last = Renju(), 7 * SIZE + 2
    cells[last] = 0
    p = Position(bytes(cells), 1)
    assert game.forbidden(p, last) == "overline"
    assert game.outcome(game.play(p, last)) == Outcome(2, "forbidden")


@pytest.mark.parametrize(("first", "is_quiet"), [("", True), ("3,3 ", False)])
def test_a_live_three_with_a_stone_beyond_is_loud_for_white(first: str, is_quiet: bool) -> None:
    """`X__XXX__X`; with a black stone before, the same stones are White's."""
    game = load_game("renju")
    p = place_opening(game, first + "7,1 0,0 7,4 0,2 7,5 0,4 7,6 0,6 7,9 2,2")
    assert game.is_quiet(p) == is_quiet  # type: ignore[attr-defined]
