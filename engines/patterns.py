"""A player that learned from games: its evaluation is tables over patterns of empty points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from arena.engine import Choice, Evaluation, FilePath, Range
from arena.game import Position
from arena.games.gomoku import Gomoku

from .kit.benchmarks import evaluations, searches
from .kit.record import new_board
from .kit.selective.parameters import with_constants
from .kit.selective.player import SelectivePlayer
from .kit.shapes.patterns import MASKS, PATTERNS, WEIGHTS, count_weights, hand_made, pattern_value
from .kit.shapes.setup import put
from .kit.shapes.table import RANKS, Rule, rank_weights

GAMES = ("gomoku", "renju")
DOCUMENT = "none of them: its tables are fitted to games, and made by hand where no file is shipped"

OWN = (0, 1, 2, 4, 10, 40, 110, 180, 500, 900)
OTHER = (0, -1, -2, -4, -9, -35, -95, -150, -420, -750)
"""Hand-made weights by rank of a point, the mover's and the other side's: the start of the fit."""
OWN_THREATS = (100, 150, 80, 300)
OTHER_THREATS = (-50, -100, -40, -150, -300)
"""Hand-made weights of the classes of points that a side has on the board, live threes first."""
FITTED: dict[Rule, str] = {"freestyle": "patterns-freestyle-2e6510d63d52.npz"}
"""Files of fitted weights, by rule, in `engines/tables/`; their names have their digests."""

POINTS = rank_weights(20, 45, 149, 116, 330, 200, 800, 10_000)
"""The worth of a point's shapes, by which moves are sorted and futile ones told: as in `strong`."""
UNITS = {"unit": 990, "point_unit": 330}

Weights = npt.NDArray[np.int64]


@partial(with_constants, without=("initiative",))
def engine(
    game: Gomoku,
    *,
    depth: Annotated[int, Range(1, 60), "plies searched where nothing is limited"] = 6,
    tables: Annotated[str, FilePath(), "of fitted weights; empty: those it comes with"] = "",
    fitted: Annotated[
        bool, "without tables: fitted weights if the rule has them, or by hand"
    ] = True,
    threats: Annotated[bool, "whether threats on the board count beside patterns"] = True,
    **constants: int,
) -> SelectivePlayer:
    """Selective alpha-beta with an evaluation by tables of patterns and threats."""
    weights = weights_in(game, tables, threats, fitted)
    return SelectivePlayer(game, depth, POINTS, weights, **UNITS, **constants)


def weights_in(game: Gomoku, tables: str, threats: bool, fitted: bool) -> Weights:
    """The weights of a file, or without one those that the engine has.

    Both are rounded to whole numbers. What a fit found that being on the move is worth is added.
    Raises ValueError for a file that holds no such weights.
    """
    sides = 2 if game.rule == "renju" else 1
    if tables or (fitted and game.rule in FITTED):
        file = Path(tables) if tables else Path(__file__).parent / "tables" / FITTED[game.rule]
        weights = read_weights(file, sides)
    else:
        weights = np.tile(hand_made(OWN, OTHER, (*OWN_THREATS, *OTHER_THREATS)), sides)
    if not threats:
        weights.reshape(sides, WEIGHTS)[:, 2 * PATTERNS : 2 * PATTERNS + MASKS] = 0
    return weights


def read_weights(file: Path, sides: int) -> Weights:
    """The weights of a file of numpy's, for each mover or for both; ValueError if it has none."""
    try:
        with file.open("rb") as stream:  # which numpy leaves open if it is no archive
            found, to_move = weights_of(np.load(stream, allow_pickle=False))
    except (OSError, EOFError, BadZipFile, TypeError, ValueError, KeyError) as error:
        raise ValueError(f"{file} holds no weights: {error}") from None
    if found.shape == (WEIGHTS,):
        found = np.tile(found, sides)
    if found.shape != (sides * WEIGHTS,) or not np.isfinite([*found, to_move]).all():
        raise ValueError(f"{file}: `weights` must be {sides * WEIGHTS} finite numbers")
    found.reshape(sides, WEIGHTS)[:, -1] += to_move
    limits = np.iinfo(np.int16)
    return np.clip(np.rint(found), limits.min, limits.max).astype(np.int64)


def weights_of(arrays: Any) -> tuple[npt.NDArray[np.float64], float]:
    """The weights in a `.npz` file, and the worth of being on the move."""
    if not isinstance(arrays, np.lib.npyio.NpzFile):
        raise ValueError("it is one array, without names")
    to_move = float(arrays["to_move"]) if "to_move" in arrays else 0.0
    return np.array(arrays["weights"], np.float64), to_move


@dataclass(frozen=True, slots=True)
class PatternFeatures:
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
) -> PatternFeatures:
    """The tables' weights: patterns of the mover, of the other side, masks, and the move."""
    weights = weights_in(game, tables, threats, fitted)
    return PatternFeatures(pattern_board(game, weights), weights.astype(np.float64))


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
    """An empty board that keeps patterns."""
    return new_board(game.size, game.rule, (0,) * RANKS, weights, with_classes=True)


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    """Searches of midgame positions, and values."""
    yield from searches(lambda game, depth: engine(game, depth=depth), (8, 10))
    yield evaluations(evaluate, engine)
