"""The contents of a comparison: tables for people, frames for programs, and a page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from arena.comparison.compare import Comparison
from arena.comparison.run_tables import (
    BOTH,
    CHANGED,
    GAINS,
    openings_table,
    openings_told,
    run_frames,
    run_tables,
)
from arena.comparison.run_verdict import run_notes, run_verdict, run_warnings
from arena.comparison.runs import RunComparison
from arena.comparison.settings import DIFFERENT
from arena.comparison.study_tables import (
    VALUES,
    study_frames,
    study_notes,
    study_tables,
    study_verdict,
)
from arena.report.export import Contents
from arena.report.page.document import Page, Section, page_table
from arena.report.sections import point_names

KEYS = {GAINS: "gains", DIFFERENT: "differences", BOTH: "both", VALUES: "values"}
"""The id of a table's section, by its title."""


def comparison_contents(found: Comparison) -> Contents:
    """The contents of two runs, or two studies, side by side."""
    head = {"before": found.before.label, "after": found.after.label}
    page = partial(comparison_page, found)
    if isinstance(found, RunComparison):
        verdict, notes = run_verdict(found), run_notes(found)
        frames, tables, warnings = run_frames(found), run_tables(found), run_warnings(found)
    else:
        verdict, notes = study_verdict(found), study_notes(found)
        frames, tables, warnings = study_frames(found), study_tables(found), []
    return Contents(frames, list(tables), head, notes, verdict, warnings, page=page)


def comparison_page(found: Comparison) -> str:
    """The comparison as HTML."""
    from arena.report.page.render import rendered

    return rendered("report.html", document=comparison_document(found))


def comparison_document(found: Comparison) -> Page:
    """The comparison, ready to be written."""
    contents = comparison_contents(found)
    return Page(
        title=f"{found.before.label} and {found.after.label}",
        subtitle=f"Two {'runs' if isinstance(found, RunComparison) else 'studies'} side by side",
        facts=[("Before", found.before.label), ("After", found.after.label)],
        notes=contents.notes,
        sections=list(sections_of(found, contents)),
        configs=[],
        verdict=contents.verdict,
        warnings=contents.warnings,
    )


def sections_of(found: Comparison, contents: Contents) -> Iterator[Section]:
    """A section for each table; with points as boards name them in openings."""
    for table in contents.tables:
        if table.title in KEYS:
            yield Section(KEYS[table.title], table.title, [page_table(table)])
        elif isinstance(found, RunComparison) and found.openings:
            names = point_names([found.before.played.extras.runs[0].game])
            openings = page_table(openings_table(found.openings, names))
            yield Section("openings", CHANGED, [openings], f"{openings_told(found.openings)}.")
