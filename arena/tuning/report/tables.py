"""The frames of a study as tables for people."""

from __future__ import annotations

import pandas as pd

from arena.report.numbers import share_text
from arena.tuning.report.frames import BEST_TENTH, Frames, ends_text, kind_of_reach, weight_text


def games_played(frames: Frames) -> int:
    """The number of games of all trials that are over."""
    return int(frames.trials["games"].sum())


def parameters_table(parameters: pd.DataFrame, name_of_values: str) -> pd.DataFrame:
    """The values found, under this name, as people read them."""
    table = parameters[["name"]].rename(columns={"name": "parameter"})
    rows = parameters.to_dict("records")
    for title, column in (("default", "default"), (name_of_values, "tuned")):
        table[title] = [weight_text(row, column) for row in rows]
    reach = kind_of_reach(parameters)
    for title, low, high in (
        (reach, "spread_low", "spread_high") if reach == BEST_TENTH else (reach, "low", "high"),
        ("within 1 Elo", "flat_low", "flat_high"),
    ):
        table[title] = [
            "-" if pd.isna(row[low]) else ends_text(row, row[low], row[high]) for row in rows
        ]
    table["importance"] = [
        "-" if pd.isna(share) else share_text(share) for share in parameters["importance"]
    ]
    return table
