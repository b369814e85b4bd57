"""Trials in `arena.db` as Optuna keeps them: studies, users' own studies, and the dashboard."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import sqlalchemy as sql

from arena.errors import ConfigError, own_words
from arena.match.pairs import Results, results_of
from arena.storage.connection import Figures, file_figures, patient, set_pragmas, unusable, url
from arena.storage.database import Store
from arena.storage.folder import DATABASE, path_text
from arena.tuning.method import Advice, Trial
from arena.tuning.optuna.sampler import COPY_OF, ELO, SamplerTuner, quiet, refuse_to_ask
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Values
from arena.tuning.trials import EndAt, Told, Trials, begun, matches_of, point_named

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial

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
                storage=storage, study_name=config.name, direction="maximize", load_if_exists=True
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
        from optuna.trial import create_trial

        for each in told[self._count :]:
            is_rounded = len(each.trial.points) == 1  # the centre of two points is not
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
        with self._faults():
            if self._study.user_attrs.get(name) != value:
                self._study.set_user_attr(name, value)

    def close(self) -> None:
        self._storage.remove_session()
        self._storage.engine.dispose()


def attributes(told: Told) -> dict[str, Any]:
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


class PlayedTrials(Trials):
    """Holds trials that are over; what comes next, only Optuna's study knows."""

    def __init__(
        self,
        config: TuningConfig,
        ended: Iterable[tuple[int, str, int]],
        results: Results,
        tested: Values | None,
    ) -> None:
        """`ended`: the round of each trial, its point's name, and its number of openings."""
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
        return self._sampler.advice_on(self._tested) if self._tested else super().recommend()

    @property
    def is_over(self) -> bool:
        """True once there is something to recommend: whether trials will follow is not known."""
        return bool(self.told or self._tested)


def played_trials(config: TuningConfig, tested: Values | None, store: Store) -> PlayedTrials:
    ended = store.trials_ended()  # before their games: another may end meanwhile
    return PlayedTrials(config, ended, results_of(store.game_rows()), tested)


logger = logging.getLogger(__name__)


class Copies:
    """Holds a copy of every study of a folder, under its path there, as far as it is played."""

    def __init__(self, results: Path) -> None:
        """`results`: a folder of runs and studies, or the folder of one study."""
        from optuna.storages import InMemoryStorage

        self.storage = InMemoryStorage()
        self._results = results
        self._stamps: dict[Path, tuple[Figures, Figures]] = {}  # Of each database when it was read
        self._reading = Lock()

    def update(self) -> None:
        with self._reading, quiet():
            for file in sorted(self._results.rglob(DATABASE)):
                stamp = file_figures(file), file_figures(f"{file}-wal")
                if self._stamps.get(file) != stamp and not self._is_locked(file):
                    self._stamps[file] = stamp

    def _is_locked(self, file: Path) -> bool:
        """Take in a database as it is now, unless another program locks it; those of other runs
        have no study. What cannot be read is told."""
        from optuna.exceptions import OptunaError

        folder = file.parent.relative_to(self._results)
        try:
            with _kept_study(file) as kept:
                if kept:
                    name = path_text(folder) if folder.name else self._results.resolve().name
                    self._copy(name, kept.user_attrs, kept.get_trials(deepcopy=False))
        except (ConfigError, OptunaError, *STUMBLES) as error:
            logger.warning("%s cannot be read: %s", file, own_words(error))
            return isinstance(error, sql.exc.OperationalError)
        return False

    def _copy(self, name: str, facts: Mapping[str, Any], trials: list[FrozenTrial]) -> None:
        """Add the trials of a study that are not here yet; it may have begun anew."""
        from optuna import delete_study

        copy = self._copy_of(name)
        known = copy.get_trials(deepcopy=False)
        if list(map(_end_of, known)) != list(map(_end_of, trials[: len(known)])):
            delete_study(study_name=name, storage=self.storage)
            copy, known = self._copy_of(name), []
        for key, value in facts.items():
            copy.set_user_attr(key, value)
        copy.add_trials(trials[len(known) :])

    def _copy_of(self, name: str) -> Study:
        from optuna import create_study

        return create_study(
            storage=self.storage, study_name=name, direction="maximize", load_if_exists=True
        )


def _end_of(trial: FrozenTrial) -> object:
    return trial.datetime_complete, trial.params


@contextmanager
def _kept_study(file: Path) -> Iterator[Study | None]:
    """The study as Optuna's tables in a database have it, which is only read; None without any."""
    from optuna import get_all_study_names, load_study
    from optuna.storages import RDBStorage

    address, waiting = url(file, read_only=True), {"connect_args": patient()}
    with _closed(sql.create_engine(address, **waiting)) as engine:
        has_tables = sql.inspect(engine).has_table("version_info")
    if not has_tables:
        yield None
        return
    storage = RDBStorage(
        address.render_as_string(), waiting, skip_compatibility_check=True, skip_table_creation=True
    )
    with _closed(storage.engine):
        names = get_all_study_names(storage)
        yield load_study(study_name=names[0], storage=storage) if names else None
        storage.remove_session()


@contextmanager
def _closed(engine: sql.Engine) -> Iterator[sql.Engine]:
    try:
        yield engine
    finally:
        engine.dispose()
