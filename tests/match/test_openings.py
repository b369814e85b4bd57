"""Openings: seeded, near the centre, quiet, and distinct under the eight symmetries."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from arena import ConfigError, load_game
from arena.game import symmetries
from arena.match.opening import Openings, fault_of
from arena.match.openings import random
from arena.match.play import place_opening
from arena.plugins.load import Named
from arena.plugins.parameters import parameters

GAME = load_game("gomoku:size=15")


def turned(cells: bytes, size: int) -> bytes:
    return bytes(
        cells[(size - 1 - column) * size + row] for row in range(size) for column in range(size)
    )


def mirrored(cells: bytes, size: int) -> bytes:
    return b"".join(cells[row * size : (row + 1) * size][::-1] for row in range(size))


def test_the_eight_symmetries_are_those_of_the_square() -> None:
    for size in (3, 4, 15):
        cells = bytes(i * 7 % 251 for i in range(size * size))
        by_hand = images(cells, size)
        assert {bytes(cells[i] for i in order) for order in symmetries(size)} == by_hand
        assert len(by_hand) == 8


def images(cells: bytes, size: int) -> set[bytes]:
    """All that a board can be turned and mirrored to."""
    found = set()
    for _ in range(4):
        cells = turned(cells, size)
        found |= {cells, mirrored(cells, size)}
    return found


@pytest.mark.parametrize("plies", [1, 4, 9])
def test_they_are_distinct_quiet_and_near_the_centre(plies: int) -> None:
    count = 8 if plies == 1 else 60
    openings = list(random.openings(GAME, plies=plies, count=count, seed=3))
    shapes = set()
    for opening in openings:
        p = place_opening(GAME, opening)
        assert p.ply == plies
        assert GAME.is_quiet(p)  # type: ignore[attr-defined]
        numbers = [int(number) for number in re.findall(r"\d+", opening)]
        assert all(4 <= number <= 10 for number in numbers)
        shapes.add(min(images(p.cells, 15)))
    assert len(shapes) == count


@pytest.mark.parametrize(
    ("size", "plies", "spread", "count"),
    # The first three are all that there are, counted by hand.
    [(15, 1, 3, 10), (8, 1, 2, 6), (9, 2, 1, 12), (7, 3, 2, 600), (8, 4, 1, 900), (9, 4, 2, 900)],
)
def test_what_is_the_same_turned_or_mirrored_comes_once(
    size: int, plies: int, spread: int, count: int
) -> None:
    game = load_game(f"gomoku:size={size}")
    openings = random.openings(game, plies=plies, spread=spread, count=count, seed=1)
    boards = [place_opening(game, opening).cells for opening in openings]
    assert len({min(images(cells, size)) for cells in boards}) == count


def windows(size: int, length: int) -> list[slice]:
    """Every row, column and diagonal of this number of cells."""
    return [
        slice(start, start + (length - 1) * step + 1, step)
        for row in range(size)
        for column in range(size)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + down * (length - 1) < size and 0 <= column + right * (length - 1) < size
        for start, step in [(row * size + column, down * size + right)]
    ]


@pytest.mark.parametrize(("size", "spread"), [(8, 1), (9, 2)])
def test_neither_player_has_a_four_or_a_live_three(size: int, spread: int) -> None:
    game = load_game(f"gomoku:size={size}")
    fives, sixes = windows(size, 5), windows(size, 6)
    for opening in random.openings(game, plies=8, spread=spread, count=300, seed=1):
        cells = place_opening(game, opening).cells
        for own in (1, 2):
            assert not any(sorted(cells[five]) == [0, *[own] * 4] for five in fives)
            bodies = [cells[six][1:5] for six in sixes if cells[six][0] == cells[six][-1] == 0]
            assert not any(sorted(body) == [0, *[own] * 3] for body in bodies)


def test_the_seed_decides_and_a_larger_count_only_adds() -> None:
    few, many = (list(random.openings(GAME, count=count, seed=5)) for count in (5, 50))
    assert many[:5] == few
    assert list(random.openings(GAME, count=5, seed=6)) != few


def test_every_parameter_has_its_range() -> None:
    found = {each.name: each.range for each in parameters(random.openings)}
    bounds = {name: (range.low, range.high) for name, range in found.items() if range}
    assert bounds == {
        "plies": (0, 40),
        "count": (1, 10**6),
        "spread": (1, 12),
        "skip": (0, 10**6),
    }


def test_a_part_shares_what_the_whole_has_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    source = iter("abcdef")
    monkeypatch.setattr(random, "openings", lambda game, *, count, skip=0: source)
    whole = Openings(Named("random", {"count": 6}), Named("gomoku"))
    assert list(whole.part(3, 3)) == ["d", "e", "f"]
    assert whole.part(3, 3).source.parameters == {"count": 3, "skip": 3}
    assert list(whole.part(1, 2)) == ["b", "c"]
    assert list(whole) == list("abcdef")


def test_a_source_that_ends_too_early_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "openings", lambda game, *, count: iter("abc"))
    whole = Openings(Named("random", {"count": 5}), Named("gomoku"))
    for _ in range(2):
        with pytest.raises(ConfigError, match="random has 3 openings, not 4"):
            list(whole)


def test_they_come_lazily() -> None:
    assert len(list(islice(random.openings(GAME, count=1_000_000), 3))) == 3


def test_no_more_are_drawn_than_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    source = iter("abcdef")
    monkeypatch.setattr(random, "openings", lambda game, *, count: source)
    openings = Openings(Named("random", {"count": 5}), Named("gomoku"))
    assert (len(openings), openings[1], openings[0]) == (5, "b", "a")
    assert next(source) == "c"
    assert openings[:3] == ["a", "b", "d"]
    assert openings[-1] == "f"
    with pytest.raises(IndexError):
        openings[5]


def test_on_a_board_of_even_size_the_centre_has_four_cells() -> None:
    numbers = {
        int(number)
        for opening in random.openings(load_game("gomoku:size=20"), count=200, spread=1)
        for number in re.findall(r"\d+", opening)
    }
    assert numbers == {8, 9, 10, 11}


def test_no_plies_is_the_empty_board_once() -> None:
    game = load_game("gomoku:size=5")
    assert list(random.openings(game, plies=0, count=1)) == [""]
    with pytest.raises(ConfigError, match=r"only 1 quiet opening of 0 plies .* not 2"):
        list(random.openings(game, plies=0, count=2))


def test_they_work_on_any_game() -> None:
    game = load_game("tictactoe")
    assert len(set(random.openings(game, plies=1, count=3))) == 3
    with pytest.raises(ConfigError, match="not 4"):
        list(random.openings(game, plies=1, count=4))


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        ("7,7 7,8", None),
        ("", None),
        ("7,7 7,7", "7,7 is not legal after 1 moves"),
        ("7,7 20,1", "off the board"),
        ("h8", "write it as"),
        ("0,0 9,0 0,1 9,1 0,2 9,2 0,3 9,3 0,4", "over before an engine moves"),
        ("0,0 9,0 0,1 9,1 0,2 9,2 0,3 9,3 0,4 9,4", "over before 9,4"),
    ],
)
def test_an_explicit_opening_must_leave_a_game_to_play(opening: str, expected: str | None) -> None:
    found = fault_of(GAME, opening)
    assert (found is None) if expected is None else (expected in (found or ""))
