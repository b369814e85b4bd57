"""Nodes of the selective search: what is kept of them, looked for again, and passed over."""

from __future__ import annotations

import json
from math import log
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from support.samples import ROOT

from arena.engine import Limit
from arena.engines import balance, live_dead, patterns
from arena.engines.kit.benchmarks import positions
from arena.engines.kit.bounds import AT_LEAST, AT_MOST, EXACTLY, INFINITY
from arena.engines.kit.clock import begin
from arena.engines.kit.selective.moves import TOP_HISTORY, find_near, open_order
from arena.engines.kit.selective.positions import (
    BELIEVED,
    BUCKET,
    LARGEST,
    WIN,
    doubted,
    forget_positions,
    is_proven,
    learn,
    position_key,
    recall,
    static_value,
)
from arena.engines.kit.selective.search import (
    begin_moves,
    depth_entered,
    next_move,
    plies_off,
    seek,
    try_first,
)
from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.candidates import STACK
from arena.engines.kit.shapes.table import CELLS, ONE_THREE, cell_of
from arena.engines.kit.threats.forced_wins import list_defences, win_by_fours, win_by_threats
from arena.game import Position
from arena.games import gomoku, renju
from arena.games.gomoku import Gomoku


@pytest.fixture
def table() -> Any:
    found = live_dead.engine(gomoku.game(), search="selective", position_bits=4).board
    forget_positions(found)
    return found


def same_bucket(count: int) -> list[int]:
    """Keys that share a bucket: with the same low bits in both halves."""
    return [(1 + 16 * place) << 32 | (16 * place) for place in range(count)]


def known(table: Any, key: int, ply: int = 0) -> tuple[int, int, int, int] | None:
    """Depth, value, kind of bound and move; None if the position is not there."""
    if not recall(table, key, ply):
        return None
    names = ("found_depth", "found_value", "found_kind", "found_move")
    depth, value, kind, move = (int(table[name]) for name in names)
    return depth, value, kind, move


@pytest.mark.parametrize(
    ("value", "kind"), [(-7, EXACTLY), (50, AT_LEAST), (90, AT_LEAST), (-50, AT_MOST)]
)
def test_depth_value_bound_and_move_are_kept(table: Any, value: int, kind: int) -> None:
    learn(table, 99, 0, 7, value, -50, 50, 333)
    assert known(table, 99) == (7, value, kind, 333)
    assert known(table, 98) is None


@pytest.mark.parametrize("value", [WIN - 9, 9 - WIN, BELIEVED - 9, 9 - BELIEVED])
def test_wins_are_kept_by_their_distance_from_the_position(table: Any, value: int) -> None:
    learn(table, 99, 4, 1, value, value - 1, value + 1, 0)
    farther = 2 if value < 0 else -2
    found = known(table, 99, 6)
    assert found
    assert found[1] == value + farther


def test_a_result_without_a_move_keeps_the_one_that_was_known(table: Any) -> None:
    learn(table, 99, 0, 7, 1, 0, 2, 333)
    learn(table, 99, 0, 8, 0, 0, 2, 0)
    assert known(table, 99) == (8, 0, AT_MOST, 333)


def test_the_shallowest_gives_way(table: Any) -> None:
    keys = same_bucket(BUCKET + 1)
    for depth, key in zip((5, 2, 9, 7), keys, strict=False):
        learn(table, key, 0, depth, 0, -1, 1, 0)
    learn(table, keys[-1], 0, 1, 0, -1, 1, 0)
    assert [known(table, key) is not None for key in keys] == [True, False, True, True, True]


@pytest.mark.parametrize("moves", [1, 64])
def test_an_old_one_gives_way_before_a_shallower_one_of_this_move(table: Any, moves: int) -> None:
    keys = same_bucket(BUCKET + 1)
    learn(table, keys[0], 0, 8, 0, -1, 1, 0)
    table["generation"] += moves
    for key in keys[1:]:
        learn(table, key, 0, 3, 0, -1, 1, 0)
    assert [known(table, key) is not None for key in keys] == [False, True, True, True, True]


