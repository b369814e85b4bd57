"""The answer on a study: what it searched for, what it found, and if that is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial

from arena.config.yaml_file import dump
from arena.report.answer import Answer, ConfigText
from arena.report.forms.table import plain
from arena.report.run_answer import STOPPED, format_spec
from arena.report.table import text_frame
from arena.storage.database import Store, machine_notes, machine_rows
from arena.storage.folder import WRITTEN, read_store
from arena.storage.history import code_notes, notes_of
from arena.tuning.proof.report import edge_texts, limit_text, proof_notes
from arena.tuning.report.frames import Frames, parameters_frame
from arena.tuning.report.messages import DISTRUST, shape_texts, stopped_text
from arena.tuning.report.search_faults import faults_texts
from arena.tuning.report.study_sections import study_sections, trials_section
from arena.tuning.report.tables import games_played, parameters_table
from arena.tuning.settings.study_data import tuning_data
from arena.tuning.study import Study


def study_answer(study: Study) -> Answer:
    """Everything that is known of a study, as it stands."""
    frames, config = study.frames(), study.config
    stopped, kept = stopped_text(study), read_store(study.folder, Store.facts) or {}
    models = list(shape_texts(frames.shapes, frames.is_proved))
    return Answer(
        title=config.name,
        subtitle=f"Tuning study of {config.default.engine.name}",
        facts=list(_facts(study, frames)),
        verdict=study.verdict,
        warnings=[
            *([f"{config.name} stopped by itself. {stopped}"] if stopped else []),
            *(text for text in models if DISTRUST in text),
        ],
        notes=list(_notes(study)),
        make_sections=partial(
            study_sections,
            *(study.folder, study.matches, frames, study.verdict, study.trials.told),
            [text for text in models if DISTRUST not in text],
        ),
        make_details=partial(trials_section, study.folder, frames),
        frames=frames.by_name,
        head=_head(study, frames),
        configs=[ConfigText(config.name, dump(tuning_data(config)), str(kept.get(WRITTEN, "")))],
    )


def advice_text(study: Study) -> str:
    """The recommendation, as it stands in a report."""
    parameters = parameters_frame(study.config.space, study.advice)
    return plain(text_frame(parameters_table(parameters, "candidate")))


def _state_of(study: Study) -> str:
    if study.trials.first_games.faulty:
        return STOPPED
    if study.config.is_users:
        return "led by a study of Optuna's"
    return "complete" if study.trials.is_over else "not complete"


def _facts(study: Study, frames: Frames) -> Iterator[tuple[str, str]]:
    config, plan = study.config, study.config.plan
    yield "Engine", config.default.engine.name
    yield "Games", f"{games_played(frames):,}{'' if config.is_users else f' of {plan.budget:,}'}"
    yield "Trials", f"{len(frames.trials):,}"
    yield "Game", format_spec(config.terms.game)
    yield "Method", format_spec(config.method)
    yield "Against", ", ".join(config.rivals) or "each other"
    yield "Limit", limit_text(config)
    if config.varied:
        yield "Conditions", "; ".join(config.labels)
    yield "Games a trial", str(plan.games)
    yield "Seed", str(plan.seed)
    yield "State", _state_of(study)


def _head(study: Study, frames: Frames) -> dict[str, object]:
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


def _notes(study: Study) -> Iterator[str]:
    yield from faults_texts(study.config, study.trials.told)
    if study.trials.is_over:
        yield from proof_notes(study.matches)
        yield from edge_texts(study.matches)
    elif not study.config.is_users:
        yield "The study is not over: it goes on when `arena tune` is given its file again."
    yield from study.config.openings.notes()
    terms, players = study.config.terms, study.config.players
    limits = [player.limit_in(terms) for player in players]
    if sessions := read_store(study.folder, Store.sessions):
        yield from notes_of(limits, sessions)
    facts = read_store(study.folder, Store.facts) or {}
    yield from code_notes(facts)
    yield from machine_notes(read_store(study.folder, machine_rows) or [], facts.get("scale"))
