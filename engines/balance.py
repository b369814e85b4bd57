"""Scores each stone's shapes, and leans on attack or defence as the game goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, cast

from arena.engine import Choice, Range
from arena.games.gomoku import Gomoku
from arena.games.gomoku import game as gomoku
from engines.kit.midgame import play_undo, searches
from engines.kit.player import ShapePlayer

GAMES = ("gomoku",)


def engine(
    game: Gomoku,
    *,
    depth: Annotated[int, Range(1, 20), "plies searched"] = 6,
    five: Annotated[int, Range(1, 10_000_000, log=True), "score of a stone of a five"] = 1_000_000,
    live_four: Annotated[int, Range(1, 1_000_000, log=True), "a stone of a live four"] = 100_000,
    rush_four: Annotated[int, Range(1, 1_000_000, log=True), "a stone of a rush four"] = 10_000,
    live_three: Annotated[int, Range(1, 1_000_000, log=True), "a stone of a live three"] = 10_000,
    rush_three: Annotated[int, Range(1, 1_000_000, log=True), "a stone of a rush three"] = 1_000,
    live_two: Annotated[int, Range(1, 1_000_000, log=True), "a stone of a live two"] = 1_000,
    rush_two: Annotated[int, Range(1, 1_000_000, log=True), "a stone of a rush two"] = 100,
    one: Annotated[int, Range(1, 1_000_000, log=True), "a lone stone with room"] = 10,
    denominator: Annotated[
        int, Range(1, 1_000_000_000, log=True), "base score at which the unclamped factor is 2"
    ] = 1_000_000,
    factor_low: Annotated[float, Range(-1, 0), "the lean on defence when behind"] = -0.3,
    factor_high: Annotated[float, Range(0, 1), "the lean on attack when ahead"] = 0.2,
    extension: Annotated[int, Range(1, 4), "plies added for a rush four"] = 2,
    extension_max: Annotated[int, Range(0, 12), "plies added in one line of play"] = 4,
    range: Annotated[int, Range(1, 25), "rows and columns from the last two moves"] = 3,
    max_points: Annotated[int, Range(1, 225, log=True), "candidates tried in a position"] = 12,
    table: Annotated[int, Range(0, 20), "bits of the Zobrist table's index, 0 for none"] = 16,
) -> ShapePlayer:
    """Alpha-beta over the points near the last two moves, sorted by the larger side's score."""
    twos, threes = (rush_two, live_two), (rush_three, live_three)
    weights = (0, one, one, *twos, *threes, rush_four, live_four, five)
    options = {
        "denominator": denominator,
        "factor_low": factor_low,
        "factor_high": factor_high,
        "extension": extension,
        "extension_max": extension_max,
        "window": range,
        "far": live_three,
        "width": max_points,
        "by_larger": True,
        "table_bits": table,
    }
    return ShapePlayer(game, depth, weights, with_lines=False, options=options, info=counts)


def counts(board: Any) -> Mapping[str, int | float]:
    """What the source document reports of a search."""
    return {
        "cutoffs": int(board["cutoffs"]),
        "extensions": int(board["extensions"]),
        "hit_rate": int(board["hits"]) / max(1, int(board["probes"])),
        "search_hit_rate": int(board["saved"]) / max(1, int(board["searches"])),
    }


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    """Searches of midgame positions, and stones played and taken back."""
    yield from searches(lambda game, depth: engine(game, depth=depth), (6, 7))
    yield play_undo(engine(cast(Gomoku, gomoku())).play_undo)
