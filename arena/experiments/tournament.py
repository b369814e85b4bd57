"""A tournament, or games with persons: players that meet, by a format."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from arena.experiment import Status, state_of
from arena.plugins.load import HUMAN
from arena.report.answer import FRAMES as FRAMES

if TYPE_CHECKING:
    from arena.report.answer import Answer, GameSource
    from arena.report.frames import Report
    from arena.report.verdict import Conclusion, Extras
    from arena.storage.database import Games
    from arena.tournament.run import Run

NAME = "tournament"
CONTENT = "a tournament is"
COMMAND = "arena run"
PLAYERS = "engines"
COMBINES = True


def opened(folder: Path) -> TournamentSnapshot:
    from arena.tournament.run import open_run

    return TournamentSnapshot(open_run(folder))


class TournamentSnapshot:
    """A tournament at one moment."""

    def __init__(self, run: Run) -> None:
        self.folder = run.folder
        self._run = run

    @cached_property
    def _evidence(self) -> tuple[Games, Extras]:
        return self._run.evidence()

    @cached_property
    def _report(self) -> Report:
        from arena.report.frames import report_of
        from arena.storage.folder import path_text

        games, extras = self._evidence
        return report_of(self._run.config.names, {path_text(self.folder): games}, extras=extras)

    def status(self) -> Status:
        from arena.report.outlook import sprt_progress

        games, extras = self._evidence
        (facts,) = extras.runs
        is_of_persons = facts.format.name == HUMAN
        return Status(
            facts.total,
            "" if is_of_persons else state_of(facts.is_over, facts.stopped),
            sprt_progress(extras.matches, facts.total and facts.total - len(games)),
            any("decision" in row for row in extras.matches),
        )

    def verdict(self) -> Conclusion:
        from arena.report.verdict import verdict_of
        from arena.tournament.run import played_of

        return verdict_of(played_of(self._run, *self._evidence))

    def answer(self) -> Answer:
        from arena.report.run_answer import run_answer

        return run_answer(self._report)

    def games(self) -> GameSource:
        from arena.report.run_answer import game_source

        return game_source(self._report)
