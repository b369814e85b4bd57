"""The contract of an experiment: a folder of games, and the answer that they give.

Each kind of experiment is a file in `arena/experiments/`, named as folders have it in their config
under `kind`. It has

    NAME       what people call it
    CONTENT    the beginning of "... kept here"
    COMMAND    the command that plays it, and goes on with it; empty if none does
    PLAYERS    the key of the config under which the entries of its players stand
    FRAMES     the names of its frames, as users type them
    COMBINES   true if several are reported as one
    opened(folder)  the experiment that a folder keeps, as it is at this moment
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from arena.report.answer import Answer, GameSource
    from arena.report.outlook import SprtProgress
    from arena.report.verdict import Conclusion


@dataclass(frozen=True)
class Status:
    """How far an experiment is."""

    total: int | None  # Games at most; None where results decide that
    state: str  # `complete`, `not complete` or `stopped by faults`; empty for games with persons
    test: SprtProgress | None = None  # The progress of a run that is a test
    may_end_early: bool = False


class Experiment(Protocol):
    """An experiment at one moment: it is read once, and all answers are of that moment."""

    @property
    def folder(self) -> Path:
        """The folder that keeps it."""

    def status(self) -> Status:
        """How far it is."""

    def verdict(self) -> Conclusion | None:
        """The sentence that answers its question, sooner than the whole answer comes."""

    def answer(self) -> Answer:
        """The report on it."""

    def games(self) -> GameSource:
        """The games that it has played so far, those of its proof apart."""


def open_experiment(
    name: str | os.PathLike[str], *, results: str | os.PathLike[str] = "results"
) -> Experiment:
    """The experiment in a folder, by path or name; no engine is imported. ConfigError if none."""
    from arena.storage.folder import find_folder, kept_kind

    folder = find_folder(name, results)
    return cast(Experiment, kept_kind(folder, results).opened(folder))


def state_of(is_over: bool, stopped: str) -> str:
    """The state of an experiment that is not being played; `stopped` is the reason, if it was."""
    if stopped:
        return "stopped by faults"
    return "complete" if is_over else "not complete"
