"""Two runs side by side as frames for programs, and as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isinf

import pandas as pd

from arena.comparison.changed_openings import ChangedOpening, SharedOpenings
from arena.comparison.leads import Lead
from arena.comparison.run_verdict import change_interval
from arena.comparison.runs import RunComparison, RunSide
from arena.comparison.settings import DIFFERENT
from arena.report.numbers import elo_text, marked, share_text
from arena.report.run_page import format_text, named_text, span_text
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


def run_tables(found: RunComparison) -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables that people read, each with its title: first what the verdict rests on."""
    if found.leads:
        yield GAINS, gains_table(found)
    if found.differences:
        yield DIFFERENT, pd.DataFrame(found.differences)
    if found.openings and found.openings.changed:
        changed = found.openings.changed[:MOST_OPENINGS]
        yield f"{CHANGED}: {openings_told(found.openings)}", openings_table(changed)
    yield BOTH, upright([side_row(found.before), side_row(found.after)])


def upright(rows: list[dict[str, object]]) -> pd.DataFrame:
    """Two rows as two columns, beside the names of their values."""
    before, after = rows
    table = [(key, str(before[key]), str(after[key])) for key in before]
    return pd.DataFrame(table, columns=["what", "before", "after"])


def gains_table(found: RunComparison) -> pd.DataFrame:
    """The common players' Elo in both runs, and their gain, as people read them."""
    games_before, games_after = found.games_among
    return pd.DataFrame(
        [
            {
                "name": row.name,
                "gain": marked(elo_of(row.gain), row.doubtful),
                "95 %": change_interval(row.gain),
                "before": estimate_text(row.before),
                "after": estimate_text(row.after),
                "games before": f"{games_before[row.name]:,}",
                "games after": f"{games_after[row.name]:,}",
            }
            for row in found.leads
        ]
    )


def estimate_text(found: Estimate) -> str:
    """An Elo with its interval; a bound, or a dash, where one end or both are not known."""
    text, interval = elo_of(found), change_interval(found)
    return f"{text} ({interval})" if text.startswith(("+", "-")) and text != "-" else interval


def elo_of(found: Estimate) -> str:
    """An Elo, or the bound that is known."""
    return elo_text(found.elo, found.low, found.high)


def openings_table(
    changed: Sequence[ChangedOpening], names: Callable[[str], str] = str
) -> pd.DataFrame:
    """The openings that changed sides, as people read them, with moves as `names` writes them."""
    return pd.DataFrame(
        [
            {
                "opening": names(row.opening),
                "was won by": row.one,
                "then by": row.other,
                "share before": share_text(row.before),
                "share after": share_text(row.after),
                "pairs": f"{row.pairs_before} and {row.pairs_after}",
            }
            for row in changed
        ]
    )


def openings_told(found: SharedOpenings) -> str:
    """A clause on how many openings changed sides, and of how many."""
    return (
        f"{len(found.changed):,} of the {found.decided:,} that had a winner in both runs; the runs "
        f"have {found.shared:,} in common"
    )
