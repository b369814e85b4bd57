"""The trials of a user's own study of Optuna, as the folder of its games tells them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.match.pairs import Results, results_of
from arena.storage.database import Store
from arena.tuning.method import Advice, Trial
from arena.tuning.optuna.sampler import SamplerTuner, refuse_to_ask
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Values
from arena.tuning.trials import EndAt, Trials, begun, matches_of, point_named


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
        self._sampler, starts = SamplerTuner(config.space, refuse_to_ask), config.starts
        self._tested = tested
        super().__init__(config.plan, self._sampler, config.rivals, config.openings, None)
        for round, point, openings in ended:
            values = point_named(point)
            trial = Trial(round - 1, values, (values,))
            run = begun(trial, list(matches_of(trial, config.rivals)), starts, EndAt(openings))
            run.take(results)
            self._tell(run)

    def advance(self, results: Results) -> None:
        """Ask for nothing."""

    def recommend(self) -> Sequence[Advice]:
        """The point that the user had tested; before that, what any sampler's trials recommend."""
        return self._sampler.advice_on(self._tested) if self._tested else super().recommend()

    @property
    def is_over(self) -> bool:
        """True once there is something to recommend: whether trials will follow is not known."""
        return bool(self.told or self._tested)


def played_trials(config: TuningConfig, tested: Values | None, store: Store) -> PlayedTrials:
    """The trials that are over in a folder."""
    ended = store.trials_ended()  # before their games: another may end meanwhile
    return PlayedTrials(config, ended, results_of(store.game_rows()), tested)
