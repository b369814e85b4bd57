"""The table of positions: what it keeps, what gives way to what, and what it forgets."""

from __future__ import annotations

from typing import Any

import pytest

from arena.engines import live_dead
from arena.engines.kit.bounds import AT_LEAST, AT_MOST, EXACTLY
from arena.engines.kit.selective.positions import (
    BELIEVED,
    BUCKET,
    WIN,
    doubted,
    forget_positions,
    is_proven,
    learn,
    recall,
)
from arena.games import gomoku


@pytest.fixture
def board() -> Any:
    board = live_dead.engine(gomoku.game(), search="selective", position_bits=4).board
    forget_positions(board)
    return board


def same_bucket(count: int) -> list[int]:
    """Keys that share a bucket: with the same low bits in both halves."""
    return [(1 + 16 * place) << 32 | (16 * place) for place in range(count)]


def known(board: Any, key: int, ply: int = 0) -> tuple[int, int, int, int] | None:
    """Depth, value, kind of bound and move; None if the position is not there."""
    if not recall(board, key, ply):
        return None
    names = ("found_depth", "found_value", "found_kind", "found_move")
    depth, value, kind, move = (int(board[name]) for name in names)
    return depth, value, kind, move


@pytest.mark.parametrize(
    ("value", "kind"), [(-7, EXACTLY), (50, AT_LEAST), (90, AT_LEAST), (-50, AT_MOST)]
)
def test_depth_value_bound_and_move_are_kept(board: Any, value: int, kind: int) -> None:
    learn(board, 99, 0, 7, value, -50, 50, 333)
    assert known(board, 99) == (7, value, kind, 333)
    assert known(board, 98) is None


@pytest.mark.parametrize("value", [WIN - 9, 9 - WIN, BELIEVED - 9, 9 - BELIEVED])
def test_wins_are_kept_by_their_distance_from_the_position(board: Any, value: int) -> None:
    learn(board, 99, 4, 1, value, value - 1, value + 1, 0)
    farther = 2 if value < 0 else -2
    found = known(board, 99, 6)
    assert found
    assert found[1] == value + farther


def test_a_result_without_a_move_keeps_the_one_that_was_known(board: Any) -> None:
    learn(board, 99, 0, 7, 1, 0, 2, 333)
    learn(board, 99, 0, 8, 0, 0, 2, 0)
    assert known(board, 99) == (8, 0, AT_MOST, 333)


def test_the_shallowest_gives_way(board: Any) -> None:
    keys = same_bucket(BUCKET + 1)
    for depth, key in zip((5, 2, 9, 7), keys, strict=False):
        learn(board, key, 0, depth, 0, -1, 1, 0)
    learn(board, keys[-1], 0, 1, 0, -1, 1, 0)
    assert [known(board, key) is not None for key in keys] == [True, False, True, True, True]


@pytest.mark.parametrize("moves", [1, 64])
def test_an_old_one_gives_way_before_a_shallower_one_of_this_move(board: Any, moves: int) -> None:
    keys = same_bucket(BUCKET + 1)
    learn(board, keys[0], 0, 8, 0, -1, 1, 0)
    board["generation"] += moves
    for key in keys[1:]:
        learn(board, key, 0, 3, 0, -1, 1, 0)
    assert [known(board, key) is not None for key in keys] == [False, True, True, True, True]


def test_one_that_was_found_is_as_good_as_new(board: Any) -> None:
    keys = same_bucket(BUCKET + 1)
    for key in keys[:2]:
        learn(board, key, 0, 3, 0, -1, 1, 0)
    board["generation"] += 2
    assert known(board, keys[0])
    for key in keys[2:]:
        learn(board, key, 0, 3, 0, -1, 1, 0)
    assert [known(board, key) is not None for key in keys] == [True, False, True, True, True]


def test_the_last_bound_counts_however_deep_the_one_before(board: Any) -> None:
    learn(board, 99, 0, 9, 60, -50, 50, 333)
    learn(board, 99, 0, 2, 0, -50, 50, 444)
    assert known(board, 99) == (2, 0, EXACTLY, 444)


def test_a_move_that_failed_as_all_others_did_takes_no_place_of_one_that_was_known(
    board: Any,
) -> None:
    learn(board, 99, 0, 2, -60, -50, 50, 333)
    learn(board, 99, 0, 3, -70, -50, 50, 444)
    assert known(board, 99) == (3, -70, AT_MOST, 333)
    learn(board, 99, 0, 4, 60, -50, 50, 555)
    assert known(board, 99) == (4, 60, AT_LEAST, 555)
    learn(board, 99, 0, 5, 60, -50, 50, 0)
    assert known(board, 99) == (5, 60, AT_LEAST, 555)


def test_a_proven_result_gives_way_to_no_other(board: Any) -> None:
    learn(board, 99, 0, 1, WIN - 9, -50, 50, 333)
    learn(board, 99, 0, 12, 0, -50, 50, 444)
    assert known(board, 99) == (1, WIN - 9, AT_LEAST, 333)
    learn(board, 99, 0, 1, WIN - 5, -50, 50, 555)
    assert known(board, 99) == (1, WIN - 5, AT_LEAST, 555)


@pytest.mark.parametrize("value", [WIN - 9, 9 - WIN])
def test_a_win_at_most_and_a_loss_at_least_prove_nothing(board: Any, value: int) -> None:
    alpha, beta = (value + 1, value + 5) if value > 0 else (value - 5, value - 1)
    learn(board, 99, 0, 1, value, alpha, beta, 333)
    learn(board, 99, 0, 2, 40, -50, 50, 444)
    assert known(board, 99) == (2, 40, EXACTLY, 444)


def test_nothing_is_found_once_all_is_forgotten(board: Any) -> None:
    learn(board, 99, 0, 7, 1, 0, 2, 333)
    forget_positions(board)
    assert known(board, 99) is None


def test_what_was_forgotten_takes_no_room(board: Any) -> None:
    keys = same_bucket(BUCKET)
    for key in keys:
        learn(board, key, 0, 9, 0, -1, 1, 0)
    forget_positions(board)
    for key in keys:
        learn(board, key, 0, 1, 0, -1, 1, 0)
    assert all(known(board, key) for key in keys)


def test_without_bits_nothing_is_kept() -> None:
    board = live_dead.engine(gomoku.game(), search="selective", position_bits=0).board
    learn(board, 99, 0, 7, 1, 0, 2, 333)
    assert known(board, 99) is None


def test_a_doubted_loss_is_no_claim_but_worse_than_any_evaluation() -> None:
    assert is_proven(6 - WIN)
    assert not is_proven(doubted(6 - WIN))
    assert doubted(6 - WIN) == 6 - BELIEVED
    assert doubted(WIN - 6) == WIN - 6
    assert doubted(-123) == -123
