"""The openings of runs: what each gives the first player, and what players made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import pandas as pd

from arena.match.opening_rules import rule_named
from arena.report.moves import POINTS_BY_WINNER
from arena.report.numbers import format_share
from arena.report.table import Column, Table
from arena.storage.database import Games

_AT_THREE, _AT_FIVE = ("swap", "stay", "two"), ("swap_at_five", "stay_at_five")
"""Columns of the choices at three stones, and at five."""
_COUNTS = ["opening", "moves", "games", "first_score", "by_colour", "by_player", "drawn"]
_TITLES = {
    "swap": "swap",
    "stay": "stay",
    "two": "two more",
    "swap_at_five": "swap at 5",
    "stay_at_five": "stay at 5",
}
_MADE = ["proposed", "proposer_score", "chose", *_TITLES]


def made_frame(names: Sequence[str], runs: Mapping[str, Games]) -> pd.DataFrame:
    """One row a player, and nothing if no game was opened so.

    The games that it `proposed`, its share of the points in these (`proposer_score`), the games in
    which it `chose` at three stones, how often it did what; the same at five, for proposers.
    """
    made = [games.part(lambda row: bool(row.rule)) for games in runs.values()]
    rows = {name: dict.fromkeys(_MADE, 0) for name in names} if any(made) else {}
    points = dict.fromkeys(names, 0.0)
    for record in chain.from_iterable(games.records() for games in made):
        seat, winner = record.proposer, record.winner
        proposer, other = record.player(seat), record.player(3 - seat)
        rows[proposer]["proposed"] += 1
        points[proposer] += 0.5 if winner is None else float(winner == seat)
        answers = record.made.words if record.made else ()
        if len(answers) > 1 and answers[1] in _AT_THREE:
            rows[other]["chose"] += 1
            rows[other][answers[1]] += 1
        if len(answers) > 2 and (at_five := f"{answers[2]}_at_five") in _AT_FIVE:
            rows[proposer][at_five] += 1
    frame = pd.DataFrame(
        [{"name": name, **row} for name, row in rows.items()], columns=["name", *_MADE]
    )
    scores = [points[name] / row["proposed"] for name, row in rows.items() if row["proposed"]]
    frame["proposer_score"] = pd.Series(scores, frame.index[frame["proposed"] > 0], dtype=float)
    return frame


def made_table(frame: pd.DataFrame, runs: Mapping[str, Games]) -> tuple[str, str, Table]:
    """The rules by which players made openings; in words the proposers' share of the points, and
    the shares of the choices at three stones; a table of both for each player."""
    rules = sorted({row.rule for games in runs.values() for row in games.rows} - {""})
    answers = [step for rule in rules for step in rule_named(rule).ANSWERS.values()]
    known = {answer.word for step in answers for answer in step}
    steps = [[name for name in _AT_THREE if name in known]]
    score = (frame["proposer_score"] * frame["proposed"]).sum() / frame["proposed"].sum()
    chosen = frame[steps[0]].sum() / max(frame["chose"].sum(), 1)
    words = [f"{_TITLES[str(name)]} {format_share(share)}" for name, share in chosen.items()]
    told = ", ".join([f"the proposer took {format_share(score)} of the points", *words])
    if frame[[*_AT_FIVE]].to_numpy().any():
        steps.append([*_AT_FIVE])
    shares = {name: frame[name] / frame[step].sum(axis=1) for step in steps for name in step}
    columns = [
        Column("name"),
        Column("proposed"),
        Column("proposer_score", "score then", format_share),
        Column("chose"),
        *(Column(name, _TITLES[name], format_share) for name in shares),
    ]
    title = " and ".join(rules).capitalize()
    return title, told, Table(f"{title}: {told}", frame.assign(**shares), columns)


def opening_numbers(games: pd.DataFrame) -> pd.Series[int]:
    """The number of each game's opening, in order of appearance; 0 for none or a made one."""
    texts = games["opening"].where(games["proposer"] == 0, "")
    found = {text: i for i, text in enumerate(texts[texts != ""].unique(), start=1)}
    return texts.map(found).fillna(0).astype(int)


def opening_counts(games: pd.DataFrame) -> pd.DataFrame:
    """One row an opening, in the order in which they come.

    `first_score` is the first player's share of the points. Of the pairs on it, `by_colour` had
    both games won by one colour: there the opening decides; `by_player` had both won by one
    player: there the players do; `drawn` are all others.
    """
    numbers = opening_numbers(games)
    if not numbers.any():
        return pd.DataFrame(columns=_COUNTS)
    columns = ["run", "pair"] if "run" in games else ["pair"]
    points = [POINTS_BY_WINNER.get(winner, 0.5) for winner in games["winner"].fillna(0)]
    rows = games.assign(number=numbers, points=points)
    rows = rows[rows["number"] > 0]
    by_opening = rows.groupby("number")
    found = pd.DataFrame(
        {
            "moves": by_opening["opening"].first(),
            "games": by_opening.size(),
            "first_score": by_opening["points"].mean(),
        }
    )
    kinds = _pair_kinds(rows, columns).groupby("number")[["by_colour", "by_player", "drawn"]].sum()
    found = found.join(kinds).fillna({"by_colour": 0, "by_player": 0, "drawn": 0})
    found = found.astype({"by_colour": int, "by_player": int, "drawn": int})
    return found.reset_index(names="opening")[_COUNTS]


def _pair_kinds(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
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
