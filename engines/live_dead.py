"""A player that splits each line into shapes, so that no stone counts twice, and scores these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, cast

from arena.engine import Choice, Evaluation, Range
from arena.games.gomoku import Gomoku, game as gomoku

from .kit.benchmarks import evaluations, play_undo, searches, stones_on
from .kit.selective.parameters import SearchKind, with_constants
from .kit.selective.player import SelectivePlayer
from .kit.shapes.player import ShapePlayer
from .kit.shapes.table import FIVE_WEIGHT, WEIGHT, rank_weights
from .kit.static_value import shape_evaluation

GAMES = ("gomoku", "renju")
DOCUMENT = "source document 002: live and dead shapes by negamax, candidates sorted by their scores"


@with_constants
def engine(
    game: Gomoku,
    *,
    depth: Annotated[int, Range(1, 20), "plies searched"] = 3,
    five: Annotated[int, FIVE_WEIGHT, "for each five on the board"] = 10_000,
    live_four: Annotated[int, WEIGHT, "for a live four: two cells complete it"] = 1_000,
    live_three: Annotated[int, WEIGHT, "for a live three: one move from a live four"] = 100,
    live_two: Annotated[int, WEIGHT, "for a live two: two moves from a live four"] = 10,
    rush_four: Annotated[int, WEIGHT, "for a rush four: one cell completes it"] = 1_000,
    rush_three: Annotated[int, WEIGHT, "for a rush three: one move from a rush four"] = 100,
    rush_two: Annotated[int, WEIGHT, "for a rush two: two moves from a rush four"] = 10,
    one: Annotated[int, WEIGHT, "for a stone alone with room for a five"] = 1,
    defence: Annotated[
        int, Range(0, 10), "exact: candidates score their own shapes + defence x the other side's"
    ] = 1,
    width: Annotated[
        int, Range(1, 625, log=True), "exact: candidates tried, those that score best"
    ] = 20,
    threshold: Annotated[
        int, Range(0, 1_000_000), "exact: if not 0, all that score more are tried instead, if any"
    ] = 0,
    search: Annotated[SearchKind, "as documented, or deeper by the constants below"] = "exact",
    **constants: int,
) -> ShapePlayer | SelectivePlayer:
    """Negamax with alpha-beta over the points that score best."""
    weights = rank_weights(
        one, rush_two, live_two, rush_three, live_three, rush_four, live_four, five
    )
    if search == "selective":
        units = {"unit": live_three, "point_unit": live_three}
        return SelectivePlayer(
            game, depth, weights, with_lines=True, denominator=1, **units, **constants
        )
    return ShapePlayer(
        game,
        depth,
        weights,
        counts,
        with_lines=True,
        denominator=1,
        width=width,
        threshold=threshold,
        defence=defence,
    )


def evaluate(game: Gomoku, **parameters: Any) -> Evaluation:
    """The worth of both sides' shapes and, in a selective search, of the move."""
    return shape_evaluation(game, parameters, with_lines=True, denominator=1)


def counts(board: Any) -> Mapping[str, int | float]:
    """The figures that source document 002 reports of a search."""
    return {"cutoffs": int(board["cutoffs"])}


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    yield from searches(lambda game, depth: engine(game, depth=depth), (6, 8))
    yield play_undo(stones_on(cast(ShapePlayer, engine(cast(Gomoku, gomoku()))).board))
    yield evaluations(evaluate, engine)
