"""A run, a study or a fit at one moment: its report, and its games, as its folder keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from arena.config.yaml_file import Document
from arena.game import Game
from arena.match.record import GameRecord, Numbered
from arena.plugins.load import HUMAN, load_game
from arena.report.page.document import Page
from arena.report.planning.outlook import SprtProgress, sprt_progress
from arena.report.verdict import Conclusion
from arena.storage.database import Store
from arena.storage.folder import CONFIG, kind_of, path_text, read_store


@dataclass(frozen=True)
class Snapshot:
    """All that a page shows of a folder beside the games at play."""

    document: Page
    """The report, without the games."""
    rules: Game
    players: Sequence[str]
    games: Numbered
    total: int | None
    """Games at most; None where results decide that."""
    is_over: bool
    test: SprtProgress | None = None
    """The progress of a run that is a test."""
    may_end_early: bool = False
    scales: Mapping[str, float] = field(default_factory=dict)
    """K of the players whose games tell it: see `report/moves/score_scales.py`."""


def warm_up() -> None:
    """Import the libraries of reports, which takes seconds that are no measure of their cost."""
    for name in ("report.run_page", "report.frames", "tournament.run", "tuning.report.study_page"):
        import_module(f"arena.{name}")


def snapshot_of(folder: Path) -> Snapshot:
    """The folder as it is now; no engine is imported. Raises ConfigError if it is none of ours."""
    kind = kind_of(Document(folder / CONFIG).data)
    if kind == "study":
        return study_snapshot(folder)
    return fit_snapshot(folder) if kind == "fit" else run_snapshot(folder)


def run_snapshot(folder: Path) -> Snapshot:
    """A run; its numbers are made by the code of the report."""
    from arena.report.frames import report_of
    from arena.report.run_page import document_of_runs
    from arena.tournament.run import open_run

    run = open_run(folder)
    games, extras = run.evidence()
    report = report_of(run.config.names, {path_text(folder): games}, extras=extras)
    document, (facts,) = document_of_runs(report), report.runs
    return Snapshot(
        document=document,
        rules=load_game(run.config.terms.game),
        players=run.config.names,
        games=games.numbered(),
        total=facts.total,
        is_over=facts.is_over,
        test=sprt_progress(extras.matches, facts.total and facts.total - len(games)),
        may_end_early=any("decision" in row for row in extras.matches),
        scales=report.known_scales,
    )


def study_snapshot(folder: Path) -> Snapshot:
    """A study; the players of its games are the points that were tried."""
    from arena.tuning.report.contents import study_notes, study_warnings
    from arena.tuning.report.study_page import study_document
    from arena.tuning.study import open_study

    study = open_study(folder)
    frames, config = study.frames(), study.config
    records = read_store(folder, Store.games) or []
    return Snapshot(
        document=study_document(
            study, frames, list(study_notes(study, frames)), study_warnings(study)
        ),
        rules=load_game(config.terms.game),
        players=names_met(records),
        games=list(enumerate(records, start=1)),
        total=config.plan.budget,
        is_over=study.trials.is_over,
    )


def fit_snapshot(folder: Path) -> Snapshot:
    """A fit; its games are those that were made for it."""
    from arena.tuning.fit.fit import open_fit
    from arena.tuning.fit.report.fit_page import fit_document

    fit = open_fit(folder)
    made = fit.made
    return Snapshot(
        document=fit_document(fit, fit.frames()),
        rules=load_game(fit.config.terms.game),
        players=made.config.names if made else [],
        games=made.records() if made else [],
        total=fit.games_made[1],
        is_over=fit.is_over,
    )


def names_met(records: Sequence[GameRecord]) -> list[str]:
    """All names, in the order in which they come."""
    return list(dict.fromkeys(name for each in records for name in (each.first, each.second)))


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run or a study as the list of all shows it."""

    total: int | None
    """Games at most; None where results decide that."""
    state: str
    """`complete`, `not complete` or `stopped by faults`; empty for games with persons."""
    verdict: Conclusion | None


def summary_of(folder: Path) -> RunSummary:
    """The summary of a folder as it is now; no engine is imported.

    Raises ConfigError if it is none of ours.
    """
    kind = kind_of(Document(folder / CONFIG).data)
    if kind == "study":
        return study_summary(folder)
    return fit_summary(folder) if kind == "fit" else run_summary(folder)


def run_summary(folder: Path) -> RunSummary:
    """The summary of a run."""
    from arena.report.verdict import verdict_of
    from arena.tournament.run import open_run

    played = open_run(folder).played()
    (facts,) = played.extras.runs
    state = "" if facts.format.name == HUMAN else state_of(facts.is_over, facts.stopped)
    return RunSummary(facts.total, state, verdict_of(played))


def study_summary(folder: Path) -> RunSummary:
    """The summary of a study, which is over once nothing of its proof is missing either."""
    from arena.tuning.report.messages import stopped_text
    from arena.tuning.study import open_study

    study = open_study(folder)
    state = state_of(study.trials.is_over and study.matches.is_over, stopped_text(study))
    return RunSummary(study.config.plan.budget, state, study.verdict)


def fit_summary(folder: Path) -> RunSummary:
    """The summary of a fit."""
    from arena.tuning.fit.fit import open_fit

    fit = open_fit(folder)
    return RunSummary(None, state_of(fit.is_over, fit.stopped), fit.verdict)


def state_of(is_over: bool, stopped: str) -> str:
    """The state of a run or a study that is not being played."""
    return "stopped by faults" if stopped else "complete" if is_over else "not complete"
