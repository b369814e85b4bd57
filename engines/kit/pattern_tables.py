"""Tables of the evaluation by patterns: the files of fitted weights, and weights made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.games.gomoku import Gomoku

from .shapes.patterns import MASKS, PATTERNS, WEIGHTS, hand_made
from .shapes.table import Rule, rank_weights

OWN = (0, 1, 2, 4, 10, 40, 110, 180, 500, 900)
OTHER = (0, -1, -2, -4, -9, -35, -95, -150, -420, -750)
"""Hand-made weights by rank of a point, the mover's and the other side's."""
OWN_THREATS = (100, 150, 80, 300)
OTHER_THREATS = (-50, -100, -40, -150, -300)
"""Hand-made weights of the classes of points that a side has on the board, live threes first."""
FITTED = Path(__file__).parents[1] / "tables" / "patterns-freestyle-2e6510d63d52.npz"
"""The fitted weights for all rules: those for freestyle, since fits to games of the others were not
shown to improve on them. They are rounded; the name has the digest of the fit's own file."""

POINTS = rank_weights(20, 45, 149, 116, 330, 200, 800, 10_000)
"""The worth of a point's shapes, by which moves are sorted and futile ones told."""
UNITS = {"unit": 990, "point_unit": 330}

Weights = npt.NDArray[np.int64]


def weights_in(
    game: Gomoku, tables: str = "", threats: bool = True, fitted: bool = True
) -> Weights:
    """The weights of a file, or without one the project's own: fitted, or made by hand.

    Those of fits are rounded to whole numbers, and what being on the move is worth is added. Raises
    ValueError for a file that holds no such weights, or those of another rule.
    """
    if tables:
        found = read_weights(Path(tables), game.rule)
    elif fitted:
        found = of_movers(read_weights(FITTED, "freestyle"), game.rule)
    else:
        found = of_movers(hand_made(OWN, OTHER, (*OWN_THREATS, *OTHER_THREATS)), game.rule)
    if not threats:
        found.reshape(-1, WEIGHTS)[:, 2 * PATTERNS : 2 * PATTERNS + MASKS] = 0
    return found


def of_movers(weights: npt.NDArray[Any], rule: Rule) -> npt.NDArray[Any]:
    """The weights, in renju those of each mover; weights of one mover are taken for both."""
    return np.tile(weights, 2) if rule == "renju" and weights.shape == (WEIGHTS,) else weights


def read_weights(file: Path, rule: Rule) -> Weights:
    """The weights of a file of numpy's, in renju those of each mover.

    Raises ValueError if it has none, or if it says that they are of another rule.
    """
    try:
        with file.open("rb") as stream:  # which numpy leaves open if it is no archive
            found, to_move, fitted_for = weights_of(np.load(stream, allow_pickle=False))
    except Exception as error:  # a damaged archive can raise any, such as zlib's and tokenize's own
        words = str(error) or type(error).__name__
        raise ValueError(f"{file} holds no weights: {words}") from None
    if fitted_for not in ("", rule):
        raise ValueError(f"{file} holds weights for {fitted_for}, and the game is {rule}")
    found, size = of_movers(found, rule), WEIGHTS * (2 if rule == "renju" else 1)
    if found.shape != (size,) or not np.isfinite([*found, to_move]).all():
        raise ValueError(f"{file}: `weights` must be {size} finite numbers")
    found.reshape(-1, WEIGHTS)[:, -1] += to_move
    limits = np.iinfo(np.int16)
    return np.clip(np.rint(found), limits.min, limits.max).astype(np.int64)


def weights_of(arrays: Any) -> tuple[npt.NDArray[np.float64], float, str]:
    """The weights in a `.npz` file, the worth of being on the move, and the rule, if it has one."""
    if not isinstance(arrays, np.lib.npyio.NpzFile):
        raise ValueError("it is one array, without names")
    to_move = float(arrays["to_move"]) if "to_move" in arrays else 0.0
    rule = str(arrays["rule"]) if "rule" in arrays else ""
    return np.array(arrays["weights"], np.float64), to_move, rule
