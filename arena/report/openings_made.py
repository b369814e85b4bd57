"""Openings that players made: how often they proposed, chose, and won as the proposer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import pandas as pd

from arena.match.opening_rules import rule_named
from arena.report.numbers import share_text
from arena.storage.kept_games import Games

_AT_THREE, _AT_FIVE = ("swap", "stay", "two"), ("swap_at_five", "stay_at_five")
"""Columns of the choices at three stones, and at five."""
_TITLES = {
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


def made_frame(names: Sequence[str], runs: Mapping[str, Games]) -> pd.DataFrame:
    """One row a player, and nothing if no game was opened so.

    The games that it `proposed`, its share of the points in these (`proposer_score`), the games in
    which it `chose` at three stones, how often it did what; the same at five, for proposers.
    """
    made = [games.part(lambda row: bool(row.rule)) for games in runs.values()]
    rows = {name: dict.fromkeys([*_TITLES][1:], 0) for name in names} if any(made) else {}
    points = dict.fromkeys(names, 0.0)
    for record in chain.from_iterable(games.records() for games in made):
        seat, winner = record.proposer, record.winner
        proposer, other = record.player(seat), record.player(3 - seat)
        rows[proposer]["proposed"] += 1
        points[proposer] += 0.5 if winner is None else float(winner == seat)
        answers = record.made.words if record.made else ()
        for answer in {*answers[1:2]} & {*_AT_THREE}:
            rows[other]["chose"] += 1
            rows[other][answer] += 1
        for answer in {f"{each}_at_five" for each in answers[2:3]} & {*_AT_FIVE}:
            rows[proposer][answer] += 1
    frame = pd.DataFrame([{"name": name, **row} for name, row in rows.items()], columns=[*_TITLES])
    scores = [points[name] / row["proposed"] for name, row in rows.items() if row["proposed"]]
    frame["proposer_score"] = pd.Series(scores, frame.index[frame["proposed"] > 0], dtype=float)
    return frame


def made_texts(frame: pd.DataFrame, runs: Mapping[str, Games]) -> tuple[str, str, pd.DataFrame]:
    """The frame as people read it: the rules of the games; the proposers' share of the points and
    the shares of the choices at three stones; the table, with choices as shares."""
    rules = sorted({row.rule for games in runs.values() for row in games.rows} - {""})
    steps = [step for rule in rules for step in rule_named(rule).ANSWERS.values()]
    known = {answer.word for step in steps for answer in step}
    at_three = [name for name in _AT_THREE if name in known]
    score = (frame["proposer_score"] * frame["proposed"]).sum() / frame["proposed"].sum()
    chosen = frame[at_three].sum() / max(frame["chose"].sum(), 1)
    words = [f"{_TITLES[str(name)]} {share_text(share)}" for name, share in chosen.items()]
    told = ", ".join([f"the proposer took {share_text(score)} of the points", *words])
    table = frame.drop(columns={*_AT_THREE} - {*at_three}).astype(object)
    table["proposer_score"] = frame["proposer_score"].map(share_text, na_action="ignore")
    for columns in (at_three, [*_AT_FIVE]):
        whole = frame[columns].sum(axis=1)
        for name in columns:
            table[name] = (frame[name] / whole).map(share_text, na_action="ignore")
    if not frame[[*_AT_FIVE]].to_numpy().any():
        table = table.drop(columns=[*_AT_FIVE])
    return " and ".join(rules).capitalize(), told, table.fillna("-").rename(columns=_TITLES)
