"""Games as a frame, one row each, and those of them that are no copies."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd

from arena.match.pairs import pair_numbers
from arena.match.record import FIELDS, Numbered, values_of


def games_frame(runs: Mapping[str, Numbered], singles: Collection[str] = ()) -> pd.DataFrame:
    """One row a game, run by run; with the name of its run if there are several."""
    rows = [
        (run, number, pair, *values_of(record))
        for run, numbered in runs.items()
        for (number, record), pair in zip(
            numbered, pair_numbers(numbered, run in singles), strict=True
        )
    ]
    games = typed(pd.DataFrame(rows, columns=["run", "game", "pair", *FIELDS]))
    return games if len(runs) > 1 else games.drop(columns="run")


def typed(games: pd.DataFrame) -> pd.DataFrame:
    """The frame with its columns' types, which an empty frame would lack."""
    whole = ["game", "pair", "round", "seed", "plies"]
    types = {column: "int64" for column in whole if column in games}
    return games.astype({**types, "winner": "Int64"})


def distinct_games(games: pd.DataFrame) -> int:
    """The number of games that are no copies of others."""
    marks = games["digest"].where(games["digest"] != "", games["moves"])
    return int((~games.assign(mark=marks).duplicated(["first", "second", "mark"])).sum())
