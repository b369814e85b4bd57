"""The openings of a run: what each is worth to the first player, and which of them decide."""

from __future__ import annotations

import pandas as pd

POINTS_BY_WINNER = {1: 1.0, 2: 0.0}
OPENING_COUNTS = ["opening", "moves", "games", "first_score", "by_colour", "by_player", "drawn"]


def opening_numbers(games: pd.DataFrame) -> pd.Series[int]:
    """The number of each game's opening, in the order in which they come; 0 for none."""
    texts = games["opening"]
    found = {text: i for i, text in enumerate(texts[texts != ""].unique(), start=1)}
    return texts.map(found).fillna(0).astype(int)


def openings_table(games: pd.DataFrame) -> pd.DataFrame:
    """One row an opening, in the order in which they come.

    `first_score` is the first player's share of the points. Of the pairs on it, `by_colour` had
    both games won by one colour: there the opening decides; `by_player` had both won by one
    player: there the players do; `drawn` are all others.
    """
    if not opening_numbers(games).any():
        return pd.DataFrame(columns=OPENING_COUNTS)
    columns = ["run", "pair"] if "run" in games else ["pair"]
    points = [POINTS_BY_WINNER.get(winner, 0.5) for winner in games["winner"].fillna(0)]
    rows = games.assign(number=opening_numbers(games), points=points)
    rows = rows[rows["number"] > 0]
    by_opening = rows.groupby("number")
    found = pd.DataFrame(
        {
            "moves": by_opening["opening"].first(),
            "games": by_opening.size(),
            "first_score": by_opening["points"].mean(),
        }
    )
    kinds = pair_kinds(rows, columns).groupby("number")[["by_colour", "by_player", "drawn"]].sum()
    found = found.join(kinds).fillna({"by_colour": 0, "by_player": 0, "drawn": 0})
    found = found.astype({"by_colour": int, "by_player": int, "drawn": int})
    return found.reset_index(names="opening")[OPENING_COUNTS]


def pair_kinds(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """One row for each complete pair: which of both decided it."""
    pairs = rows.groupby([*columns, "number"])["points"].agg(["size", "sum", "min", "max"])
    pairs = pairs[pairs["size"] == 2].reset_index()
    # Points of the first player: 2 or 0 in all if one colour won both, 1 and 0 if one player did.
    by_colour = pairs["sum"].isin([0.0, 2.0])
    by_player = (pairs["min"] == 0) & (pairs["max"] == 1)
    return pd.DataFrame(
        {
            "number": pairs["number"],
            "by_colour": by_colour,
            "by_player": by_player,
            "drawn": ~(by_colour | by_player),
        }
    )