def test_one_that_was_found_is_as_good_as_new(table: Any) -> None:
    keys = same_bucket(BUCKET + 1)
    for key in keys[:2]:
        learn(table, key, 0, 3, 0, -1, 1, 0)
    table["generation"] += 2
    assert known(table, keys[0])
    for key in keys[2:]:
        learn(table, key, 0, 3, 0, -1, 1, 0)
    assert [known(table, key) is not None for key in keys] == [True, False, True, True, True]


def test_the_last_bound_counts_however_deep_the_one_before(table: Any) -> None:
    learn(table, 99, 0, 9, 60, -50, 50, 333)
    learn(table, 99, 0, 2, 0, -50, 50, 444)
    assert known(table, 99) == (2, 0, EXACTLY, 444)


def test_a_move_that_failed_like_all_others_takes_no_place_of_a_known_one(table: Any) -> None:
    learn(table, 99, 0, 2, -60, -50, 50, 333)
    learn(table, 99, 0, 3, -70, -50, 50, 444)
    assert known(table, 99) == (3, -70, AT_MOST, 333)
    learn(table, 99, 0, 4, 60, -50, 50, 555)
    assert known(table, 99) == (4, 60, AT_LEAST, 555)
    learn(table, 99, 0, 5, 60, -50, 50, 0)
    assert known(table, 99) == (5, 60, AT_LEAST, 555)


def test_a_proven_result_gives_way_to_no_other(table: Any) -> None:
    learn(table, 99, 0, 1, WIN - 9, -50, 50, 333)
    learn(table, 99, 0, 12, 0, -50, 50, 444)
    assert known(table, 99) == (1, WIN - 9, AT_LEAST, 333)
    learn(table, 99, 0, 1, WIN - 5, -50, 50, 555)
    assert known(table, 99) == (1, WIN - 5, AT_LEAST, 555)


@pytest.mark.parametrize("value", [WIN - 9, 9 - WIN])
def test_a_win_at_most_and_a_loss_at_least_prove_nothing(table: Any, value: int) -> None:
    alpha, beta = (value + 1, value + 5) if value > 0 else (value - 5, value - 1)
    learn(table, 99, 0, 1, value, alpha, beta, 333)
    learn(table, 99, 0, 2, 40, -50, 50, 444)
    assert known(table, 99) == (2, 40, EXACTLY, 444)


def test_nothing_is_found_once_all_is_forgotten(table: Any) -> None:
    learn(table, 99, 0, 7, 1, 0, 2, 333)
    forget_positions(table)
    assert known(table, 99) is None


def test_what_was_forgotten_takes_no_room(table: Any) -> None:
    keys = same_bucket(BUCKET)
    for key in keys:
        learn(table, key, 0, 9, 0, -1, 1, 0)
    forget_positions(table)
    for key in keys:
        learn(table, key, 0, 1, 0, -1, 1, 0)
    assert all(known(table, key) for key in keys)


def test_without_bits_nothing_is_kept() -> None:
    table = live_dead.engine(gomoku.game(), search="selective", position_bits=0).board
    learn(table, 99, 0, 7, 1, 0, 2, 333)
    assert known(table, 99) is None


def test_a_doubted_loss_is_no_claim_but_worse_than_any_evaluation() -> None:
    assert is_proven(6 - WIN)
    assert not is_proven(doubted(6 - WIN))
    assert doubted(6 - WIN) == 6 - BELIEVED
    assert doubted(WIN - 6) == WIN - 6
    assert doubted(-123) == -123


GAME = gomoku.game()
CASES = json.loads((ROOT / "research/benchmarks/positions/vcf.json").read_text())["cases"]


def board_at(
    p: Position, kind: ModuleType = balance, game: Gomoku = GAME, **parameters: Any
) -> Any:
    """A board on which the position is ready to be searched by an engine of this kind."""
    if kind is balance:
        parameters["search"] = "selective"
    player: Any = kind.engine(game, **parameters)
    player.new_game(0)
    begin(player.board, Limit())
    put(player.board, p.cells, p.moves)
    find_near(player.board)
    player.board["root_player"], player.board["top"] = p.turn - 1, 0
    return player.board


def known_win() -> Position:
    p = GAME.start()
    for column, row in next(case["moves"] for case in CASES if case["rule"] == "freestyle"):
        p = GAME.play(p, row * GAME.size + column)
    return p


