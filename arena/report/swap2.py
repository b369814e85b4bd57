"""Swap2 in frames and tables: how often players proposed, chose, and won as the proposer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import pandas as pd

from arena.match.swap2_rule import parts_of
from arena.report.numbers import share_text
from arena.storage.kept_games import Games

AT_THREE, AT_FIVE = ("swap", "stay", "two"), ("swap_at_five", "stay_at_five")
"""Columns of the choices at three stones, and at five."""
SWAP2_TITLES = {
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


def swap2_frame(names: Sequence[str], runs: Mapping[str, Games]) -> pd.DataFrame:
    """One row a player, and nothing if no game was opened so.

    The games that it `proposed`, its share of the points in these (`proposer_score`), the games in
    which it `chose` at three stones, how often it did what; the same at five, for proposers.
    """
    made = [games.part(lambda row: row.made) for games in runs.values()]
    rows = {name: dict.fromkeys([*SWAP2_TITLES][1:], 0) for name in names} if any(made) else {}
    points = dict.fromkeys(names, 0.0)
    for record in chain.from_iterable(games.records() for games in made):
        seat, winner = record.proposer, record.winner
        proposer, other = record.player(seat), record.player(3 - seat)
        rows[proposer]["proposed"] += 1
        points[proposer] += 0.5 if winner is None else float(winner == seat)
        answers = [answer for answer, _, _ in parts_of(record.swap2)]
        for answer in {*answers[1:2]} & {*AT_THREE}:
            rows[other]["chose"] += 1
            rows[other][answer] += 1
        for answer in {f"{each}_at_five" for each in answers[2:3]} & {*AT_FIVE}:
            rows[proposer][answer] += 1
    frame = pd.DataFrame(
        [{"name": name, **row} for name, row in rows.items()], columns=[*SWAP2_TITLES]
    )
    scores = [points[name] / row["proposed"] for name, row in rows.items() if row["proposed"]]
    frame["proposer_score"] = pd.Series(scores, frame.index[frame["proposed"] > 0], dtype=float)
    return frame


def swap2_title(frame: pd.DataFrame) -> str:
    """The proposers' share of the points, and the shares of the choices at three stones."""
    score = (frame["proposer_score"] * frame["proposed"]).sum() / frame["proposed"].sum()
    chosen = frame[[*AT_THREE]].sum() / max(frame["chose"].sum(), 1)
    words = [f"{SWAP2_TITLES[str(name)]} {share_text(share)}" for name, share in chosen.items()]
    return ", ".join([f"Swap2: the proposer took {share_text(score)} of the points", *words])


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
    return table.fillna("-").rename(columns=SWAP2_TITLES)
