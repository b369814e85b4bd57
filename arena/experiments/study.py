"""A tuning study: trials of an engine's weights, and the proof of what they recommend."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from arena.experiment import Status, state_of

if TYPE_CHECKING:
    from arena.match.record import GameRecord
    from arena.report.answer import Answer, GameSource
    from arena.report.verdict import Conclusion
    from arena.tuning.study import Study

NAME = "tuning study"
CONTENT = "a tuning study is"
COMMAND = "arena tune"
PLAYERS = "players"
FRAMES = ("parameters", "trials", "slices", "verification", "gains")
COMBINES = False


def opened(folder: Path) -> StudySnapshot:
    from arena.tuning.study import open_study

    return StudySnapshot(open_study(folder))


class StudySnapshot:
    """A study at one moment."""

    def __init__(self, study: Study) -> None:
        self.folder = study.folder
        self._study = study

    def status(self) -> Status:
        """Over once nothing of its proof is missing either; of a user's study, nobody knows."""
        from arena.tuning.report.study_answer import stopped_text

        study, stopped = self._study, stopped_text(self._study)
        if study.config.is_users:
            return Status(None, state_of(False, stopped))
        return Status(study.config.plan.budget, state_of(study.is_over, stopped))

    def verdict(self) -> Conclusion:
        return self._study.verdict

    def answer(self) -> Answer:
        from arena.tuning.report.study_answer import study_answer

        return study_answer(self._study)

    @cached_property
    def _records(self) -> list[GameRecord]:
        from arena.storage.database import Store
        from arena.storage.folder import read_store

        return read_store(self.folder, Store.games) or []

    def games(self) -> GameSource:
        """The games of the trials, in the order in which they ended; their players are points."""
        from arena.report.answer import GameSource

        name, records = self._study.config.name, self._records

        def played() -> Iterator[tuple[str, int, GameRecord]]:
            for number, record in enumerate(records, start=1):
                yield name, number, record

        players = dict.fromkeys(each for game in records for each in (game.first, game.second))
        return GameSource({name: self._study.config.terms.game}, list(players), played)
