"""The selective player: its limits and its clock, what it keeps in a game and forgets after it.

No test of its clock waits: limits are read from the board, or thinking began in the past.
"""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import pytest
from support.samples import ROOT

from arena.config.reader import read_config
from arena.engine import MATE, Limit
from arena.engines import balance, live_dead
from arena.engines.kit.benchmarks import positions
from arena.engines.kit.clock import begin
from arena.engines.kit.selective.parameters import constants
from arena.engines.kit.selective.player import SelectivePlayer
from arena.engines.kit.selective.search import forget_all, think_selectively
from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.table import moves_of
from arena.game import Move, Position
from arena.games import gomoku
from arena.plugins.build import load_engine
from arena.plugins.parameters import parameters

ENGINES = {"balance": balance, "live_dead": live_dead}
NAMES = sorted(ENGINES)
GAME = gomoku.game()
MIDGAMES = dict(positions(GAME))


def build(name: str, **options: Any) -> SelectivePlayer:
    player = ENGINES[name].engine(GAME, search="selective", **options)
    assert isinstance(player, SelectivePlayer)
    return player


def after(text: str) -> Position:
    p = GAME.start()
    for move in text.split():
        p = GAME.play(p, GAME.parse(move))
    return p


FORCED = "7,7 0,0 7,8 0,2 7,9 7,6 7,10"  # After which one move stops a four, and all others lose


@pytest.mark.parametrize(("share", "wins"), [(1_000, True), (0, False)])
def test_without_a_share_no_wins_by_threes_are_looked_for_at_the_root(
    share: int, wins: bool
) -> None:
    few = {"depth": 2, "leaf_fours": 0, "inner_fours": 0, "horizon": 0}
    player = build("balance", root_share=share, **few)
    by_threes = after("7,7 0,0 7,8 0,14 8,7 14,0 9,9 14,14")
    assert (player.choose(by_threes, Limit()).score > MATE // 2) == wins
    assert (player.board["forced_nodes"] > 0) == wins


@pytest.mark.parametrize("name", NAMES)
def test_every_constant_is_a_parameter(name: str) -> None:
    assert constants().keys() <= {each.name for each in parameters(ENGINES[name].engine)}


@pytest.mark.parametrize("search", ["exact", "selective"])
@pytest.mark.parametrize("wrong", ["dpeth", "nodes", "board"])
def test_a_name_that_is_no_parameter_is_refused(search: str, wrong: str) -> None:
    with pytest.raises(TypeError, match=wrong):
        balance.engine(GAME, search=search, **{wrong: 3})


def test_the_smallest_window_widens_too() -> None:
    player = build("live_dead", window=1, live_three=1)
    assert player.choose(MIDGAMES["midgame-1"], Limit(depth=5, nodes=20_000)).depth == 5


def test_the_smallest_table_is_emptied_too() -> None:
    player, limit = build("live_dead", position_bits=1), Limit(depth=4)
    p = MIDGAMES["midgame-1"]
    first = player.choose(p, limit)
    player.new_game(0)
    assert player.choose(p, limit) == first


def test_a_board_that_was_set_up_is_no_start_of_another() -> None:
    player, limit = build("live_dead"), Limit(nodes=3_000)
    one, other = MIDGAMES["midgame-1"], MIDGAMES["midgame-2"]
    player.choose(Position(one.cells, one.turn), limit)
    anew = build("live_dead").choose(other, limit)
    assert player.choose(other, limit) == anew


def test_the_same_stones_in_another_order_are_another_game() -> None:
    player, limit = build("live_dead"), Limit(nodes=3_000)
    player.choose(after("7,7 8,8 6,8"), limit)
    other = after("6,8 8,8 7,7 9,9 7,8")
    assert player.choose(other, limit) == build("live_dead").choose(other, limit)


def test_a_position_of_another_game_is_searched_as_by_a_new_player() -> None:
    player, limit = build("live_dead"), Limit(nodes=3_000)
    for p in MIDGAMES.values():
        assert player.choose(p, limit) == build("live_dead").choose(p, limit)


def test_what_was_learnt_helps_at_the_next_move_of_the_game() -> None:
    p = MIDGAMES["midgame-1"]
    player, limit = build("live_dead"), Limit(depth=6, nodes=10**9)
    first = player.choose(p, limit)
    p = GAME.play(GAME.play(p, first.pv[0]), first.pv[1])
    again, anew = player.choose(p, limit), build("live_dead").choose(p, limit)
    assert again.nodes < anew.nodes


def test_a_limit_of_depth_holds_and_alone_needs_no_other() -> None:
    p = MIDGAMES["midgame-1"]
    assert build("live_dead").choose(p, Limit()).depth == 3
    assert build("live_dead", depth=5).choose(p, Limit()).depth == 5
    assert build("live_dead").choose(p, Limit(depth=2)).depth == 2
    assert build("live_dead").choose(p, Limit(depth=4)).depth == 4, "the default is 3"
    assert build("live_dead", deepest=4).choose(p, Limit(depth=5)).depth == 4
    assert build("live_dead", deepest=4).choose(p, Limit(nodes=10**9)).depth == 4


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(seconds=0.0), Limit(time_left=0.0)])
def test_even_the_first_depth_stops_and_gives_a_sensible_move(name: str, limit: Limit) -> None:
    player = build(name)
    choice = player.choose(MIDGAMES["midgame-1"], limit)
    assert (choice.depth, choice.nodes) in ((0, 0), (0, 1))
    assert choice.pv == (choice.move,)
    for moves, wanted in (
        (f"{FORCED} 0,4", {"7,11"}),  # a five
        (FORCED, {"7,11"}),  # stops a five
        ("7,7 0,0 7,8 0,2 7,9 0,4", {"7,6", "7,10"}),  # an open four
        ("7,7 0,0 7,8 0,2 7,9", {"7,5", "7,6", "7,10", "7,11"}),  # stops an open four
    ):
        choice = player.choose(after(moves), limit)
        assert GAME.text(choice.move) in wanted


