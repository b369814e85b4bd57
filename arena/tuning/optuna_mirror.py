"""A study's trials in `arena.db` as Optuna keeps them, for its dashboard and its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sql

from arena.storage.database import set_pragmas, url
from arena.tuning.config import TuningConfig
from arena.tuning.trials import Told

if TYPE_CHECKING:
    import optuna


class Mirror:
    """Holds the Optuna study; the games are the truth, and it only ever lacks the last trials."""

    def __init__(self, file: Path, config: TuningConfig) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        storage = optuna.storages.RDBStorage(url(file, read_only=False).render_as_string())
        sql.event.listen(storage.engine, "connect", set_pragmas)
        storage.engine.dispose()  # connections made before that
        self._study = optuna.create_study(
            storage=storage, study_name=config.name, direction="maximize", load_if_exists=True
        )
        self._axes = config.space.axes
        self._seed = config.plan.seed
        self._count = len(self._study.get_trials(deepcopy=False))
        self._distributions = {axis.name: axis.distribution() for axis in self._axes}

    def update(self, told: Sequence[Told]) -> None:
        """Add the trials that are not there yet."""
        for each in told[self._count :]:
            self._study.add_trial(self._frozen(each))
            self._count += 1

    def _frozen(self, told: Told) -> optuna.trial.FrozenTrial:
        """One trial; of two points, its parameters are the centre's, which are not rounded."""
        from optuna.distributions import FloatDistribution
        from optuna.trial import create_trial

        distributions = dict(self._distributions)
        if len(told.trial.points) == 2:
            distributions = {
                axis.name: FloatDistribution(axis.low, axis.high, log=axis.log)
                for axis in self._axes
            }
        return create_trial(
            params=told.trial.centre,
            distributions=distributions,
            value=told.estimate,
            user_attrs=attributes(told) | {"seed": self._seed},
        )


def attributes(told: Told) -> dict[str, Any]:
    """What Optuna has no place for."""
    points = dict(zip(("plus", "minus"), told.trial.points, strict=False))
    return {
        "elo": told.answer.elo,
        "pairs": told.answer.pairs,
        "games": told.games,
        "pentanomial": [list(counts) for counts in told.pentanomial],
        "openings": list(told.openings),
        "stopped_early": told.is_stopped,
        **(points if len(points) == 2 else {}),
    }
