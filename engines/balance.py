"""A player that scores each stone's shapes, and leans on attack or defence as the game goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, cast

from arena.engine import Choice, Evaluation, Range
from arena.games.gomoku import Gomoku, game as gomoku

from .kit.benchmarks import evaluations, forbidden, play_undo, searches, stones_on
from .kit.selective.parameters import SearchKind, with_constants
from .kit.selective.player import SelectivePlayer
from .kit.shapes.player import ShapePlayer
from .kit.shapes.table import FIVE_WEIGHT, WEIGHT, rank_weights
from .kit.static_value import shape_evaluation

GAMES = ("gomoku", "renju")
DOCUMENT = "source document 003: a factor that leans on attack or defence, longer lines after fours"


@with_constants
def engine(
    game: Gomoku,
    *,
    depth: Annotated[int, Range(1, 20), "plies searched"] = 6,
    five: Annotated[int, FIVE_WEIGHT, "for each stone of a five, in each direction"] = 1_000_000,
    live_four: Annotated[int, WEIGHT, "of a live four: two cells complete it"] = 100_000,
    rush_four: Annotated[int, WEIGHT, "of a rush four: one cell completes it"] = 10_000,
    live_three: Annotated[int, WEIGHT, "of a live three: one move from a live four"] = 10_000,
    rush_three: Annotated[int, WEIGHT, "of a rush three: one move from a rush four"] = 1_000,
    live_two: Annotated[int, WEIGHT, "of a live two: two moves from a live four"] = 1_000,
    rush_two: Annotated[int, WEIGHT, "of a rush two: two moves from a rush four"] = 100,
    one: Annotated[int, WEIGHT, "for a stone alone with room for a five"] = 10,
    denominator: Annotated[
        int,
        Range(1, 1_000_000_000, log=True),
        "factor is 2 x (own - other) / denominator; it adds factor x (own + other)",
    ] = 1_000_000,
    factor_low: Annotated[float, Range(-1, 0), "least factor: defends when behind"] = -0.3,
    factor_high: Annotated[float, Range(0, 1), "greatest factor: attacks when ahead"] = 0.2,
    extension: Annotated[int, Range(1, 4), "exact: plies added for each rush four played"] = 2,
    extension_max: Annotated[int, Range(0, 12), "exact: plies added at most in a line of play"] = 4,
    range: Annotated[
        int, Range(1, 25), "exact: how far from the last two moves to play; live threes anywhere"
    ] = 3,
    max_points: Annotated[int, Range(1, 625, log=True), "exact: candidates tried at a node"] = 12,
    table: Annotated[int, Range(0, 20), "exact: 2 ** table entries in its table; 0: none"] = 16,
    search: Annotated[SearchKind, "as documented, or deeper by the constants below"] = "exact",
    **constants: int,
) -> ShapePlayer | SelectivePlayer:
    """Alpha-beta over the points near the last two moves, sorted by the larger side's score."""
    weights = rank_weights(
        one, rush_two, live_two, rush_three, live_three, rush_four, live_four, five
    )
    factors = {"denominator": denominator, "factor_low": factor_low, "factor_high": factor_high}
    if search == "selective":
        units = {"unit": 3 * live_three, "point_unit": live_three}
        return SelectivePlayer(game, depth, weights, **factors, **units, **constants)
    return ShapePlayer(
        game,
        depth,
        weights,
        counts,
        **factors,
        extension=extension,
        extension_max=extension_max,
        radius=range,
        far=live_three,
        width=max_points,
        by_larger=True,
        table_bits=table,
    )


def evaluate(game: Gomoku, **parameters: Any) -> Evaluation:
    """The worth of both sides' shapes, weighed by the factor; in a selective search, the move's."""
    names = ("denominator", "factor_low", "factor_high")
    return shape_evaluation(game, parameters, **{name: parameters[name] for name in names})


def counts(board: Any) -> Mapping[str, int | float]:
    """The figures that source document 003 reports of a search."""
    return {
        "cutoffs": int(board["cutoffs"]),
        "extensions": int(board["extensions"]),
        "hit_rate": int(board["hits"]) / max(1, int(board["probes"])),
        "search_hit_rate": int(board["saved"]) / max(1, int(board["searches"])),
    }


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    yield from searches(lambda game, depth: engine(game, depth=depth), (6, 7))
    yield play_undo(stones_on(cast(ShapePlayer, engine(cast(Gomoku, gomoku()))).board))
    yield evaluations(evaluate, engine)
    yield forbidden()
