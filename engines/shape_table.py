"""A player that takes the point worth most to both sides, unless a win can be forced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated

from arena.engine import MATE, Choice, Limit, Range
from arena.game import Position
from arena.games.gomoku import Gomoku

from .kit.benchmarks import searches
from .kit.clock import begin
from .kit.forcing import ForcingSearch
from .kit.record import new_board
from .kit.shapes.board import put
from .kit.shapes.table import FIVE_WEIGHT, WEIGHT, move_of, moves_of, rank_weights
from .kit.threats.prediction import LOST, VERDICTS, WON, balance_of_points, decide

GAMES = ("gomoku", "renju")
DOCUMENT = "source document 001: shape codes of every point, and forced moves foreseen"

CROSSING = Range(0, 1_000_000)
NODES_FOR_FOURS = 2_000_000  # positions in a search for a win by fours alone, at most


def engine(
    game: Gomoku,
    *,
    prediction: Annotated[int, Range(0, 20), "own forcing moves looked ahead, the five aside"] = 5,
    five: Annotated[int, FIVE_WEIGHT, "code of a point that makes five"] = 100,
    live_four: Annotated[int, WEIGHT, "code of a point that makes a live four"] = 50,
    rush_four: Annotated[int, WEIGHT, "code of a point that makes a rush four"] = 20,
    live_three: Annotated[int, WEIGHT, "code of a point that makes a live three"] = 15,
    rush_three: Annotated[int, WEIGHT, "code of a point that makes a rush three"] = 6,
    live_two: Annotated[int, WEIGHT, "code of a point that makes a live two"] = 5,
    rush_two: Annotated[int, WEIGHT, "code of a point that makes a rush two"] = 2,
    one: Annotated[int, WEIGHT, "code of a point with room for a five"] = 1,
    double_three: Annotated[int, CROSSING, "added where two live threes cross"] = 15,
    three_and_four: Annotated[int, CROSSING, "added where a live three and a four cross"] = 20,
    double_four: Annotated[int, CROSSING, "added where two fours cross"] = 25,
    aim: Annotated[
        int, CROSSING, "in renju, added for each white line with a point forbidden to Black"
    ] = 5,
    defence: Annotated[int, Range(0, 400), "hundredths of the other side's codes that count"] = 100,
    budget: Annotated[
        int, Range(1, 100_000_000, log=True), "positions that a prediction looks at, at most"
    ] = 50_000,
) -> _ShapeTable:
    """The point worth most to both sides, unless fours and live threes win or must be met."""
    return _ShapeTable(
        game,
        prediction,
        budget,
        rank_weights(one, rush_two, live_two, rush_three, live_three, rush_four, live_four, five),
        double_three=double_three,
        three_and_four=three_and_four,
        double_four=double_four,
        aim=aim,
        other_share=defence,
    )


def forced_win(
    game: Gomoku, fours: int = 30, nodes: int = NODES_FOR_FOURS
) -> Callable[[Position], Sequence[int] | None]:
    """A search for wins by fours: the line, an empty one, or None if a limit left it open."""
    search = ForcingSearch(game)

    def win(p: Position) -> Sequence[int] | None:
        line = search.win(p, fours, Limit(nodes=nodes))
        return line if search.is_decided else None

    return win


def threat_win(game: Gomoku) -> Callable[[Position], bool]:
    """A search for wins by fours and live threes, within 12 threats and 5 000 nodes."""
    return ForcingSearch(game).wins_by_threats


class _ShapeTable:
    """A player, which holds a board: its keys and shapes are both sides' code tables."""

    def __init__(
        self, game: Gomoku, prediction: int, budget: int, weights: Sequence[int], **options: int
    ) -> None:
        """`options` are fields of the board's record."""
        self.size = game.size
        self.prediction = prediction
        self.budget = budget
        self.board = new_board(game.size, game.rule, weights, with_classes=True, **options)
        # Compiles, or loads what is compiled: the first move of a game is as quick as any.
        self.choose(game.start(), Limit(nodes=1))

    def new_game(self, seed: int) -> None:
        """Do nothing: only facts that any search would find again are kept."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Predict as far as the limits allow: a win after n moves is found within 2 n + 1 plies."""
        board, player = self.board, p.turn - 1
        nodes = self.budget if limit.nodes is None else min(limit.nodes, self.budget)
        begin(board, replace(limit, nodes=nodes))
        put(board, p.cells, p.moves)
        most = self.prediction
        if limit.depth is not None:
            most = min(most, max(0, (limit.depth - 1) // 2))
        decide(board, player, most)
        return self._answer(player)

    def _answer(self, player: int) -> Choice:
        board = self.board
        verdict = int(board["verdict"])
        if not board["chosen"]:
            return Choice(None, -MATE, 1, int(board["nodes"]))
        move = move_of(int(board["chosen"]), self.size)
        depth = 2 * int(board["predicted"]) + 1
        score = int(balance_of_points(board, player))
        pv: tuple[int, ...] = (move,)
        if verdict == WON:
            pv = moves_of(board["line"], self.size)
            score = MATE - len(pv)
        elif verdict == LOST:
            score = depth - MATE
        return Choice(
            move, score, depth, int(board["nodes"]), pv, {"prediction": VERDICTS[verdict]}
        )

    def close(self) -> None:
        """Do nothing: only memory is held."""


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    def build(game: Gomoku, depth: int) -> _ShapeTable:
        return engine(game, prediction=(depth - 1) // 2, budget=100_000_000)

    yield from searches(build, (11, 13))
