"""Two runs side by side as frames for programs, and as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isinf

import pandas as pd

from arena.comparison.changed_openings import SharedOpenings
from arena.comparison.leads import Lead
from arena.comparison.runs import RunComparison, RunSide
from arena.comparison.settings import DIFFERENT
from arena.report.numbers import elo_text, interval_text, share_text
from arena.report.page.row_charts import elo_intervals
from arena.report.run_page import format_text, named_text, span_text
from arena.report.table import Column, Table, frame_table
from arena.stats.changes import Estimate

GAIN_COLUMNS = [
    *("name", "field", "elo_before", "elo_before_low", "elo_before_high", "games_before"),
    *("elo_after", "elo_after_low", "elo_after_high", "games_after"),
    *("gain", "gain_low", "gain_high", "is_sure"),
]
OPENING_COLUMNS = ["opening", "one", "other", "before", "pairs_before", "after", "pairs_after"]
GAINS, BOTH = "Elo gained on each other", "Side by side"
CHANGED = "Openings that changed sides"
"""Titles of tables."""
MOST_OPENINGS = 100
"""Changed openings that people are shown."""


def run_frames(found: RunComparison) -> dict[str, pd.DataFrame]:
    """The frames of two runs, by their names: those first that csv shows.

    `gains` has a row for each player of both whose change can be told, with the players of its
    `field`; ends of intervals that are not known are missing. `openings` has the pairings that
    changed sides, with the share of the points of `one`.
    """
    sides = found.before, found.after
    openings = found.openings.changed if found.openings else []
    return {
        "gains": pd.DataFrame([gain_row(found, row) for row in found.leads], columns=GAIN_COLUMNS),
        "openings": pd.DataFrame(openings, columns=OPENING_COLUMNS),
        "differences": pd.DataFrame(found.differences, columns=["key", "before", "after"]),
        "runs": pd.DataFrame([side_row(side) for side in sides]),
    }


def gain_row(found: RunComparison, row: Lead) -> dict[str, object]:
    """A player's row for programs."""
    before, after = found.games_among
    ends = dict[str, float]()
    for name, each in (("elo_before", row.before), ("elo_after", row.after), ("gain", row.gain)):
        known = [float("nan") if isinf(end) else end for end in each[1:]]
        ends |= {name: each.elo, f"{name}_low": known[0], f"{name}_high": known[1]}
    return {
        "name": row.name,
        "field": ", ".join(row.field),
        "games_before": before[row.name],
        "games_after": after[row.name],
        "is_sure": row in found.sure,
        **ends,
    }


def side_row(side: RunSide) -> dict[str, object]:
    """A run in one row."""
    facts, tally = side.played.extras.runs[0], side.played.tally
    has_time = facts.began is not None and facts.ended is not None
    return {
        "run": side.label,
        "game": named_text(facts.game),
        "format": format_text(facts.format),
        "players": len(side.names),
        "games": tally.games,
        "played": span_text(facts.began or 0, facts.ended or 0) if has_time else "",
        "verdict": side.verdict.sentence,
    }


def run_tables(found: RunComparison) -> Iterator[Table]:
    """The tables that people read: first what the verdict rests on."""
    if found.leads:
        yield gains_table(found)
    if found.differences:
        yield frame_table(DIFFERENT, pd.DataFrame(found.differences))
    if found.openings and found.openings.changed:
        yield openings_table(found.openings)
    yield frame_table(BOTH, upright([side_row(found.before), side_row(found.after)]))


def upright(rows: list[dict[str, object]]) -> pd.DataFrame:
    """Two rows as two columns, beside the names of their values."""
    before, after = rows
    table = [(key, str(before[key]), str(after[key])) for key in before]
    return pd.DataFrame(table, columns=["what", "before", "after"])


def gains_table(found: RunComparison) -> Table:
    """The common players' Elo in both runs, and their gain, whose interval is drawn."""
    games = found.games_among
    rows = [
        {"name": row.name, "doubtful": row.doubtful}
        | _estimate("before", row.before)
        | _estimate("after", row.after)
        | _estimate("gain", row.gain)
        | {"games_before": games[0][row.name], "games_after": games[1][row.name]}
        for row in found.leads
    ]
    frame = pd.DataFrame(rows)
    columns = [
        Column("name"),
        Column("gain", "gain", elo_text, ("gain_low", "gain_high", "doubtful")),
        Column("gain_low", "95 %", interval_text, ("gain_high", "gain"), is_number=False),
        elo_intervals(frame, "gain_low", "gain", "gain_high"),
        Column(
            "before", "before", _format_estimate, ("before_low", "before_high"), is_number=False
        ),
        Column("after", "after", _format_estimate, ("after_low", "after_high"), is_number=False),
        Column("games_before", "games before", "{:,}"),
        Column("games_after", "games after", "{:,}"),
    ]
    return Table(GAINS, frame, columns)


def _estimate(name: str, found: Estimate) -> dict[str, float]:
    """An Elo and the ends of its interval."""
    return {name: found.elo, f"{name}_low": found.low, f"{name}_high": found.high}


def _format_estimate(elo: float, low: float, high: float) -> str:
    """An Elo with its interval; a bound, or a dash, where one end or both are not known."""
    text, interval = elo_text(elo, low, high), interval_text(low, high, elo)
    return f"{text} ({interval})" if text.startswith(("+", "-")) and text != "-" else interval


def openings_table(found: SharedOpenings, names: Callable[[str], str] = str) -> Table:
    """The openings that changed sides, with moves as `names` writes them."""
    columns = [
        Column("opening", "opening", names),
        Column("one", "was won by"),
        Column("other", "then by"),
        Column("before", "share before", share_text),
        Column("after", "share after", share_text),
        Column("pairs_before", "pairs", "{} and {}", ("pairs_after",), is_number=False),
    ]
    title = f"{CHANGED}: {openings_told(found)}"
    return Table(title, pd.DataFrame(found.changed[:MOST_OPENINGS]), columns)


def openings_told(found: SharedOpenings) -> str:
    """A clause on how many openings changed sides, and of how many."""
    return (
        f"{len(found.changed):,} of the {found.decided:,} that had a winner in both runs; the runs "
        f"have {found.shared:,} in common"
    )
