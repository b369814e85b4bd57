"""Matches played stage by stage: the ranking of a swiss, and the rounds of a knockout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from arena.formats.swiss import swiss_points
from arena.report.table import Column, Table
from arena.report.tables import games_link

SEEDED_TEXT = "A tie that no more pairs broke went to the player that is higher in the file."
BYE_TEXT = "A bye is worth a draw."
RANK_TEXT = "Players with equal points rank in the order of the file."


def knockout_stages(players: int) -> dict[int, str]:
    """The names of the stages of a knockout.

    >>> knockout_stages(5)
    {1: 'quarter-final', 2: 'semi-final', 3: 'final'}
    """
    last = (players - 1).bit_length()
    names = {0: "final", 1: "semi-final", 2: "quarter-final"}
    return {n: names.get(last - n, f"round of {2 ** (last - n + 1)}") for n in range(1, last + 1)}


def match_points(row: Mapping[Any, Any]) -> tuple[float, float]:
    """The points of both players in the games of a match."""
    games = 2 * row["pairs"]
    own = round(row["score"] * games, 6)
    return own, games - own


def format_match(own: float, others: float) -> str:
    """The score of a match in points, such as `2.5 - 1.5`."""
    return f"{own:g} - {others:g}"


def knockout_table(matches: pd.DataFrame, stages: Mapping[int, str]) -> Table:
    """The matches of a knockout, whose scores lead to their games."""
    rows = matches.to_dict("records")
    frame = matches.assign(
        points=[format_match(*match_points(row)) if row["pairs"] else "-" for row in rows],
        link=[games_link(row["one"], row["other"]) for row in rows],
    )
    columns = [
        Column("stage", "stage", stages.__getitem__, is_number=False),
        Column("one"),
        Column("points", link="link"),
        Column("other"),
        Column("pairs"),
        Column("winner", "winner", lambda winner: winner or "none yet"),
    ]
    is_seeded = bool(((matches["score"] == 0.5) & (matches["winner"] != "")).any())
    return Table("Matches", frame, columns, [SEEDED_TEXT] * is_seeded)


def swiss_table(players: Sequence[str], matches: pd.DataFrame) -> Table:
    """The players by points, and whom they met in each stage.

    `players` in the order that ranks those with equal points.
    """
    stages = list(matches["stage"].unique())
    bye = float(matches["pairs"].max())
    met = {name: dict[Any, tuple[float, str, str]]() for name in players}
    match_rows: list[dict[Any, Any]] = matches.to_dict("records")
    for row in match_rows:
        one, other, (own, others) = row["one"], row["other"], match_points(row)
        for name, rival, points in ((one, other, (own, others)), (other, one, (others, own))):
            told = f"{format_match(*points)} {rival}" if row["pairs"] else rival
            met[name][row["stage"]] = points[0], told, games_link(name, rival)
    rows, (all_points, _) = [], swiss_points(players, match_rows)
    for name in players:
        seen = [met[name].get(stage, (bye, f"bye {bye:g}", "")) for stage in stages]
        told = {f"stage {stage}": each[1] for stage, each in zip(stages, seen, strict=True)}
        links = {f"link {stage}": each[2] for stage, each in zip(stages, seen, strict=True)}
        rows.append({"name": name, "points": all_points[name], **told, **links})
    frame = pd.DataFrame(rows).sort_values("points", ascending=False, kind="stable")
    columns = [
        Column("rank"),
        Column("name", style=lambda _: "pinned"),
        Column("points", "points", "{:g}"),
        *(Column(f"stage {stage}", link=f"link {stage}") for stage in stages),
    ]
    title = f"Ranking after stage {stages[-1]}"
    notes = [*[BYE_TEXT] * (len(players) % 2), RANK_TEXT]
    return Table(title, frame.assign(rank=range(1, len(frame) + 1)), columns, notes)
