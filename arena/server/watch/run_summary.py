"""What a run or a study has come to: its verdict, and how much of it is played."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.config.yaml_file import Document
from arena.plugins.load import HUMAN
from arena.storage.folder import CONFIG, kind_of


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run or a study as the list of all shows it."""

    total: int | None
    """Games at most; None where results decide that."""
    state: str
    """`over`, `not over` or `stopped by faults`; empty for games with persons."""
    verdict: str


def summary_of(folder: Path) -> RunSummary:
    """The summary of a folder as it is now; no engine is imported.

    Raises ConfigError if it is none of ours.
    """
    if kind_of(Document(folder / CONFIG).data) == "study":
        return study_summary(folder)
    return run_summary(folder)


def run_summary(folder: Path) -> RunSummary:
    """The summary of a run."""
    from arena.report.run_page import state_text
    from arena.report.verdict import verdict_text
    from arena.tournament.run import open_run

    report = open_run(folder).report()
    (facts,) = report.runs
    state = "" if facts.format.name == HUMAN else state_text(report).partition(":")[0]
    return RunSummary(facts.total, state, verdict_text(report))


def study_summary(folder: Path) -> RunSummary:
    """The summary of a study."""
    from arena.tuning.report.messages import proof_text, stopped_text
    from arena.tuning.study import open_study

    study = open_study(folder)
    is_over = study.trials.is_over
    state = "over" if is_over else "stopped by faults" if stopped_text(study) else "not over"
    return RunSummary(study.config.plan.budget, state, proof_text(study) if is_over else "")
