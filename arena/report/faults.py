"""Games that a player's fault ended, as a table of a page."""

from __future__ import annotations

import pandas as pd

from arena.page.document import Cell, Column, PageTable
from arena.page.kept import FAULTS
from arena.report.frames import Report

MOST_FAULTS = 200
"""Faulty games that the table lists."""


def faults_table(report: Report) -> PageTable | None:
    """One row for each game that a fault ended; None if none did."""
    games = report.games
    faulty = games[games["reason"].isin(FAULTS)]
    if faulty.empty:
        return None
    shown = faulty.head(MOST_FAULTS)
    rows = [
        [
            Cell(
                str(row["game"]),
                float(row["game"]),
                link="" if "run" in games else f"#game={row['game']}",
            ),
            Cell(str(loser(row["first"], row["second"], row["winner"]))),
            Cell(row["reason"]),
            Cell(row["detail"]),
        ]
        for row in shown.to_dict("records")
    ]
    titles = Column("game"), *(Column(each, False) for each in ("player", "fault", "detail"))
    more = f", the first {MOST_FAULTS} of {len(faulty):,}" if len(faulty) > MOST_FAULTS else ""
    return PageTable(titles, rows, f"Games that a fault ended{more}")


def loser(first: str, second: str, winner: int | None) -> str:
    """The player whose fault it was."""
    return "" if pd.isna(winner) else second if winner == 1 else first