def test_a_position_met_as_a_leaf_is_searched_for_fours_again_where_it_is_none() -> None:
    p = known_win()
    board = board_at(p, leaf_fours=1, inner_fours=20)
    seek(board, p.turn - 1, 0, -INFINITY, INFINITY, 1)
    assert board["forced_nodes"] == 0
    seek(board, p.turn - 1, 1, -INFINITY, INFINITY, 1)
    assert board["forced_nodes"] > 0


def test_with_fours_below_a_node_whose_evaluation_reaches_beta_is_not_searched_for_fours() -> None:
    p = known_win()
    board, player = board_at(p, fours_below=1, leaf_fours=20), p.turn - 1
    value = static_value(board, player)
    for beta in (value - 1, value):
        assert seek(board, player, 0, beta - 1, beta, 1) == value
    assert seek(board, player, 2, -LARGEST, 1 - LARGEST, 1) == value
    assert board["forced_nodes"] == 0
    assert seek(board, player, 0, value, value + 1, 1) > LARGEST
    assert board["forced_nodes"] > 0


def to_be_stopped() -> Position:
    """A broken three, which several points spoil, and a four of the mover's own."""
    p = GAME.start()
    for move in (112, 0, 113, 1, 115, 2, 60):
        p = GAME.play(p, move)
    return p


def test_the_move_of_the_table_is_the_first_answer_to_two_fours() -> None:
    p = to_be_stopped()
    board, player = board_at(p), p.turn - 1

    def answers(first: int) -> list[int]:
        assert list_defences(board, player)
        begin_moves(board, player, 3, 0, 0, True)
        try_first(board, player, 0, first)
        found = []
        while cell := next_move(board, player, 3, 0, -INFINITY, -INFINITY, True):
            found.append(int(cell))
            board["node_tried"][0] += 1
        board["top"] = 0
        return found

    usual = answers(0)
    assert len(usual) > 3
    assert {cell_of(3, 15), cell_of(4, 15)} <= {*usual}, "own fours"
    for move in usual:
        assert answers(move) == [move, *(each for each in usual if each != move)]
    assert answers(cell_of(200, 15)) == usual, "a move that stops nothing"


@pytest.mark.parametrize("late", [0, 1, 2])
def test_late_spoilers_are_searched_a_ply_less_deep(late: int) -> None:
    p = GAME.start()
    for move in (112, 0, 113, 14, 115):
        p = GAME.play(p, move)
    board, player = board_at(p, late_spoilers=late), p.turn - 1
    assert list_defences(board, player)
    begin_moves(board, player, 3, 0, 0, True)
    off = []
    while cell := next_move(board, player, 3, 0, -INFINITY, -INFINITY, True):
        off.append(plies_off(board, player, cell, 3, 0, -INFINITY, True))
        board["node_tried"][0] += 1
    assert len(off) > 2
    assert off == [int(0 < late <= tried) for tried in range(len(off))]


def test_a_full_stack_ends_lines_of_play_and_searches_for_wins() -> None:
    p = known_win()
    board, player = board_at(p), p.turn - 1
    assert win_by_fours(board, player, 20, 1_000) > 0
    assert win_by_threats(board, player, 20, 1_000) > 0
    board["top"], board["nodes"] = STACK - GAME.size**2, 0
    assert seek(board, player, 3, -INFINITY, INFINITY, 1) == static_value(board, player)
    assert board["nodes"] == 1
    for search in (win_by_fours, win_by_threats):
        board["salt"] += 1
        assert search(board, player, 20, 1_000) == 0
        assert board["gave_up"] == 1


