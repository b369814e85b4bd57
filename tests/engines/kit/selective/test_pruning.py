"""Nodes of the selective search: what is looked for again, and which moves are passed over."""

from __future__ import annotations

import json
from math import log
from typing import Any

import numpy as np
import pytest
from support.samples import ROOT

from arena.engine import Limit
from arena.engines import balance
from arena.engines.kit.benchmarks import positions
from arena.engines.kit.bounds import INFINITY
from arena.engines.kit.clock import begin
from arena.engines.kit.selective.history import TOP_HISTORY
from arena.engines.kit.selective.moves import find_near, open_order
from arena.engines.kit.selective.outcomes import LARGEST, static_value
from arena.engines.kit.selective.pruning import begin_moves, depth_entered, next_move, plies_off
from arena.engines.kit.selective.search import seek
from arena.engines.kit.shapes.candidates import STACK
from arena.engines.kit.shapes.geometry import CELLS, cell_of
from arena.engines.kit.shapes.setup import put
from arena.engines.kit.shapes.table import ONE_THREE
from arena.engines.kit.threats.forced_wins import list_defences, win_by_fours, win_by_threats
from arena.game import Position
from arena.games import gomoku

GAME = gomoku.game()
CASES = json.loads((ROOT / "benchmarks/positions/vcf.json").read_text())["cases"]


def board_at(p: Position, **parameters: Any) -> Any:
    """A board on which the position is ready to be searched."""
    player: Any = balance.engine(GAME, search="selective", **parameters)
    player.new_game(0)
    begin(player.board, Limit())
    put(player.board, p.cells, p.moves)
    find_near(player.board)
    player.board["root_player"], player.board["top"] = p.turn - 1, 0
    return player.board


def known_win() -> Position:
    """A position where Black wins by fours."""
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


@pytest.mark.parametrize("late", [0, 1, 2])
def test_late_spoilers_are_searched_a_ply_less_deep(late: int) -> None:
    broken_three = (112, 0, 113, 14, 115)
    p = GAME.start()
    for move in broken_three:
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


def gaps_of(board: Any, player: int, *, depth: int, with_window: bool) -> list[tuple[int, int]]:
    """The moves tried in an open position, each with what it is worth less than the best."""
    board["top"] = 0
    begin_moves(board, player, depth, 0, 0, False)
    cells = []
    while cell := next_move(board, player, depth, 0, 0, 0, with_window):
        cells.append(int(cell))
        board["node_tried"][0] += 1
    worths = [open_order(board, cell, player) for cell in cells]
    return [
        (cell, 100 * (max(worths) - worth) // int(board["point_unit"]))
        for cell, worth in zip(cells, worths, strict=True)
    ]


@pytest.mark.parametrize("depth", [1, 4])
def test_moves_worth_much_less_than_the_best_are_left_out_unless_they_are_threats(
    depth: int,
) -> None:
    p = dict(positions(GAME))["midgame-2"]
    every = {"breadth": 625, "count_base": 0, "futility_depth": 0}
    by_history = {"own_order": 0, "other_order": 0, "crossing_order": 0, "history_order": 1_000}
    board, player = board_at(p, gap_base=300, gap_step=40, **every, **by_history), p.turn - 1
    board["history"][:] = np.arange(2 * CELLS) % 7 * 2_000 - 6_000
    listed = gaps_of(board, player, depth=depth, with_window=True)
    most = 300 + 40 * depth
    expected = [
        (cell, gap)
        for cell, gap in listed
        if gap <= most or board["classes"][2 * cell + player] >= ONE_THREE
    ]
    assert gaps_of(board, player, depth=depth, with_window=False) == expected
    assert 1 < len(expected) < len(listed)
    assert max(gap for _, gap in expected) > most
    board["gap_base"] = 0
    assert gaps_of(board, player, depth=depth, with_window=False) == listed


@pytest.mark.parametrize("with_window", [False, True])
@pytest.mark.parametrize("rises", [False, True])
def test_the_plies_off_are_those_of_the_formula(rises: bool, with_window: bool) -> None:
    p, ply = dict(positions(GAME))["midgame-2"], 2
    board, player = board_at(p, breadth=625, late_gap=70), p.turn - 1
    board["history"][:] = np.arange(2 * CELLS) % 7 * 2_000 - 6_000
    moves = gaps_of(board, player, depth=1, with_window=True)
    board["evaluations"][:3] = 5, 0, 5 + rises
    board["node_worths"][ply] = board["node_worths"][0]
    history = board["history"][player * CELLS :]
    for depth in (1, 2, 9, 20):
        begin_moves(board, player, depth, ply, 0, False)
        for tried, (cell, gap) in enumerate(moves):
            board["node_tried"][ply] = tried
            hundredths = 50 + int(60 * log(depth) * log(min(tried + 1, 99)))
            hundredths += 50 * (not rises) - 100 * with_window
            hundredths -= 50 * (board["classes"][2 * cell + player] >= ONE_THREE)
            hundredths += 70 * gap // 100 - 128 * int(history[cell]) // TOP_HISTORY
            expected = min(max(hundredths // 100, 0), depth - 1) if tried >= 2 else 0
            assert plies_off(board, player, cell, depth, ply, 0, with_window) == expected


@pytest.mark.parametrize(
    ("ply", "depth", "hashed", "off"), [(2, 5, 0, 1), (2, 4, 0, 0), (0, 5, 0, 0), (2, 5, 112, 0)]
)
def test_where_the_table_has_no_move_a_deep_node_is_searched_a_ply_less_deep(
    ply: int, depth: int, hashed: int, off: int
) -> None:
    p = dict(positions(GAME))["midgame-2"]
    board, player = board_at(p, unknown_depth=5), p.turn - 1
    begin_moves(board, player, depth, ply, 0, False)
    board["node_hashed"][ply] = hashed
    assert depth_entered(board, depth, ply) == depth - off
    begin_moves(board, player, depth, ply, 0, True)
    assert depth_entered(board, depth, ply) == depth
    board["unknown_depth"] = 0
    begin_moves(board, player, depth, ply, 0, False)
    assert depth_entered(board, depth, ply) == depth
