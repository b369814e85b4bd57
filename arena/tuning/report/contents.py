"""The contents of a study's report: its tables for people, its frames for programs, its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial

import pandas as pd

from arena.report.export import Contents
from arena.report.forms.table import plain
from arena.report.table import Table, frame_table, text_frame
from arena.report.tables import machines_table
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.storage.history import notes_of
from arena.storage.machines import machine_notes, machine_rows
from arena.storage.sources import code_notes
from arena.tuning.proof.report.proof_notes import edge_texts, proof_notes
from arena.tuning.proof.report.proof_tables import limit_text, proof_tables, weights_title
from arena.tuning.report.frames import Frames, parameters_frame
from arena.tuning.report.messages import shape_texts, stopped_text, warnings_first
from arena.tuning.report.search_faults import faults_texts
from arena.tuning.report.tables import games_played, parameters_table
from arena.tuning.study import Study


def study_contents(study: Study) -> Contents:
    """The contents of a study's report: everything that is known of it, as it stands."""
    frames = study.frames()
    return Contents(
        frames=frames.by_name,
        tables=[*study_tables(study, frames), *machine_tables(study)],
        head=head_of(study, frames),
        notes=list(study_notes(study, frames)),
        verdict=study.verdict,
        warnings=study_warnings(study),
        page=partial(study_page_text, study, frames),
    )


def study_page_text(study: Study, frames: Frames) -> str:
    """The report as a page, whose templates take a moment to import."""
    from arena.tuning.report.study_page import study_page

    return study_page(study, frames, list(study_notes(study, frames)), study_warnings(study))


def study_tables(study: Study, frames: Frames) -> Iterator[Table]:
    """The tables that people read as text."""
    yield frame_table(f"Study {study.config.name}", plan_frame(study))
    budget, trials = study.config.plan.budget, len(frames.trials)
    when = f"after {games_played(frames)} of {budget} games, {trials} trials"
    title = f"{weights_title(frames, study.verdict)}, {when}"
    yield parameters_table(frames.parameters, frames.name_of_values, title)
    yield from proof_tables(frames)


def plan_frame(study: Study) -> pd.DataFrame:
    """The study as it was asked for: one row."""
    config, plan = study.config, study.config.plan
    return pd.DataFrame(
        [
            {
                "engine": config.default.engine.name,
                "game": str(config.terms.game),
                "limit": limit_text(config),
                "method": str(config.method),
                "against": ", ".join(config.rivals) or "each other",
                "budget": plan.budget,
                "games/trial": plan.games,
                "seed": plan.seed,
            }
        ]
    )


def advice_text(study: Study) -> str:
    """The recommendation, as it stands in a report."""
    parameters = parameters_frame(study.config.space, study.advice)
    return plain(text_frame(parameters_table(parameters, "candidate")))


def machine_tables(study: Study) -> Iterator[Table]:
    """The machines of a cluster that played the trials, if they did."""
    if rows := read_store(study.folder, machine_rows):
        yield machines_table(pd.DataFrame(rows), "Machines of the trials")


def head_of(study: Study, frames: Frames) -> dict[str, object]:
    """The study's identity, and its progress."""
    config = study.config
    return {
        "name": config.name,
        "engine": config.default.engine.name,
        "game": str(config.terms.game),
        "method": str(config.method),
        "opponents": [player.name for player in config.opponents],
        "plan": asdict(config.plan),
        "games_played": games_played(frames),
        "is_over": study.trials.is_over,
    }


def study_warnings(study: Study) -> list[str]:
    """The reason why the study stopped by itself, if it did."""
    stopped = stopped_text(study)
    return [f"{study.config.name} stopped by itself. {stopped}"] if stopped else []


def notes_on_values(study: Study, frames: Frames) -> Iterator[str]:
    """Sentences on the values found, and on their test."""
    yield from proof_notes(study.matches)
    yield from edge_texts(study.matches)
    yield from shape_texts(frames.shapes, frames.is_proved)


def study_notes(study: Study, frames: Frames) -> Iterator[str]:
    """The caveats beside the numbers, and what else the proof tells."""
    yield from faults_texts(study.config, study.trials.told)
    if study.trials.is_over:
        yield from warnings_first(notes_on_values(study, frames))
    elif not study.config.is_users:
        yield "The study is not over: it goes on when `arena tune` is given its file again."
    yield from study.config.openings.notes()
    terms, players = study.config.terms, study.config.players
    limits = [player.limit_in(terms) for player in players]
    if sessions := read_store(study.folder, Store.sessions):
        yield from notes_of(limits, sessions)
    yield from code_notes(read_store(study.folder, Store.facts) or {})
    yield from machine_notes(read_store(study.folder, machine_rows) or [], terms.scale)
