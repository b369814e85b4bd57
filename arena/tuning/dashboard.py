"""The studies of a results folder for optuna-dashboard, which has one storage: copies in memory.

Even a reader leaves files beside a database to which another program may write; and the buttons of
the dashboard delete studies and write notes. None of that comes to the folder.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import sqlalchemy as sql

from arena.errors import ConfigError, own_words
from arena.storage.connection import Figures, file_figures, patient, url
from arena.storage.folder import DATABASE, path_text
from arena.tuning.optuna.mirror import STUMBLES
from arena.tuning.optuna.sampler import quiet

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial

logger = logging.getLogger(__name__)


class Copies:
    """Holds a copy of every study of a folder, under its path there, as far as it is played."""

    def __init__(self, results: Path) -> None:
        """`results`: a folder of runs and studies, or the folder of one study."""
        from optuna.storages import InMemoryStorage

        self.storage = InMemoryStorage()
        self._results = results
        self._stamps: dict[Path, tuple[Figures, Figures]] = {}
        """What each database was like when it was read."""
        self._reading = Lock()

    def update(self) -> None:
        """Take in what has been played."""
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
        """The copy of a study, which may have no trial yet."""
        from optuna import create_study

        return create_study(
            storage=self.storage, study_name=name, direction="maximize", load_if_exists=True
        )


def _end_of(trial: FrozenTrial) -> object:
    """What tells a trial from the one of the same number in another study."""
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
        address.render_as_string(),
        waiting,
        skip_compatibility_check=True,
        skip_table_creation=True,
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
