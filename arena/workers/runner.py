"""Games that are kept as they end: a folder opened to play in, and what is played there."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from arena.match.record import GameRecord, Job, summary
from arena.storage.database import Store
from arena.storage.folder import DATABASE, LOG, clear, locked, make_folder
from arena.storage.history import Clerk
from arena.workers.logs import LogFile, logging_to
from arena.workers.pool import play_all
from arena.workers.referee import Referee

logger = logging.getLogger(__name__)


@contextmanager
def opened(folder: Path, fresh: bool) -> Iterator[tuple[Store, LogFile]]:
    """The folder's games and log, for this process alone; `fresh` throws away what is there."""
    make_folder(folder)
    with locked(folder):
        if fresh:
            clear(folder)
        with closing(Store(folder / DATABASE)) as store, logging_to(folder / LOG) as log:
            yield store, log


def play_and_keep(
    jobs: Iterable[Job | None], table: Referee, workers: int, store: Store, log: LogFile
) -> Generator[GameRecord]:
    """Play the jobs as `play_all`; each game is in the store before anybody sees it."""
    with (
        closing(Clerk(workers, store.keep_session)) as clerk,
        closing(play_all(jobs, table, workers, log)) as records,
    ):
        for record in records:
            store.append(record)
            clerk.look()
            logger.info("%s", summary(record), extra={"game": game_text(record)})
            yield record


def game_text(record: GameRecord) -> str:
    """What a line of the log says about a game beside who played it."""
    return f"[opening {record.opening or 'none'}, round {record.round}] "
