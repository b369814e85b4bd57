"""A study's folder: its files, and the promise that its games are of one config."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from arena.config.settings import value_changes
from arena.errors import ConfigError, Fault
from arena.storage.database import Store
from arena.storage.folder import clear, keep_config, source_of
from arena.tuning.config import TUNED, TuningConfig, tuning_data
from arena.tuning.referee import TuningTable
from arena.tuning.verification import NAME, OPPONENTS
from arena.workers.logs import LogFile
from arena.workers.runner import opened

TUNED_FILE = f"{TUNED}.yaml"
"""A tournament of the tuned weights against the default ones, once the gain is proved."""


def freeze(folder: Path, config: TuningConfig, store: Store) -> None:
    """Keep the config; ConfigError if games are here that are not of this one.

    How the gain is to be proved may change: no trial depends on it.
    """
    kept, wanted = store.facts(), tuning_data(config)
    if kept and "plan" not in kept:
        message = "a tournament is kept here: choose another name"
        raise ConfigError(Fault(str(folder), message))
    noted = wanted | {"players": [entry | source_of(entry) for entry in wanted["players"]]}
    found = [
        change
        for part in noted
        if part != "verification"
        for change in value_changes(part, kept.get(part), noted[part])
    ]
    if kept and found and store.players():
        raise ConfigError(
            *(Fault(str(folder), change) for change in found),
            "the games played so far were played otherwise: "
            "choose another name, or throw them away with --fresh",
        )
    store.note(noted)
    keep_config(folder, wanted)


@contextmanager
def opened_study(
    folder: Path, config: TuningConfig, workers: int, fresh: bool
) -> Iterator[tuple[TuningTable, Store, LogFile]]:
    """A table whose engines can be built, and the folder to play in, for this process alone.

    `fresh` throws away what is there, the proof included; ConfigError before that for engines.
    """
    table = TuningTable(config)
    table.check(in_this_process=workers == 0)
    with opened(folder, fresh) as (store, log), closing(table):
        if fresh:
            forget(folder)
        yield table, store, log


def forget(folder: Path) -> None:
    """Throw away what was made of earlier trials."""
    (folder / TUNED_FILE).unlink(missing_ok=True)
    clear(folder / NAME)
    clear(folder / OPPONENTS)
