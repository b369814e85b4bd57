"""The strongest player of the project, with nine levels: the opponent to take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from arena.engine import Choice, Limit, Range
from arena.game import Position
from arena.games.gomoku import Gomoku

from .kit.benchmarks import searches
from .kit.pattern_tables import POINTS, SEARCH, UNITS, move_weights_in, weights_in
from .kit.selective.player import SelectivePlayer
from .kit.shapes.codes import Tables

GAMES = ("gomoku", "renju")
DOCUMENT = "none of them: it searches and evaluates as `patterns` does, with the fitted tables"
LEVEL = 5  # the level at which people meet it by default

NODES = (0, 1, 70, 350, 1_000, 2_500, 7_500, 22_000, 65_000, 190_000)
"""Nodes of a move at each level; level 0 has as many as the match allows."""
UNHURRIED = 1_000_000  # nodes of a move where nothing limits them: some 0.7 s


@dataclass(frozen=True, slots=True)
class _StrongPlayer:
    """A selective player that searches no more nodes than its level has."""

    searcher: SelectivePlayer
    level: int

    def new_game(self, seed: int) -> None:
        self.searcher.new_game(seed)

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Search as deep as the level and the limits allow."""
        return self.searcher.choose(p, _limit_at(self.level, limit))

    def close(self) -> None:
        """Do nothing: only memory is held."""


def engine(
    game: Gomoku,
    *,
    level: Annotated[
        int, Range(0, len(NODES) - 1), "9 is the strongest; 0: as the limits allow"
    ] = 0,
    depth: Annotated[int, Range(1, 60), "plies searched at most"] = 60,
) -> _StrongPlayer:
    """Selective alpha-beta, with an evaluation by tables that were fitted to the results of games.

    A level is a number of nodes. Without one, the search ends by limits of nodes or time, and by
    1 000 000 nodes where there are none.
    """
    tables = Tables(weights_in(game), move_weights_in(game))
    searcher = SelectivePlayer(game, depth, POINTS, tables, deepest=depth, **UNITS, **SEARCH)
    return _StrongPlayer(searcher, level)


def _limit_at(level: int, limit: Limit) -> Limit:
    """The limit of a move at a level: the match's own, and the nodes of the level."""
    most = NODES[level]
    if not level and limit.nodes is limit.seconds is limit.time_left is None:
        most = UNHURRIED
    return replace(limit, nodes=min(most, limit.nodes or most)) if most else limit


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    yield from searches(lambda game, depth: engine(game, depth=depth), (8, 10))
