"""A player that learned from games: its evaluation is tables over patterns of empty points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import numpy.typing as npt

from arena.engine import Choice, Evaluation, FilePath, Range
from arena.game import Position
from arena.games.gomoku import Gomoku, game as gomoku

from .kit.benchmarks import evaluations, play_undo, searches, stones_on
from .kit.pattern_tables import (
    POINTS,
    SEARCH,
    UNITS,
    Weights,
    move_weights_in,
    read_move_weights,
    read_weights,
    weights_in,
)
from .kit.record import new_board
from .kit.selective.parameters import with_constants
from .kit.selective.player import SelectivePlayer
from .kit.shapes.board import put
from .kit.shapes.codes import MOVE_WEIGHTS, WEIGHTS, Tables, count_weights, pattern_value
from .kit.shapes.table import RANKS

GAMES = ("gomoku", "renju")
DOCUMENT = "none of them: its tables are fitted to games"


@partial(with_constants, without=("initiative",), defaults=SEARCH)
def engine(
    game: Gomoku,
    *,
    depth: Annotated[int, Range(1, 60), "plies searched where nothing is limited"] = 6,
    tables: Annotated[str, FilePath(), "of fitted weights; empty: those it comes with"] = "",
    fitted: Annotated[bool, "without tables: weights fitted to games, or made by hand"] = True,
    moves: Annotated[str, FilePath(), "of worths by which moves are sorted; empty: its own"] = "",
    fitted_moves: Annotated[bool, "without it: worths fitted to games, or made by hand"] = True,
    threats: Annotated[bool, "whether threats on the board count beside patterns"] = True,
    **constants: int,
) -> SelectivePlayer:
    """Selective alpha-beta that evaluates and sorts moves by tables of patterns and threats."""
    own = Tables(
        weights_in(game, tables, threats, fitted), move_weights_in(game, moves, fitted_moves)
    )
    return SelectivePlayer(game, depth, POINTS, own, **UNITS, **constants)


def misfits(
    parameters: Mapping[str, Any], game: Gomoku | None
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The faults of files that hold no weights for this game: each one's key, and a message."""
    for name, read in (("tables", read_weights), ("moves", read_move_weights)):
        if parameters[name] and game:
            try:
                read(Path(parameters[name]), game.rule)
            except ValueError as error:
                yield (name,), str(error)


@dataclass(frozen=True, slots=True)
class _PatternFeatures:
    """The weights that count in a position: a board on which it is put, and the weights."""

    board: Any
    start: npt.NDArray[np.float64]

    @property
    def size(self) -> int:
        """The number of weights: in renju, those of either player as the mover."""
        return len(self.start)

    def of(self, p: Position) -> tuple[Sequence[int], Sequence[float]]:
        """The numbers of the weights that count, and how often."""
        put(self.board, p.cells, ())
        counts = np.zeros(WEIGHTS, np.int64)
        count_weights(self.board, p.turn - 1, counts)
        places = np.flatnonzero(counts)
        first = (p.turn - 1) * WEIGHTS if self.size > WEIGHTS else 0
        return (places + first).tolist(), counts[places].tolist()


def features(
    game: Gomoku, *, tables: str, threats: bool, fitted: bool = True, **others: Any
) -> _PatternFeatures:
    """The tables' weights: patterns of the mover, of the other side, masks, and the move."""
    weights = weights_in(game, tables, threats, fitted)
    return _PatternFeatures(pattern_board(game, weights), weights.astype(np.float64))


def evaluate(
    game: Gomoku, *, tables: str, threats: bool, fitted: bool = True, **others: Any
) -> Evaluation:
    """The value that the tables say."""
    board = pattern_board(game, weights_in(game, tables, threats, fitted))

    def evaluation(p: Position) -> int:
        put(board, p.cells, ())
        return int(pattern_value(board, p.turn - 1))

    return evaluation


def pattern_board(game: Gomoku, weights: Weights) -> Any:
    """An empty board that keeps patterns, and has these weights to evaluate positions."""
    tables = Tables(weights, np.zeros(MOVE_WEIGHTS, np.int64))
    return new_board(game.size, game.rule, (0,) * RANKS, tables, with_classes=True)


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    yield from searches(lambda game, depth: engine(game, depth=depth), (8, 10))
    game = cast(Gomoku, gomoku())
    yield play_undo(stones_on(pattern_board(game, weights_in(game))))
    yield evaluations(evaluate, engine)
