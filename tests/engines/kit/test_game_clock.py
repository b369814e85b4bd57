"""The selective player on a game clock: the part of it that a move takes, and when it takes less.

No test waits for a clock: limits are read from the board, or thinking began in the past.
"""

from __future__ import annotations

import time
from itertools import product

import pytest

from arena.engine import Limit
from arena.engines import live_dead
from arena.engines.kit.benchmarks import positions
from arena.engines.kit.clock import begin
from arena.engines.kit.selective.player import SelectivePlayer
from arena.engines.kit.selective.search import forget_all, think_selectively
from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.table import moves_of
from arena.game import Move, Position
from arena.games import gomoku

GAME = gomoku.game()
MIDGAMES = dict(positions(GAME))
DEEPEST, FREE = 8, Limit()


def new_player() -> SelectivePlayer:
    player = live_dead.engine(GAME, search="selective")
    assert isinstance(player, SelectivePlayer)
    return player


@pytest.fixture(scope="module", name="player")
def fixture_player() -> SelectivePlayer:
    return new_player()


def forced() -> Position:
    """A position where one move stops a four, and all others lose."""
    p = GAME.start()
    for move in ("7,7", "0,0", "7,8", "0,2", "7,9", "7,6", "7,10"):
        p = GAME.play(p, GAME.parse(move))
    return p


def seconds_given(player: SelectivePlayer, limit: Limit) -> tuple[float, float]:
    """Seconds of its clock that the player means to take for a move, and those it takes at most."""
    player.choose(forced(), limit)
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


def moves_by_depth(p: Position) -> list[Move | None]:
    """The best moves at the depths from 1 on."""
    player = new_player()
    return [player.choose(p, Limit(depth=depth)).move for depth in range(1, DEEPEST + 1)]


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


def test_the_more_the_best_move_changes_the_more_of_the_share_is_used(
    player: SelectivePlayer,
) -> None:
    depths = set()
    for p in MIDGAMES.values():
        moves = moves_by_depth(p)
        for part in (0.3, 0.45, 0.7, 0.95, 1.2, 1.45):
            depth = depth_reached(player, p, part)
            assert depth == depth_expected(moves, part), (moves, part)
            depths.add(depth)
    assert len(depths) > 3


def test_without_a_limit_of_time_it_does_not_matter_how_long_a_search_took(
    player: SelectivePlayer,
) -> None:
    p, limit = MIDGAMES["midgame-1"], Limit(nodes=5_000)
    one, other = ((depth_reached(player, p, part, 0, limit), line(player)) for part in (0, 100))
    assert one == other
    assert 2 < one[0] < DEEPEST


def line(player: SelectivePlayer) -> tuple[int, ...]:
    """Nodes, value and the expected play of the last search."""
    board = player.board
    return (int(board["nodes"]), int(board["root_value"]), *moves_of(board["line"], player.size))


def test_a_forced_move_and_a_win_take_no_time_of_the_clock(player: SelectivePlayer) -> None:
    answer = player.choose(p := forced(), Limit(time_left=10**6))
    assert (answer.move, answer.depth) == (GAME.parse("7,11"), 1)
    win = player.choose(GAME.play(p, GAME.parse("0,4")), Limit(time_left=10**6))
    assert (win.info["proven"], win.depth) == (1, 1)


@pytest.mark.parametrize("left", [0.0, 0.001])
def test_a_clock_that_is_all_but_gone_gives_a_move_at_once(
    player: SelectivePlayer, left: float
) -> None:
    p = MIDGAMES["midgame-1"]
    player.new_game(0)
    choice = player.choose(p, Limit(time_left=left))
    assert choice.depth <= 1
    assert GAME.is_legal(p, choice.move)
