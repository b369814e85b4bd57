"""The sections of a study's report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pandas as pd

from arena.report.numbers import format_share
from arena.report.table import AnyPart, Column, FigureGrid, Section, Table
from arena.report.tables import machines_table
from arena.report.verdict import Conclusion
from arena.storage.database import Store, machine_rows
from arena.storage.folder import read_store
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report import proof_section, weights_title
from arena.tuning.report.frames import Frames
from arena.tuning.report.study_charts import history_figure, slice_figures, slices_text
from arena.tuning.report.tables import parameters_table, trials_table
from arena.tuning.trials import Told


def study_sections(
    folder: Path,
    matches: ProofMatches,
    frames: Frames,
    verdict: Conclusion,
    told: Sequence[Told],
    models: Sequence[str] = (),
) -> Iterator[Section]:
    """All sections, as far as there is anything to show: first what the verdict rests on.

    `models` are sentences on the models of the method.
    """
    yield from proof_section(matches, frames)
    title = weights_title(frames, verdict)
    table = parameters_table(frames.parameters, frames.name_of_values, title)
    yield Section("parameters", title, [table], level="main")
    if len(frames.trials):
        history = partial(history_figure, frames, [each.error for each in told])
        yield Section("history", "History", [history], level="main")
    if len(frames.slices):
        slices: list[AnyPart] = [lambda: FigureGrid(list(slice_figures(frames)))]
        yield Section("slices", "Slices", slices, slices_text(frames))
    if rows := read_store(folder, machine_rows):
        machines = machines_table(pd.DataFrame(rows), "Machines of the trials")
        yield Section("machines", machines.title, [machines])
    if models:
        shares = [Column("shape"), Column("share", "share by its predictions", format_share)]
        table = Table("What the models say", frames.shapes, shares, models)
        yield Section("models", table.title, [table], " ".join(models), "folded")


def trials_section(folder: Path, frames: Frames) -> Iterator[Section]:
    """A row for each trial that is over, on pages."""
    if not len(frames.slices):
        return
    table = trials_table(frames, read_store(folder, Store.rounds) or [])
    met = (
        " Elo is that of the first of two points over the second, and a : b are the values of both."
        if "plus" in set(frames.slices["side"])
        else ""
    )
    text = (
        "A row is a trial, with the numbers of its games, which arena serve shows. What one trial "
        f"came to is mostly luck: look where many agree.{met}"
    )
    yield Section("trials", table.title, [table], text, "folded")
