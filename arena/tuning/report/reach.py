"""Values within which a parameter's best one is thought to be, and what such a range is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

INTERVAL = "95 % of the best value"
SPREAD = "spread of the best tenth"
"""Where a method knows no interval: the middle eight tenths of the values of the best trials."""


class Reach(NamedTuple):
    """A range of values."""

    kind: str
    low: float
    high: float


def reach_of(row: Mapping[Any, Any] | pd.Series[Any]) -> Reach | None:
    """A parameter's interval; else the spread of the best tenth; None of a choice."""
    for kind, ends in ((INTERVAL, ("low", "high")), (SPREAD, ("spread_low", "spread_high"))):
        low, high = (row[end] for end in ends)
        if pd.notna(low):
            return Reach(kind, float(low), float(high))
    return None


def kind_of_reach(parameters: pd.DataFrame) -> str:
    """The kind of all a study's ranges."""
    return SPREAD if parameters["spread_low"].notna().any() else INTERVAL
