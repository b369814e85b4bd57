"""Values within which a parameter's best one is thought to be, and what such a range is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

BEST_VALUE = "95 % of the best value"
BEST_TENTH = "spread of the best tenth"
"""The middle eight tenths of the values of the best trials: of methods that know no interval."""


class Reach(NamedTuple):
    """A range of values."""

    kind: str
    low: float
    high: float


def reach_of(row: Mapping[Any, Any] | pd.Series[Any]) -> Reach | None:
    """A parameter's interval; else the spread of the best tenth; None of a choice."""
    for kind, ends in ((BEST_VALUE, ("low", "high")), (BEST_TENTH, ("spread_low", "spread_high"))):
        low, high = (row[end] for end in ends)
        if pd.notna(low):
            return Reach(kind, float(low), float(high))
    return None


def kind_of_reach(parameters: pd.DataFrame) -> str:
    """The kind of all a study's ranges."""
    return BEST_TENTH if parameters["spread_low"].notna().any() else BEST_VALUE
