"""Runs and studies at play: what is missing is played, and each game is kept as it ends."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from arena.errors import DiskFullError, refusal_of
from arena.match.game_row import GameRow, key_number
from arena.match.pairs import HashIndex
from arena.match.record import GameRecord, Job, key, summary
from arena.storage.connection import refuse_network_drive
from arena.storage.database import Store, keep_machine
from arena.storage.folder import (
    DATABASE,
    LOG,
    Changes,
    clear,
    forget_stop,
    freeze,
    is_asked_to_stop,
    locked,
    make_folder,
)
from arena.storage.history import PROGRAM_NAMES, Recorder, Session
from arena.workers.logs import LogFile, logging_to
from arena.workers.pool import Site
from arena.workers.referee import Referee

logger = logging.getLogger(__name__)

Stop = Callable[[], bool]


def ignore(progress: object) -> None:
    """The default watcher of progress: it does nothing."""


def never() -> bool:
    """The default `stop`: always False."""
    return False


@dataclass(frozen=True, slots=True)
class Runner:
    store: Store
    log: LogFile
    referee: Referee
    site: Site
    folder: Path

    def play_missing(
        self, jobs: Iterable[Job | None], kept: HashIndex, stop: Stop, left: int | None
    ) -> Generator[tuple[GameRecord, GameRow]]:
        """Play the jobs whose keys are not among those `kept`; each is stored, then yielded with
        its row.

        A job of None means that there is none before some record is looked at. Once `stop` says so,
        no further game is started. No more processes are started than games are `left`, if that is
        known. Close the generator to end at once.
        """

        def is_to_stop() -> bool:
            return stop() or is_asked_to_stop(self.folder)

        def keep(session: Session) -> None:
            self.store.keep_session(session)
            for machine in site.machines():
                keep_machine(self.store, machine)

        missing = (job for job in jobs if job is None or key_number(*key(job)) not in kept)
        site = self.site if left is None else self.site.at_most(left)
        with (
            closing(Recorder(site.workers, keep)) as recorder,
            closing(
                site.play(takewhile(lambda _: not is_to_stop(), missing), self.referee, self.log)
            ) as records,
        ):
            for record in records:
                row = self.store.append(record)
                recorder.look()
                # The summary tells who played, and this, which of their games it was.
                game = f"[opening {record.opening or 'none'}, round {record.round}] "
                logger.info("%s", summary(record), extra={"game": game})
                self.log.check()
                yield record, row


@contextmanager
def opened(
    folder: Path,
    config: dict[str, Any],
    changes: Changes,
    referee: Referee,
    site: Site,
    fresh: bool = False,
    accept_changes: bool = False,
    check: Callable[[], object] | None = None,
    is_over: bool = False,
    opening: str = "",
) -> Iterator[Runner]:
    """Check the engines and open the folder, for this process alone.

    `fresh` throws away what is there. ConfigError for engines, and for what else `check` finds
    wrong, before that; and for games that are of another config, or of other code, unless that is
    accepted. Where no game is missing, `is_over`, no other machine is asked, and no program plays a
    move from the `opening` on trial.
    """
    is_over = is_over and not fresh
    referee.check(site.workers == 0, None if is_over else opening)
    if not is_over:
        site.check(referee)
    refuse_network_drive(folder)
    make_folder(folder)
    with locked(folder):
        forget_stop(folder)
        if check:
            check()
        if fresh:
            clear(folder)
        with entered(folder, referee, site) as runner:
            freeze(folder, config, changes, runner.store, accept_changes)
            note_programs(runner)
            yield runner


def note_programs(runner: Runner) -> None:
    if runner.referee.programs:
        runner.store.note(runner.store.facts() | {PROGRAM_NAMES: runner.referee.programs})


@contextmanager
def entered(folder: Path, referee: Referee, site: Site) -> Iterator[Runner]:
    """Open the database and the log of a folder that is locked; close them, and the engines."""
    with (
        closing(Store(folder / DATABASE)) as store,
        logging_to(folder / LOG) as log,
        closing(referee),
        _counting_kept(store, folder),
    ):
        yield Runner(store, log, referee, site, folder)


@contextmanager
def _counting_kept(store: Store, folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, DiskFullError) as error:
        refusal = error if isinstance(error, DiskFullError) else refusal_of(error, folder)
        if not isinstance(refusal, DiskFullError):
            raise
        raise DiskFullError(refusal.place or folder, refusal.why, store.count()) from None