def test_no_loss_is_claimed_where_the_nodes_end_before_all_answers_were_tried() -> None:
    p = after("7,7 7,5 5,7 8,6 9,8 8,5 8,7 9,7 10,8 7,6 8,8 11,9 6,10")
    player = build("balance")
    for nodes in (300, 600):
        player.new_game(0)
        assert player.choose(p, Limit(nodes=nodes)).info["proven"] == 0


def test_a_win_that_is_only_believed_is_scored_by_its_plies_too() -> None:
    moves = "7,5 13,0 8,10 6,6 6,11 10,3 14,4 8,6 8,9 7,6 5,6 8,5 6,7 7,8 7,10 9,8 8,7"
    fitted = read_config(ROOT / "research/configs/ladder.yaml").players[0].engine
    choice = load_engine(fitted, GAME).choose(after(moves), Limit(nodes=2_000))
    assert (choice.score, choice.info["proven"]) == (MATE - 9, 0)


def test_a_move_takes_no_more_of_the_clock_than_its_parameters_allow() -> None:
    """100 s leave a share of 4 s."""
    for changed, most in (
        ({}, 8.0),
        ({"share_most": 150}, 6.0),
        ({"share_most": 500, "clock_most": 10}, 10.0),
        ({"clock_most": 1}, 4.0),
    ):
        player = build("balance", **changed)
        player.choose(after(FORCED), Limit(time_left=100.0))
        time_given = player.board["deadline"] - player.board["begun"]
        assert 1e-9 * time_given == pytest.approx(most, abs=0.1)


DEEPEST, FREE = 8, Limit()


@pytest.fixture(scope="module", name="player")
def fixture_player() -> SelectivePlayer:
    return build("live_dead")


def seconds_given(player: SelectivePlayer, limit: Limit) -> tuple[float, float]:
    """Seconds of its clock that the player means to take for a move, and those it takes at most."""
    player.choose(after(FORCED), limit)
    share, begun, deadline = (int(player.board[name]) for name in ("share", "begun", "deadline"))
    return share / 1e9, (deadline - begun) / 1e9


