"""A study's report as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.config.yaml_file import dump
from arena.report.page.document import Page, PageConfig, PageGrid, Section, page_table
from arena.report.page.render import rendered
from arena.report.run_page import STOPPED, named_text
from arena.storage.database import Store
from arena.storage.folder import WRITTEN, read_store
from arena.tuning.proof.report.proof_page import attempts_section, proof_section
from arena.tuning.proof.report.proof_tables import limit_text, weights_title
from arena.tuning.report.frames import Frames
from arena.tuning.report.played_points import points_data
from arena.tuning.report.study_charts import history_figure, slice_figures, slices_text
from arena.tuning.report.tables import games_played, parameters_table
from arena.tuning.settings.study_data import tuning_data
from arena.tuning.study import Study


def study_page(
    study: Study, frames: Frames, notes: Sequence[str], warnings: Sequence[str] = ()
) -> str:
    """The whole report as HTML."""
    return rendered("study.html", document=study_document(study, frames, notes, warnings))


def study_document(
    study: Study, frames: Frames, notes: Sequence[str], warnings: Sequence[str] = ()
) -> Page:
    """The report, ready to be written."""
    config, kept = study.config, read_store(study.folder, Store.facts) or {}
    return Page(
        title=config.name,
        subtitle=f"Tuning study of {config.default.engine.name}",
        facts=list(_study_facts(study, frames)),
        notes=notes,
        verdict=study.verdict,
        warnings=warnings,
        sections=list(study_sections(study, frames)),
        configs=[PageConfig(config.name, dump(tuning_data(config)), str(kept.get(WRITTEN, "")))],
        points=points_data(study, frames),
    )


def _study_facts(study: Study, frames: Frames) -> Iterator[tuple[str, str]]:
    """The facts at the top."""
    config, plan = study.config, study.config.plan
    yield "Games", f"{games_played(frames):,} of {plan.budget:,}"
    yield "Trials", f"{len(frames.trials):,}"
    yield "Game", named_text(config.terms.game)
    yield "Method", named_text(config.method)
    yield "Against", ", ".join(config.rivals) or "each other"
    yield "Limit", limit_text(config)
    if config.varied:
        yield "Conditions", "; ".join(config.labels)
        yield "Aim", f"the {'least' if config.aim == 'worst' else 'mean'} gain"
    yield "Games a trial", str(plan.games)
    yield "State", state_of(study)


def state_of(study: Study) -> str:
    """The state of the trials."""
    if study.trials.first_games.faulty:
        return STOPPED
    return "complete" if study.trials.is_over else "not complete"


def study_sections(study: Study, frames: Frames) -> Iterator[Section]:
    """All sections, as far as there is anything to show: first what the verdict rests on."""
    yield from proof_section(study.matches, frames)
    title = weights_title(frames, study.verdict)
    table = parameters_table(frames.parameters, frames.name_of_values)
    yield Section("parameters", title, [page_table(table)])
    if len(frames.trials):
        yield Section("history", "History", [history_figure(frames)])
    if charts := list(slice_figures(frames)):
        yield Section("slices", "Slices", [PageGrid(charts)], slices_text(frames))
    yield from attempts_section(frames)
