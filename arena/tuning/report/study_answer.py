"""The answer on a study: its sections, its notes, and if what it found is proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd

from arena.config.yaml_file import dump
from arena.report.answer import Answer, ConfigText
from arena.report.forms.table import plain
from arena.report.numbers import MOST_SHOWN, format_duration, format_estimate, format_share
from arena.report.run_answer import STOPPED, format_spec
from arena.report.table import AnyPart, Column, FigureGrid, Section, Table, text_frame
from arena.report.tables import machines_table
from arena.report.verdict import GO_ON, Conclusion
from arena.storage.database import Store, machine_notes, machine_rows
from arena.storage.folder import WRITTEN, read_store
from arena.storage.history import code_notes, notes_of
from arena.tuning.method import LARGE_LOSS
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report import (
    edge_texts,
    limit_text,
    proof_notes,
    proof_section,
    weights_title,
)
from arena.tuning.report.frames import (
    Frames,
    games_played,
    parameters_frame,
    parameters_table,
    trials_table,
)
from arena.tuning.report.search_faults import faults_texts
from arena.tuning.report.study_charts import history_figure, slice_figures, slices_text
from arena.tuning.settings.config import tuning_data
from arena.tuning.study import Pace, Study, trials_stopped
from arena.tuning.trials import Told


def study_answer(study: Study) -> Answer:
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
            _study_sections,
            *(study.folder, study.matches, frames, study.verdict, study.trials.told),
            [text for text in models if DISTRUST not in text],
        ),
        make_details=partial(_trials_section, study.folder, frames),
        frames=frames.by_name,
        head=_head(study, frames),
        configs=[ConfigText(config.name, dump(tuning_data(config)), str(kept.get(WRITTEN, "")))],
    )


def advice_text(study: Study) -> str:
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


def _study_sections(
    folder: Path,
    matches: ProofMatches,
    frames: Frames,
    verdict: Conclusion,
    told: Sequence[Told],
    models: Sequence[str] = (),
) -> Iterator[Section]:
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


def _trials_section(folder: Path, frames: Frames) -> Iterator[Section]:
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


DISTRUST = "do not trust"


def plan_text(study: Study) -> str:
    config, plan = study.config, study.config.plan
    names = ", ".join(axis.name for axis in config.space.axes)
    whom = (
        "two points against each other"
        if config.compares and not config.opponents
        else f"against {', '.join(config.rivals)}"
    )
    more = f", and {_rival_games(study)} with each opponent," if config.opponents else ""
    conditions = ""
    if config.varied:
        conditions = f"\nThe mean gain counts, of these conditions: {'; '.join(config.labels)}."
    notes = "".join(f"\n{note}" for note in config.openings.notes())
    return (
        f"Tuning {names} of {config.default.engine.name} by {config.method.name}: "
        f"{plan.budget} games, {plan.games} in each trial, {whom}.\n"
        f"Then a match of at most {2 * config.verification['pairs']} games{more} tests the gain."
        f"{conditions}{notes}"
    )


def time_text(study: Study, pace: Pace) -> str:
    config, each = study.config, pace.seconds / pace.workers
    trials = max(0, config.plan.budget - pace.played) * each
    proof = (2 * config.verification["pairs"] + len(config.opponents) * _rival_games(study)) * each
    more = " more" if pace.played else ""
    return (
        f"At {format_duration(pace.seconds)} a game, {pace.workers} at once, the trials take about "
        f"{format_duration(trials)}{more}, the proof at most {format_duration(proof)}."
    )


def shape_texts(shapes: pd.DataFrame, is_proved: bool = False) -> Iterator[str]:
    """Once a gain is proved, none warns: the proof has the last word."""
    if not len(shapes):
        return
    of_all = shapes.to_dict("records")[0]
    if not isnan(of_all["gain"]):
        yield _gain_text(of_all, is_proved)
    named = zip(shapes["shape"], shapes["share"], strict=True)
    likeliest_first = ", ".join(f"{shape} {format_share(share)}" for shape, share in named)
    yield f"Shape of strength, by what each predicted of results to come: {likeliest_first}."
    yield _prediction_text(of_all, is_proved)
    yield _loss_text(of_all["expected_loss"], is_proved)


def warnings_first(notes: Iterable[str]) -> list[str]:
    return sorted(notes, key=lambda note: DISTRUST not in note)


def _gain_text(of_all: Mapping[Any, Any], is_proved: bool) -> str:
    gain, low, high = (
        format_estimate(of_all[each], False) for each in ("gain", "gain_low", "gain_high")
    )
    lost = f": {DISTRUST} them" if of_all["gain_high"] < 0 and not is_proved else ""
    return (
        "By the trials against the default values, the values found gain about "
        f"{gain} Elo ({low} to {high}){lost}."
    )


def _loss_text(loss: float, is_proved: bool = False) -> str:
    far = f"{MOST_SHOWN:,} Elo or more" if loss >= MOST_SHOWN else f"about {loss:.0f} Elo"
    expected = f"The values found are expected to lie {far} below the best ones"
    if loss >= LARGE_LOSS and not is_proved:
        return f"{expected}: {DISTRUST} them. Tune fewer parameters, or with more games."
    return f"{expected}, if strength is like the models."


def _prediction_text(of_all: Mapping[Any, Any], is_proved: bool = False) -> str:
    if isnan(of_all["slope"]):
        return f"The models predicted next to no leads for the last {of_all['trials']} trials."
    if of_all["slope_high"] < 0:
        quality = "mislead" if is_proved else f"mislead, so {DISTRUST} values that rest on them"
    elif of_all["slope_low"] > 0:
        quality = "know which points are better"
    else:
        quality = "cannot be judged yet: too few games"
    slope = f"{of_all['slope']:.2f}, {of_all['slope_low']:.2f} to {of_all['slope_high']:.2f}"
    return (
        f"What the models predicted of the last {of_all['trials']} trials: they {quality} (slope "
        f"of the results on the predictions {slope}; 1 if they are right)."
    )


def _rival_games(study: Study) -> int:
    config = study.config
    return 4 * min(config.opponent_pairs, int(config.verification["pairs"]))


def stopped_text(study: Study, go_on: str = GO_ON) -> str:
    """The reason why the trials or the proof stopped by themselves, and how to `go_on`; or none."""
    kept = read_store(study.folder, Store.games) or []
    stopped = trials_stopped(study.config, study.trials.first_games, kept, go_on)
    return stopped or study.matches.stopped(go_on)