@pytest.mark.parametrize(
    ("limit", "share", "most"),
    [
        (Limit(time_left=50), 2, 4),
        (Limit(time_left=50, increment=1), 2.8, 5.6),
        (Limit(time_left=10, increment=4), 3.6, 5),
        (Limit(time_left=1, increment=10), 0.8, 0.8),
        (Limit(time_left=0.001), 0.00004, 0.00008),
        (Limit(time_left=0), 0, 0),
        (Limit(seconds=3), 0, 3),
        (Limit(seconds=1, time_left=50), 2, 1),
        (Limit(seconds=3, time_left=50), 2, 3),
        (Limit(seconds=30, time_left=50), 2, 4),
    ],
)
def test_a_move_has_a_part_of_the_clock_and_at_most_twice_of_it(
    player: SelectivePlayer, limit: Limit, share: float, most: float
) -> None:
    """Of a clock and a time for the move, the one that ends sooner counts."""
    assert seconds_given(player, limit) == pytest.approx((share, most), rel=0.001, abs=0.0015)


def test_no_move_takes_more_than_is_left(player: SelectivePlayer) -> None:
    for left, increment, seconds in product(
        (0.0, 0.001, 0.1, 1, 60), (None, 0, 0.01, 10), (None, 0, 0.1, 5, 100)
    ):
        _, most = seconds_given(player, Limit(None, None, seconds, left, increment))
        assert most <= min(0.8 * left, left if seconds is None else seconds)


def depth_reached(
    player: SelectivePlayer, p: Position, part: float, share: int = 10**15, limit: Limit = FREE
) -> int:
    """The depth after which the player stops when this part of its share is gone from the start."""
    forget_all(player.board)
    begin(player.board, limit)
    put(player.board, p.cells, p.moves)
    player.board["share"] = share
    player.board["begun"] = time.monotonic_ns() - int(part * 10**15)
    think_selectively(player.board, p.turn - 1, DEEPEST)
    return int(player.board["reached"])


def depth_expected(moves: list[Move | None], part: float) -> int:
    """The first depth at which this part is enough, by how often the best move changed lately."""
    changes = 0.0
    for depth in range(2, DEEPEST + 1):
        changes = changes / 2 + (moves[depth - 1] != moves[depth - 2])
        if part > 0.4 + 0.5 * changes:
            return depth
    return DEEPEST


def test_the_more_the_best_move_changes_the_longer_it_thinks(player: SelectivePlayer) -> None:
    depths = set()
    for p in MIDGAMES.values():
        anew = build("live_dead")
        moves = [anew.choose(p, Limit(depth=depth)).move for depth in range(1, DEEPEST + 1)]
        for part in (0.3, 0.45, 0.7, 0.95, 1.2, 1.45):
            depth = depth_reached(player, p, part)
            assert depth == depth_expected(moves, part), (moves, part)
            depths.add(depth)
    assert len(depths) > 3


def test_without_a_limit_of_time_no_search_takes_too_long(player: SelectivePlayer) -> None:
    p, limit = MIDGAMES["midgame-1"], Limit(nodes=5_000)
    one, other = ((depth_reached(player, p, part, 0, limit), line(player)) for part in (0, 100))
    assert one == other
    assert 2 < one[0] < DEEPEST


def line(player: SelectivePlayer) -> tuple[int, ...]:
    board = player.board
    return (int(board["nodes"]), int(board["root_value"]), *moves_of(board["line"], player.size))


def test_a_forced_move_and_a_win_take_no_time_of_the_clock(player: SelectivePlayer) -> None:
    answer = player.choose(p := after(FORCED), Limit(time_left=10**6))
    assert (answer.move, answer.depth) == (GAME.parse("7,11"), 1)
    win = player.choose(GAME.play(p, GAME.parse("0,4")), Limit(time_left=10**6))
    assert (win.info["proven"], win.depth) == (1, 1)


@pytest.mark.parametrize("left", [0.0, 0.001])
def test_a_clock_all_but_gone_gives_a_move_at_once(player: SelectivePlayer, left: float) -> None:
    p = MIDGAMES["midgame-1"]
    player.new_game(0)
    choice = player.choose(p, Limit(time_left=left))
    assert choice.depth <= 1
    assert GAME.is_legal(p, choice.move)
