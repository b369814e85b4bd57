"""The proof of new weights on a page."""

from __future__ import annotations

from collections.abc import Iterator

from arena.report.page.document import PageFigure, PageTable, Section, page_table
from arena.report.page.llr_path import llr_figure
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report.proof_frames import ProofFrames
from arena.tuning.proof.report.proof_tables import (
    attempts_table,
    conditions_table,
    gains_table,
    test_table,
)
from arena.tuning.proof.verification import NAME


def proof_section(matches: ProofMatches, frames: ProofFrames) -> Iterator[Section]:
    """The proof, once it has begun."""
    if len(frames.verification):
        where = f"arena report {matches.folder / NAME} shows its games."
        yield Section("proof", "Test", list(proof_parts(matches, frames)), where)


def proof_parts(matches: ProofMatches, frames: ProofFrames) -> Iterator[PageFigure | PageTable]:
    """The test, pair by pair, and what the opponents say."""
    if proof := matches.proof:
        yield llr_figure(matches.test.counted().games, proof.row)
    tables = [test_table(frames)]
    tables += [conditions_table(frames.conditions)] if len(frames.conditions) else []
    tables += [gains_table(frames.gains)] if len(frames.gains) else []
    yield from (page_table(table, table.title) for table in tables)


def attempts_section(frames: ProofFrames) -> Iterator[Section]:
    """The earlier attempts, if there were any."""
    if len(frames.attempts):
        table = attempts_table(frames.attempts)
        yield Section("attempts", table.title, [page_table(table)])
