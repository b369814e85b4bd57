"""The report on a fit to moves: the worths, their test, and the places of the moves played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from arena.report.answer import Answer
from arena.report.numbers import format_digits, format_share
from arena.report.table import Column, Section, Table
from arena.tuning.fit.frames import (
    fit_frames,
    fit_verdict,
    loss_table,
    weights_frame,
    weights_table,
)
from arena.tuning.fit.report import weight_notes
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report import proof_notes, proof_section, weights_title
from fit_moves.move_fit import MoveFitResult
from fit_moves.softmax import FIRST


def move_answer(result: MoveFitResult, matches: ProofMatches) -> Answer:
    """What a fit tells as text: the verdict and the numbers first, then the notes."""
    config, verdict = matches.config, fit_verdict(result, matches.proof, matches.folder)
    frames = fit_frames(config.space, None, matches.proof)
    frames = replace(frames, weights=weights_frame(config.space, result))

    def sections() -> Iterator[Section]:
        title = weights_title(frames, verdict)
        yield Section("weights", title, [weights_table(frames, title)])
        yield from proof_section(matches, frames)
        ranks = ranks_table(result)
        yield Section("ranks", ranks.title, [ranks])
        unit = Column("unit", "unit", lambda value: format_digits(value, 4))
        yield Section("loss", "Loss", [loss_table(result, {unit: result.unit})])

    return Answer(
        frames=frames.by_name,
        make_sections=sections,
        title=config.name,
        verdict=verdict,
        notes=list(move_notes(result, matches)),
        facts=[("Openings", f"{result.openings:,}"), ("Positions", f"{result.positions:,}")],
    )


def ranks_table(result: MoveFitResult) -> Table:
    """The shares of positions held out whose move played is among the first of the sorting."""
    names = ["first", *(f"in the first {count}" for count in FIRST[1:])]
    rows = [("before", *result.before), ("after", *result.after)]
    columns = [Column("weights"), *(Column(name, name, format_share) for name in names)]
    title = "Place of the move played in the sorting, of positions held out"
    return Table(title, pd.DataFrame(rows, columns=["weights", *names]), columns)


def move_notes(result: MoveFitResult, matches: ProofMatches) -> Iterator[str]:
    """What the sorting gained, the caveats of the test, and what was left out."""
    before, after = format_share(result.before[0]), format_share(result.after[0])
    yield (
        f"Of the positions held out, the move played is first in the sorting in {before} before "
        f"the fit, in {after} after it."
    )
    yield from proof_notes(matches)
    every = result.positions + result.unsorted + result.missed
    reasons = (
        (result.unsorted, "fewer than two moves are sorted there"),
        (result.missed, "the move played is not among those sorted"),
    )
    told = [
        f"{count:,} ({format_share(count / every)}), since {why}" for count, why in reasons if count
    ]
    if told:
        yield f"Left out of {every:,} positions: {'; '.join(told)}."
    yield from weight_notes(result)
