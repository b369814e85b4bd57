"""The trials of a user's own study of Optuna, as the folder of its games tells them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from arena.match.game_row import GameRow
from arena.match.pairs import Results, results_of
from arena.plugins.load import parse_parameters
from arena.storage.database import Store
from arena.tuning.optuna.sampler import KeptTuner
from arena.tuning.settings.conditions import AT
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Values
from arena.tuning.trials import Trials, begun, matches_of


class EndAt(NamedTuple):
    """The end of a trial after as many openings as it had when it was played."""

    openings: int

    def is_due(self, scores: Sequence[Sequence[float]]) -> bool:
        """True once it has them."""
        return len(scores) == self.openings


class PlayedTrials(Trials):
    """Holds trials that are over; what comes next, only Optuna's study knows."""

    def __init__(
        self,
        config: TuningConfig,
        ended: Iterable[tuple[int, str, int]],
        results: Results,
        tested: Values | None,
    ) -> None:
        """The rounds of the trials, the names of their points, and the openings after which each
        ended; and the point that the user had tested, if any."""
        tuner, starts = KeptTuner(config.space, tested=tested), config.starts
        self._tested = tested
        super().__init__(
            config.plan, tuner, config.rivals, config.openings, None, None, config.aggregate
        )
        for round, point, openings in ended:
            trial = tuner.ask_for(round - 1, _point_named(point))
            run = begun(trial, list(matches_of(trial, config.rivals)), starts, EndAt(openings))
            run.take(results)
            self._tell(run)

    def advance(self, results: Results) -> None:
        """Ask for nothing."""

    @property
    def is_over(self) -> bool:
        """True once there is something to recommend: whether trials will follow is not known."""
        return bool(self.told or self._tested)


def played_trials(config: TuningConfig, tested: Values | None, store: Store) -> PlayedTrials:
    """The trials that are over in a folder."""
    ended = store.trials_ended()  # before their games: another may end meanwhile
    return PlayedTrials(config, ended, results_of(store.game_rows()), tested)


def points_played(
    config: TuningConfig, rows: Sequence[GameRow], rounds: Sequence[int]
) -> dict[int, Values]:
    """The points of trials that are measured alone, by the rounds of their games."""
    rivals = {player.name for player in config.players}
    points = dict[int, Values]()
    for row, round in zip(rows, rounds, strict=False):  # a game may have come in between
        for name in row.result[:2]:
            point = name.rpartition(AT)[0] if config.varied else name
            if point not in rivals and round not in points:
                points[round] = _point_named(point)
    return points


def _point_named(name: str) -> Values:
    """The point whose values a name spells: see `point_name`."""
    return cast(Values, parse_parameters(name))