def test_a_move_that_gains_too_little_keeps_no_better_one_from_being_tried() -> None:
    p = dict(positions(GAME))["midgame-1"]
    board, player = board_at(p, killer_order=10_000, futility=0), p.turn - 1
    pairs = {cell: int(board["values"][cell]) for cell in (cell_of(m, 15) for m in GAME.moves(p))}
    gains = {cell: (pair >> 32) + (pair & 0xFFFFFFFF) for cell, pair in pairs.items()}
    begin_moves(board, player, 1, 0, 0, False)
    near = {next_move(board, player, 1, 0, -INFINITY, -INFINITY, True) for _ in range(20)}
    killer = min(near, key=lambda cell: gains[cell])
    board["killers"][0], board["top"] = killer, 0
    begin_moves(board, player, 1, 0, 0, False)
    board["node_tried"][0], board["evaluations"][0] = 1, 0
    cell = next_move(board, player, 1, 0, gains[killer], 0, False)
    assert gains[cell] > gains[killer]


def tried(board: Any, player: int, *, depth: int, with_window: bool, ply: int = 1) -> list[int]:
    """The moves tried in an open position, where one that does not lose was found."""
    board["top"] = 0
    begin_moves(board, player, depth, ply, 0, False)
    cells = []
    while cell := next_move(board, player, depth, ply, 0, 0, with_window):
        cells.append(int(cell))
        board["node_tried"][ply] += 1
    return cells


def gaps_of(board: Any, player: int, cells: list[int]) -> dict[int, int]:
    """The distance of each move's order below the greatest, in hundredths of a live three."""
    orders = {cell: open_order(board, cell, player) for cell in cells}
    return {
        cell: 100 * (max(orders.values()) - order) // int(board["point_unit"])
        for cell, order in orders.items()
    }


@pytest.mark.parametrize(("base", "with_window"), [("gap_base", False), ("gap_window", True)])
@pytest.mark.parametrize("depth", [1, 4])
@pytest.mark.parametrize("kind", [balance, patterns])
def test_moves_far_behind_the_best_are_left_out_unless_they_are_threats(
    kind: ModuleType, depth: int, base: str, with_window: bool
) -> None:
    p = dict(positions(GAME))["midgame-2"]
    every = {"breadth": 625, "count_base": 0, "futility_depth": 0, "gap_base": 0, "gap_window": 0}
    board = board_at(p, kind, **{**every, "gap_step": 40, "history_order": 1_000})
    player, most = p.turn - 1, 200 + 40 * depth
    listed = tried(board, player, depth=depth, with_window=True)
    threats = {cell for cell in listed if board["classes"][2 * cell + player] >= ONE_THREE}
    quiet = [cell for cell in listed if cell not in threats]
    gaps = gaps_of(board, player, listed)
    board["history"][:] = -TOP_HISTORY
    for place, cell in enumerate(quiet):  # they become further behind by 20, and threats by far
        history = (gaps[cell] - 20 * place) * TOP_HISTORY // 1_000
        board["history"][player * CELLS + cell] = max(history, -TOP_HISTORY)
    board["killers"][2] = killer = quiet[-1]
    listed = tried(board, player, depth=depth, with_window=True)
    assert listed[0] != killer
    board["killer_order"] = 10_000
    gaps = gaps_of(board, player, listed)
    expected = {cell for cell in listed if gaps[cell] <= most} | threats | {killer}
    board[base] = 200
    assert {*tried(board, player, depth=depth, with_window=with_window)} == expected
    assert {*tried(board, player, depth=depth, with_window=not with_window)} == {*listed}
    assert {*tried(board, player, depth=depth, with_window=with_window, ply=0)} == {*listed}
    assert sum(most - 40 < gaps[cell] <= most for cell in quiet) >= 2
    assert sum(most < gaps[cell] <= most + 40 for cell in quiet) >= 2
    # The killer is the first, so that it is tried, but nothing is behind it.
    assert min(gaps[killer], max(gaps[cell] for cell in threats)) > most


def test_no_move_is_behind_one_that_is_forbidden() -> None:
    game = renju.game()
    crossing = ("7,6", "0,0", "7,8", "0,14", "6,7", "14,0", "8,7", "14,14")
    p = game.start()
    for move in crossing:
        column, row = (int(each) for each in move.split(","))
        p = game.play(p, row * game.size + column)
    board, player = board_at(p, patterns, game=game, breadth=625, count_base=0), p.turn - 1
    cells, forbidden = tried(board, player, depth=9, with_window=True), cell_of(112, 15)
    orders = [open_order(board, cell, player) for cell in cells]
    assert open_order(board, forbidden, player) > max(orders)
    assert forbidden not in cells
    assert board["node_orders"][1] == max(orders)


