"""A comparison as frames for programs, as tables for people, and as a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isinf

import pandas as pd

from arena.comparison.changed_openings import ChangedOpening, SharedOpenings
from arena.comparison.compare import ComparedRun, Comparison
from arena.comparison.leads import Lead
from arena.comparison.verdict import (
    change_interval,
    comparison_notes,
    comparison_verdict,
    comparison_warnings,
)
from arena.coordinates import Coordinates
from arena.errors import ConfigError
from arena.plugins.load import Named, load_game
from arena.report.export import Contents
from arena.report.numbers import elo_text, marked, share_text
from arena.report.page.document import Page, Section
from arena.report.page.tabular import page_table
from arena.report.run_page import format_text, named_text, span_text
from arena.report.sections import interval_column
from arena.stats.changes import Estimate

GAIN_COLUMNS = [
    *("name", "field", "elo_before", "elo_before_low", "elo_before_high", "games_before"),
    *("elo_after", "elo_after_low", "elo_after_high", "games_after"),
    *("gain", "gain_low", "gain_high", "is_sure"),
]
OPENING_COLUMNS = ["opening", "one", "other", "before", "pairs_before", "after", "pairs_after"]
GAINS, DIFFERENT, BOTH = "Elo gained on each other", "What differs", "Side by side"
CHANGED = "Openings that changed sides"
"""Titles of tables."""
KEYS = {GAINS: "gains", DIFFERENT: "differences", BOTH: "both"}
"""The id of a table's section, by its title."""
MOST_OPENINGS = 100
"""Changed openings that people are shown."""


def comparison_contents(found: Comparison) -> Contents:
    """The contents of two runs side by side."""
    return Contents(
        frames=_frames(found),
        tables=list(_tables(found)),
        head={"before": found.before.label, "after": found.after.label},
        notes=comparison_notes(found),
        verdict=comparison_verdict(found),
        warnings=comparison_warnings(found),
        page=partial(_page, found),
    )


def _frames(found: Comparison) -> dict[str, pd.DataFrame]:
    """The frames of two runs, by their names: those first that csv shows.

    `gains` has a row for each player of both whose change can be told, with the players of its
    `field`; ends of intervals that are not known are missing. `openings` has the pairings that
    changed sides, with the share of the points of `one`.
    """
    openings = found.openings.changed if found.openings else []
    return {
        "gains": pd.DataFrame([_gain_row(found, row) for row in found.leads], columns=GAIN_COLUMNS),
        "openings": pd.DataFrame(openings, columns=OPENING_COLUMNS),
        "differences": pd.DataFrame(found.differences, columns=["key", "before", "after"]),
        "runs": pd.DataFrame([_run_row(found.before), _run_row(found.after)]),
    }


def _gain_row(found: Comparison, row: Lead) -> dict[str, object]:
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


def _run_row(run: ComparedRun) -> dict[str, object]:
    facts, tally = run.played.extras.runs[0], run.played.tally
    has_time = facts.began is not None and facts.ended is not None
    return {
        "run": run.label,
        "game": named_text(facts.game),
        "format": format_text(facts.format),
        "players": len(tally.names),
        "games": tally.games,
        "played": span_text(facts.began or 0, facts.ended or 0) if has_time else "",
        "verdict": run.verdict.sentence,
    }


def _tables(found: Comparison) -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables that people read, each with its title: first what the verdict rests on."""
    if found.leads:
        yield GAINS, _gains_table(found)
    if found.differences:
        yield DIFFERENT, pd.DataFrame(found.differences)
    if found.openings and found.openings.changed:
        changed = found.openings.changed[:MOST_OPENINGS]
        yield f"{CHANGED}: {_openings_told(found.openings)}", _openings_table(changed)
    before, after = _run_row(found.before), _run_row(found.after)
    rows = [(key, str(before[key]), str(after[key])) for key in before]
    yield BOTH, pd.DataFrame(rows, columns=["what", "before", "after"])


def _gains_table(found: Comparison) -> pd.DataFrame:
    """The common players' Elo in both runs, and their gain, as people read them."""
    games_before, games_after = found.games_among
    return pd.DataFrame(
        [
            {
                "name": row.name,
                "gain": marked(_elo_of(row.gain), row.doubtful),
                "95 %": change_interval(row.gain),
                "before": _estimate_text(row.before),
                "after": _estimate_text(row.after),
                "games before": f"{games_before[row.name]:,}",
                "games after": f"{games_after[row.name]:,}",
            }
            for row in found.leads
        ]
    )


def _estimate_text(found: Estimate) -> str:
    """An Elo with its interval; a bound, or a dash, where one end or both are not known."""
    text, interval = _elo_of(found), change_interval(found)
    return f"{text} ({interval})" if text.startswith(("+", "-")) and text != "-" else interval


def _elo_of(found: Estimate) -> str:
    """An Elo, or the bound that is known."""
    return elo_text(found.elo, found.low, found.high)


def _openings_table(
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


def _openings_told(found: SharedOpenings) -> str:
    """A clause on how many openings changed sides, and of how many."""
    return (
        f"{len(found.changed):,} of the {found.decided:,} that had a winner in both runs; the runs "
        f"have {found.shared:,} in common"
    )


def _page(found: Comparison) -> str:
    from arena.report.page.render import rendered

    return rendered("report.html", document=comparison_document(found))


def comparison_document(found: Comparison) -> Page:
    """The comparison, ready to be written as HTML."""
    contents = comparison_contents(found)
    return Page(
        title=f"{found.before.label} and {found.after.label}",
        subtitle="Two runs side by side",
        facts=[("Before", found.before.label), ("After", found.after.label)],
        notes=contents.notes,
        sections=list(_sections(found, contents)),
        configs=[],
        verdict=contents.verdict,
        warnings=contents.warnings,
    )


def _sections(found: Comparison, contents: Contents) -> Iterator[Section]:
    """A section for each table; gains with their intervals as bars, and points as boards say."""
    for title, frame in contents.tables:
        if title in KEYS:
            table = page_table(frame)
            if title == GAINS:
                bounds = [(row.gain.low, row.gain.elo, row.gain.high) for row in found.leads]
                table = interval_column(table, bounds)
            yield Section(KEYS[title], title, [table])
        elif found.openings:
            changed = found.openings.changed[:MOST_OPENINGS]
            names = _point_names(found.before.played.extras.runs[0].game)
            table = page_table(_openings_table(changed, names))
            yield Section("openings", CHANGED, [table], f"{_openings_told(found.openings)}.")


def _point_names(game: Named) -> Callable[[str], str]:
    """A function that writes moves with points as boards name them; they stay if there is none."""
    try:
        return Coordinates(load_game(game).size).text
    except ConfigError:  # of a user's file that is there no longer
        return str
