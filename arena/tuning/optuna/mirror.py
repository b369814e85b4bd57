"""A study's trials in `arena.db` as Optuna keeps them, for its dashboard and its pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from arena.errors import own_words
from arena.storage.connection import patient, set_pragmas, unusable, url
from arena.tuning.optuna.sampler import COPY_OF, ELO, quiet
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Values
from arena.tuning.trials import Told

RECOMMENDED, PROVED = "recommended", "proved"
"""User attributes of the study: the values that it recommends, and those with a proved gain."""
BEST_TRIAL = "best_trial"
LUCKY = (
    "best_trial has the highest of many noisy values, which owes much to luck: take the values in "
    f"the study's user attribute {PROVED!r}, or before the test in {RECOMMENDED!r}"
)
"""A user attribute of the study, under the name of that property, and of each trial."""
STUMBLES = (
    *(AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError),
    sql.exc.SQLAlchemyError,
)
"""Exceptions, beside Optuna's own, that come of tables which are not as Optuna wrote them."""


class Mirror:
    """The Optuna study, made from the games: it only ever lacks the last trials."""

    def __init__(self, file: Path, config: TuningConfig) -> None:
        import optuna

        self._file = file
        self._config = config
        with self._faults(), quiet(), ExitStack() as stack:
            address = url(file, read_only=False).render_as_string()
            storage = optuna.storages.RDBStorage(address, {"connect_args": patient()})
            sql.event.listen(storage.engine, "connect", set_pragmas)
            self._storage = storage
            self.close()  # connections made before that
            stack.callback(self.close)
            self._study = optuna.create_study(
                storage=storage,
                study_name=config.name,
                direction="maximize",
                load_if_exists=True,
            )
            self._count = len(self._study.get_trials(deepcopy=False))
            self.keep(BEST_TRIAL, LUCKY)
            stack.pop_all()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Tables that another program has changed are the user's to mend.

        Optuna and the libraries under it stumble over them in all the ways that are listed. Others
        are faults of ours, or of the machine.
        """
        from optuna.exceptions import OptunaError

        try:
            yield
        except (OptunaError, *STUMBLES) as error:
            broken = f"its copy for Optuna cannot be used: {own_words(error)}"
            raise unusable(self._file, error, broken) from None

    def update(self, told: Sequence[Told]) -> None:
        """Add the trials that are not there yet.

        The parameters of two points are those of their centre, which are not rounded.
        """
        from optuna.trial import create_trial

        for each in told[self._count :]:
            is_rounded = len(each.trial.points) == 1
            trial = create_trial(
                params=each.trial.centre,
                distributions={
                    axis.name: axis.distribution(is_rounded) for axis in self._config.space.axes
                },
                value=each.estimate,
                user_attrs=attributes(each) | {"seed": self._config.plan.seed, BEST_TRIAL: LUCKY},
            )
            with self._faults():
                self._study.add_trial(trial)
            self._count += 1

    def keep(self, name: str, value: str | Values) -> None:
        """Keep a user attribute of the study, unless it is there."""
        with self._faults():
            if self._study.user_attrs.get(name) != value:
                self._study.set_user_attr(name, value)

    def close(self) -> None:
        """Let go of the file."""
        self._storage.remove_session()
        self._storage.engine.dispose()


def attributes(told: Told) -> dict[str, Any]:
    """The attributes for which Optuna has no place."""
    return {
        ELO: told.answer.elo,
        "pairs": told.answer.pairs,
        "games": told.games,
        "pentanomial": [list(counts) for counts in told.pentanomial],
        "openings": list(told.openings),
        "stopped_early": told.is_stopped,
        "faults": told.faulty_games,
        **(told.trial.sides if len(told.trial.points) == 2 else {}),
        **({} if told.copy_of is None else {COPY_OF: told.copy_of}),
    }
