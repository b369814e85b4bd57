"""What the players did under swap2: who proposed, what was chosen, and how proposers came out."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from arena.match.swap2_rule import parts_of
from arena.report.numbers import share_text

AT_THREE, AT_FIVE = ("swap", "stay", "two"), ("swap_at_five", "stay_at_five")
"""Columns of the choices at three stones, and at five."""
TITLES = {
    "name": "name",
    "proposed": "proposed",
    "proposer_score": "score then",
    "chose": "chose",
    "swap": "swap",
    "stay": "stay",
    "two": "two more",
    "swap_at_five": "swap at 5",
    "stay_at_five": "stay at 5",
}


def swap2_frame(names: Sequence[str], games: pd.DataFrame) -> pd.DataFrame:
    """One row a player, and nothing if no game was opened so.

    The games that it `proposed`, its share of the points in these (`proposer_score`), the games in
    which it `chose` at three stones, how often it did what; the same at five, for proposers.
    """
    games = games[games["proposer"] > 0]
    rows = {name: dict.fromkeys([*TITLES][1:], 0) for name in names} if len(games) else {}
    points = dict.fromkeys(names, 0.0)
    columns = ["first", "second", "winner", "proposer", "swap2"]
    for first, second, winner, seat, swap2 in games[columns].itertuples(index=False, name=None):
        proposer, other = (first, second) if seat == 1 else (second, first)
        rows[proposer]["proposed"] += 1
        points[proposer] += 0.5 if pd.isna(winner) else float(winner == seat)
        answers = [answer for answer, _, _ in parts_of(swap2)]
        for answer in {*answers[1:2]} & {*AT_THREE}:
            rows[other]["chose"] += 1
            rows[other][answer] += 1
        for answer in {f"{each}_at_five" for each in answers[2:3]} & {*AT_FIVE}:
            rows[proposer][answer] += 1
    frame = pd.DataFrame([{"name": name, **row} for name, row in rows.items()], columns=[*TITLES])
    scores = [points[name] / row["proposed"] for name, row in rows.items() if row["proposed"]]
    frame["proposer_score"] = pd.Series(scores, frame.index[frame["proposed"] > 0], dtype=float)
    return frame


def swap2_title(frame: pd.DataFrame) -> str:
    """The answer: what the proposers took, and what was chosen against them."""
    games, chose = int(frame["proposed"].sum()), int(frame["chose"].sum())
    score = (frame["proposer_score"] * frame["proposed"]).sum() / games
    shares = [f"{words} {share_text(frame[name].sum() / chose)}" for name, words in (
        ("swap", "swap"), ("stay", "stay"), ("two", "two more stones")
    )] if chose else []  # fmt: skip
    return ", ".join([f"Swap2: the proposer took {share_text(score)} of the points", *shares])


def swap2_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame as people read it: choices as shares."""
    table = frame.copy().astype(object)
    table["proposer_score"] = frame["proposer_score"].map(share_text, na_action="ignore")
    for columns in (AT_THREE, AT_FIVE):
        whole = frame[[*columns]].sum(axis=1)
        for name in columns:
            table[name] = (frame[name] / whole).map(share_text, na_action="ignore")
    if not frame[[*AT_FIVE]].to_numpy().any():
        table = table.drop(columns=[*AT_FIVE])
    return table.fillna("-").rename(columns=TITLES)
