"""A fit of an engine's weights to recorded games, and the proof of its gain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arena.experiment import Status, state_of

if TYPE_CHECKING:
    from arena.match.record import GameRecord
    from arena.report.answer import Answer, GameSource
    from arena.report.verdict import Conclusion
    from arena.tuning.fit.fit import Fit

NAME = "fit of weights"
CONTENT = "a fit of weights is"
COMMAND = "arena fit"
PLAYERS = "players"
FRAMES = ("weights", "losses", "reliability", "curve", "verification", "gains")
COMBINES = False


def opened(folder: Path) -> FitSnapshot:
    from arena.tuning.fit.fit import open_fit

    return FitSnapshot(open_fit(folder))


class FitSnapshot:
    """A fit at one moment."""

    def __init__(self, fit: Fit) -> None:
        self.folder = fit.folder
        self._fit = fit

    def status(self) -> Status:
        """Over once nothing of its proof is missing either; its games are those to be made."""
        fit = self._fit
        return Status(fit.games_made[1], state_of(fit.is_over, fit.stopped))

    def verdict(self) -> Conclusion:
        return self._fit.verdict

    def answer(self) -> Answer:
        from arena.tuning.fit.report import fit_answer

        return fit_answer(self._fit)

    def games(self) -> GameSource:
        from arena.report.answer import GameSource

        made, config = self._fit.made, self._fit.config

        def played() -> Iterator[tuple[str, int, GameRecord]]:
            records = made.records() if made else ()
            for number, record in records:
                yield config.name, number, record

        return GameSource(
            {config.name: config.terms.game}, made.config.names if made else [], played
        )
