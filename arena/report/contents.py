"""The contents of the report of runs: tables for people, frames for programs, and a page."""

from __future__ import annotations

from functools import partial

import pandas as pd

from arena.report.export import FRAMES, Contents
from arena.report.frames import Report
from arena.report.tables import run_tables

SOME = ("swap2", "machines")
"""Frames that most runs have nothing in, and then are left out."""


def run_contents(report: Report, full: bool = False) -> Contents:
    """The contents of the report of a run, or of several together.

    A match of two players has few tables, unless the report is to be `full`.
    """
    return Contents(
        frames={name: partial(getattr, report, name) for name in FRAMES}
        | {"win_rates": _long(report.win_rates)}
        | {name: frame for name in SOME if len(frame := getattr(report, name))},
        tables=list(run_tables(report, full)) if report.count else [],
        head={"distinct_games": report.distinct_games},
        notes=report.notes,
        verdict=report.verdict,
        warnings=report.warnings,
        on_request={"moves": report.moves},
        page=partial(run_page_text, report),
    )


def run_page_text(report: Report) -> str:
    """The report as a page, whose templates take a moment to import."""
    from arena.report.run_page import run_page

    return run_page(report)


def _long(matrix: pd.DataFrame) -> pd.DataFrame:
    """One row for each two players that met: players' names are values, never columns."""
    rows = [
        (name, opponent, score)
        for name, row in matrix.iterrows()
        for opponent, score in row.items()
        if not pd.isna(score)
    ]
    return pd.DataFrame(rows, columns=["name", "opponent", "score"])
