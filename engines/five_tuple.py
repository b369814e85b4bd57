"""A player that scores every window of five cells, and searches with alpha-beta."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, Literal, cast

from arena.engine import Choice, Evaluation, Limit, Range
from arena.game import Position
from arena.games.gomoku import Gomoku, game as gomoku

from .kit.benchmarks import evaluations, play_undo, searches
from .kit.bounds import INFINITY
from .kit.clock import deepen
from .kit.windows import (
    ROOT_KEY,
    Board,
    alphabeta,
    plain,
    published,
    window_evaluation,
    window_scores,
)

GAMES = ("gomoku",)
DOCUMENT = "source document 000: windows of five scored on a game tree, with a published program"

Search = Literal["alphabeta", "published"]
WEIGHT = Range(1, 50_000_000, log=True)
"""The range of a weight: a cell is in 20 windows, and a gain must fit into 32 bits."""


def engine(
    game: Gomoku,
    *,
    depth: Annotated[int, Range(1, 20), "plies searched"] = 5,
    radius: Annotated[int, Range(1, 24), "how far from a stone a move may be"] = 2,
    search: Annotated[Search, "exact minimax, or with the published mistake"] = "alphabeta",
    one: Annotated[int, WEIGHT, "for one own stone in a window"] = 1,
    two: Annotated[int, WEIGHT, "for two own stones"] = 10,
    three: Annotated[int, WEIGHT, "for three own stones"] = 100,
    four: Annotated[int, WEIGHT, "for four own stones"] = 10_000,
    five: Annotated[int, WEIGHT, "for five own stones"] = 1_000_000,
    other_one: Annotated[int, WEIGHT, "taken off for one of the opponent's stones"] = 1,
    other_two: Annotated[int, WEIGHT, "taken off for two"] = 10,
    other_three: Annotated[int, WEIGHT, "taken off for three"] = 1_000,
    other_four: Annotated[int, WEIGHT, "taken off for four"] = 100_000,
    other_five: Annotated[int, WEIGHT, "taken off for five"] = 10_000_000,
    other_centred_three: Annotated[int, WEIGHT, "taken off for three in the middle"] = 2_000,
) -> FiveTuple:
    """Minimax over the sum of window scores; the own side is the one that moves at the root."""
    own = (one, two, three, four, five)
    other = (other_one, other_two, other_three, other_four, other_five)
    scores = window_scores(own, other, other_centred_three)
    five_tuple = FiveTuple(Board(game.size, radius, game.rule == "standard", scores), depth, search)
    # Compiles, or loads what is compiled: the first move of a game is as quick as any.
    five_tuple.choose(game.start(), Limit(depth=2))
    return five_tuple


class FiveTuple:
    def __init__(self, board: Board, depth: int, search: Search) -> None:
        self.board = board
        self.depth = depth
        self.search = search

    def new_game(self, seed: int) -> None:
        """Do nothing: no move depends on an earlier one."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Deepen until the full depth, or until a limit of nodes or time; depth 1 always ends."""
        if 0 not in p.cells:
            return Choice(None)
        board = self.board
        score = board.set(p.cells, p.turn, limit)

        def answer(depth: int) -> Choice:
            if self.search == "published":
                value = published(board.state, 0, depth, 0, score)
            else:
                value = alphabeta(board.state, 0, depth, 0, score, -INFINITY, INFINITY, ROOT_KEY)
            return Choice(board.move, int(value), depth, pv=(board.move,))

        # Alpha-beta tries first the moves that its table has from the depth before.
        always = self.search == "alphabeta"
        return deepen(board.state, self.depth, limit, answer, always=always)

    def close(self) -> None:
        """Do nothing: only memory is held."""


def evaluate(game: Gomoku, **parameters: Any) -> Evaluation:
    """The sum of window scores, the mover's side being the own one."""
    own, other = (
        [parameters[prefix + name] for name in ("one", "two", "three", "four", "five")]
        for prefix in ("", "other_")
    )
    scores = window_scores(own, other, parameters["other_centred_three"])
    return window_evaluation(game.size, scores)


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    """Depth 6 after two stones, midgame positions, stones played and taken back, and static values.

    `plain` visits the same nodes as any plain alpha-beta does: moves row by row, no table, and no
    bounds at the root.
    """
    game = cast(Gomoku, gomoku(size=15))
    p = Position(bytes(97) + b"\2" + bytes(14) + b"\1" + bytes(112), 1, (112, 97))
    ordered = engine(game, depth=6)
    board = ordered.board

    def search_plainly(depth: int) -> Choice:
        score = board.set(p.cells, p.turn)
        value = int(plain(board.state, 0, depth, 0, score, -INFINITY, INFINITY))
        return Choice(board.move, value, depth, int(board.state["nodes"]), (board.move,))

    search_plainly(2)  # so that no call is timed that compiles
    yield "plain", partial(search_plainly, 6)
    yield "ordered", partial(ordered.choose, p, Limit())
    yield from searches(lambda game, depth: engine(game, depth=depth), (6, 7))
    yield play_undo(board.play_undo)
    yield evaluations(evaluate, engine)