REDUCTIONS = {
    "late_from": 3,
    "late_base": 37,
    "late_factor": 61,
    "late_window": 91,
    "late_sinking": 53,
    "late_threats": 71,
    "late_history": 113,
}


@pytest.mark.parametrize("with_window", [False, True])
@pytest.mark.parametrize("late_gap", [0, 70])
@pytest.mark.parametrize(("ply", "rises"), [(1, True), (2, True), (2, False)])
def test_plies_off_are_of_the_formula(
    ply: int, rises: bool, late_gap: int, with_window: bool
) -> None:
    p, c = dict(positions(GAME))["midgame-2"], REDUCTIONS
    board, player = board_at(p, breadth=625, late_gap=late_gap, **c), p.turn - 1
    board["history"][:] = np.arange(2 * CELLS) % 7 * 2_000 - 6_000
    cells = tried(board, player, depth=1, with_window=True)
    gaps, history = gaps_of(board, player, cells), board["history"][player * CELLS :]
    board["evaluations"][:3] = 5, 0, 5 + rises
    board["node_orders"][ply] = board["node_orders"][1]
    for depth in (1, 2, 9, 20):
        begin_moves(board, player, depth, ply, 0, False)
        found = []
        for place, cell in enumerate(cells):
            board["node_tried"][ply] = place
            logs = log(depth) * log(min(place + 1, 99))
            hundredths = c["late_base"] + int(c["late_factor"] * logs)
            hundredths += c["late_sinking"] * (not rises) - c["late_window"] * with_window
            is_threat = board["classes"][2 * cell + player] >= ONE_THREE
            hundredths += late_gap * gaps[cell] // 100 - c["late_threats"] * int(is_threat)
            hundredths -= c["late_history"] * int(history[cell]) // TOP_HISTORY
            expected = min(max(hundredths // 100, 0), depth - 1) if place >= c["late_from"] else 0
            found.append(plies_off(board, player, cell, depth, ply, 0, with_window))
            assert found[-1] == expected
        assert depth < 9 or len({*found}) > 3


def test_a_move_whose_history_outgrew_the_best_is_not_behind_it() -> None:
    p = dict(positions(GAME))["midgame-2"]
    board, player = board_at(p, late_gap=1_000, history_order=10_000), p.turn - 1
    cells = tried(board, player, depth=9, with_window=True)
    board["history"][player * CELLS + cells[-1]] = TOP_HISTORY
    assert open_order(board, cells[-1], player) > board["node_orders"][1]
    off = []
    for board["late_gap"] in (1_000, 0):
        off.append(plies_off(board, player, cells[-1], 20, 1, 0, False))
    assert off[0] == off[1] > 0


@pytest.mark.parametrize(
    ("depths", "unknown_depth"), [((4, 5), 5), ((4, 5), 3), ((5, 5), 6), ((5, 5), 0)]
)
def test_where_the_table_has_no_move_a_deep_node_is_searched_a_ply_less_deep(
    depths: tuple[int, int], unknown_depth: int
) -> None:
    p = dict(positions(GAME))["midgame-2"]
    board, player = board_at(p, unknown_depth=unknown_depth), p.turn - 1
    for depth in depths:
        seek(board, player, 5, -INFINITY, INFINITY, 1)
        assert recall(board, position_key(board, player), 1)
        assert board["found_depth"] == depth


@pytest.mark.parametrize(
    ("ply", "bits", "answer", "closed", "off"),
    [
        (1, 19, 0, False, 1),
        (0, 19, 0, False, 0),
        (1, 0, 0, False, 0),
        (1, 19, 9, False, 0),
        (1, 19, 0, True, 0),
    ],
)
def test_the_root_forced_moves_and_searches_without_a_table_are_not_reduced(
    ply: int, bits: int, answer: int, closed: bool, off: int
) -> None:
    p = dict(positions(GAME))["midgame-2"]
    board, player = board_at(p, unknown_depth=5, position_bits=bits), p.turn - 1
    begin_moves(board, player, 5, ply, answer, closed)
    assert depth_entered(board, 5, ply) == 5 - off
