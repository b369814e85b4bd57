"""What a run or a study has come to: its verdict, and how much of it is played."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.config.yaml_file import Document
from arena.plugins.load import HUMAN
from arena.report.verdict import Conclusion
from arena.storage.folder import CONFIG, kind_of


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run or a study as the list of all shows it."""

    total: int | None
    """Games at most; None where results decide that."""
    state: str
    """`over`, `not over` or `stopped by faults`; empty for games with persons."""
    verdict: Conclusion | None


def summary_of(folder: Path) -> RunSummary:
    """The summary of a folder as it is now; no engine is imported.

    Raises ConfigError if it is none of ours.
    """
    if kind_of(Document(folder / CONFIG).data) == "study":
        return study_summary(folder)
    return run_summary(folder)


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
    from arena.tuning.report.study_verdict import study_verdict
    from arena.tuning.study import open_study

    study = open_study(folder)
    is_over = study.trials.is_over
    if is_over and study.values != study.config.space.default:
        is_over = bool((proof := study.proof) and not proof.is_pending)
    state = state_of(is_over, stopped_text(study))
    return RunSummary(study.config.plan.budget, state, study_verdict(study))


def state_of(is_over: bool, stopped: str) -> str:
    """The state of what nobody plays."""
    return "stopped by faults" if stopped else "over" if is_over else "not over"
