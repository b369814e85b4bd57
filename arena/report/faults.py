"""Games that a player's fault ended, as a table of a page."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from arena.game import FAULTS
from arena.report.frames import Report
from arena.report.page.document import Cell, Column, PageTable

MOST_FAULTS = 200
"""Faulty games that the table lists."""


def faults_table(report: Report) -> PageTable | None:
    """One row for each game that a fault ended; None if none did."""
    games = report.games
    faulty = games[games["reason"].isin(FAULTS)]
    if faulty.empty:
        return None
    shown, several = faulty.head(MOST_FAULTS), "run" in games
    place = {facts.name: i for i, facts in enumerate(report.runs)}
    rows = [
        [
            *([Cell(row["run"])] if several else []),
            Cell(str(row["game"]), float(row["game"]), link=game_link(row, place)),
            Cell(str(loser(row["first"], row["second"], row["winner"]))),
            Cell(row["reason"]),
            Cell(row["detail"]),
        ]
        for row in shown.to_dict("records")
    ]
    titles = [
        *([Column("run", False)] if several else []),
        Column("game"),
        *(Column(each, False) for each in ("player", "fault", "detail")),
    ]
    more = f", the first {MOST_FAULTS} of {len(faulty):,}" if len(faulty) > MOST_FAULTS else ""
    return PageTable(titles, rows, f"Games that a fault ended{more}")


def game_link(row: Mapping[Hashable, Any], place: Mapping[str, int]) -> str:
    """The link to a game in the viewer, which knows runs by their places; empty without one."""
    if "run" not in row:
        return f"#game={row['game']}"
    return f"#run={place[row['run']]}&game={row['game']}" if row["run"] in place else ""


def loser(first: str, second: str, winner: int | None) -> str:
    """The player whose fault it was."""
    return "" if pd.isna(winner) else second if winner == 1 else first
