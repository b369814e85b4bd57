"""Tables of patterns, to evaluate positions and sort moves: fitted ones, and some made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.games.gomoku import Gomoku

from .selective.parameters import constants
from .shapes.codes import MASKS, MOVE_WEIGHTS, PATTERNS, WEIGHTS, by_rank, hand_made
from .shapes.table import Rule, rank_weights

OWN = (0, 1, 2, 4, 10, 40, 110, 180, 500, 900)
OTHER = (0, -1, -2, -4, -9, -35, -95, -150, -420, -750)
"""Hand-made weights by rank of a point, the mover's and the other side's."""
OWN_THREATS = (100, 150, 80, 300)
OTHER_THREATS = (-50, -100, -40, -150, -300)
"""Hand-made weights of the classes of points that a side has on the board, live threes first."""
FITTED = Path(__file__).parents[1] / "tables" / "patterns-freestyle-cf8841a8f6ec.npz"
"""The fitted weights for all rules: those for freestyle, since fits to games of the others were not
shown to play better. They are rounded; the name has the digest of the fit's own file."""
FITTED_MOVES = Path(__file__).parents[1] / "tables" / "moves-freestyle-2c4f71c881f4.npz"
"""The fitted weights that sort moves, for all rules."""

POINTS = rank_weights(20, 45, 149, 116, 330, 200, 800, 10_000)
"""The worth of a point's shapes, by which futile moves are told, answers to two fours sorted, and
all moves without a fit."""
MOVE_UNIT = 100  # the worth that makes a move e times as likely to be played
UNITS = {"unit": 990, "point_unit": 330}
SEARCH = {
    "fours_below": 1,
    "root_share": 0,
    "window": 21,
    "lead": 17,
    "late_spoilers": 1,
    "leaf_fours": 2,
    "inner_fours": 2,
    "count_base": 4,
    "count_step": 55,
    "gap_base": 51,
    "gap_step": 25,
    "gap_window": 60,
    "late_base": 19,
    "late_factor": 69,
    "late_window": 45,
    "late_history": 89,
    "late_gap": 68,
    "unknown_depth": 5,
    "history_order": 144,
}
"""Constants of the search whose values here are not the usual ones: see research/strength.md.
Thirteen are from the study of configs/tune_patterns.yaml."""
MOST_WORTH = 10**9  # the largest weight that sorts moves: orders have room for it with others added

Weights = npt.NDArray[np.int64]


def weights_in(
    game: Gomoku, tables: str = "", threats: bool = True, fitted: bool = True
) -> Weights:
    """The weights of a file, or without one the project's own: fitted, or made by hand.

    ValueError for a file that holds no such weights, or those of another rule.
    """
    if tables:
        weights = read_weights(Path(tables), game.rule)
    elif fitted:
        weights = _of_movers(read_weights(FITTED, "freestyle"), game.rule)
    else:
        weights = _of_movers(hand_made(OWN, OTHER, (*OWN_THREATS, *OTHER_THREATS)), game.rule)
    if not threats:
        weights.reshape(-1, WEIGHTS)[:, 2 * PATTERNS : 2 * PATTERNS + MASKS] = 0
    return weights


def move_weights_in(game: Gomoku, moves: str = "", fitted: bool = True) -> Weights:
    """The weights by which moves are sorted: a file's, or the project's own, fitted or by hand.

    ValueError for a file that holds no such weights, or those of another rule.
    """
    if moves:
        return read_move_weights(Path(moves), game.rule)
    if fitted:
        return read_move_weights(FITTED_MOVES, "freestyle")
    # As a search without tables sorts moves, but for crossing threats.
    usual = constants()
    shares = [by_rank(POINTS) * usual[name] // 100 for name in ("own_order", "other_order")]
    return np.concatenate(shares)


def _of_movers(weights: npt.NDArray[Any], rule: Rule) -> npt.NDArray[Any]:
    """The weights, in renju those of each mover; weights of one mover are taken for both."""
    return np.tile(weights, 2) if rule == "renju" and weights.shape == (WEIGHTS,) else weights


def read_weights(file: Path, rule: Rule) -> Weights:
    """The weights of a `.npz` file, in renju those of each mover; ValueError as of `_arrays_in`.

    They are rounded, and what being on the move is worth is added.
    """
    weights, to_move = _arrays_in(file, rule, "weights", "to_move")
    weights = _of_movers(weights, rule)
    _check_numbers(file, "weights", weights, (WEIGHTS * (2 if rule == "renju" else 1),))
    _check_numbers(file, "to_move", to_move, ())
    weights.reshape(-1, WEIGHTS)[:, -1] += to_move
    limits = np.iinfo(np.int16)
    return np.clip(np.rint(weights), limits.min, limits.max).astype(np.int64)


def read_move_weights(file: Path, rule: Rule) -> Weights:
    """The weights of a `.npz` file that sort moves; ValueError as of `_arrays_in`."""
    (worths,) = _arrays_in(file, rule, "worths")
    _check_numbers(file, "worths", worths, (MOVE_WEIGHTS,))
    return np.clip(np.rint(worths), -MOST_WORTH, MOST_WORTH).astype(np.int64)


def _arrays_in(file: Path, rule: Rule, *names: str) -> list[npt.NDArray[np.float64]]:
    """The arrays by these names in a `.npz` file; of those after the first, 0 if it has none.

    Raises ValueError if it has no first one, or if it says that they are of another rule.
    """
    try:
        with file.open("rb") as stream:  # which numpy leaves open if it is no archive
            arrays = np.load(stream, allow_pickle=False)
            if not isinstance(arrays, np.lib.npyio.NpzFile):
                raise ValueError("it is one array, without names")
            fitted_for = str(arrays["rule"]) if "rule" in arrays else ""
            first, *others = names
            values = [arrays[first], *(arrays.get(each, 0.0) for each in others)]
            numbers = [np.array(each, np.float64) for each in values]
    except Exception as error:  # a damaged archive can raise any, such as zlib's and tokenize's own
        words = str(error) or type(error).__name__
        raise ValueError(f"{file} holds no {names[0]}: {words}") from None
    if fitted_for not in ("", rule):
        raise ValueError(f"{file} holds {names[0]} for {fitted_for}, and the game is {rule}")
    return numbers


def _check_numbers(
    file: Path, name: str, numbers: npt.NDArray[np.float64], shape: tuple[int, ...]
) -> None:
    """ValueError unless the array has this shape and finite numbers only."""
    if numbers.shape != shape or not np.isfinite(numbers).all():
        kind = f"{shape[0]} finite numbers" if shape else "a finite number"
        raise ValueError(f"{file}: `{name}` must be {kind}")
