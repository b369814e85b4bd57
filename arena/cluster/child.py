"""A process beside a dask worker that plays games by the local pool's rules: one at a time.

It ends when its pipe is closed, when its parent dies, or when no request comes for some time, so
that no engine stays on a machine where no game is played.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from threading import Thread

from arena.cluster.shipping import Order, Reply
from arena.match.record import Job, to_send
from arena.processes.child import ValuePipe
from arena.workers.logs import LogFile, logging_to
from arena.workers.pool import Pool
from arena.workers.referee import Referee

IDLE_SECONDS = 30.0  # Seconds without a job after which the process ends

MOST_LOG_BYTES = 2**20  # Bytes of the log that go with the records of one batch

FULL_LOG = 2**24  # Bytes of the log after which its file begins anew


def live(pipe: ValuePipe, order: Order) -> None:
    """Build the engines, then play what comes: the process's whole life."""
    batches: queue.Queue[Sequence[Job]] = queue.Queue()
    Thread(target=_take_batches, args=(pipe, batches), daemon=True).start()
    with logging_to(order.log) as log, suppress(BrokenPipeError):
        referee = _referee_of(order)
        faults = referee.faults(in_this_process=False)
        words = "; ".join(f"{name}: {message}" for name, message in faults.items())
        pipe.send(Reply([], 0.0, fault=words, faults=tuple(faults.items())))
        if not faults:
            written = LogEnd(order.log)
            for reply in _replies_on(_until_idle(batches), referee, log):
                pipe.send(reply._replace(log=written.text()))


def _referee_of(order: Order) -> Referee:
    """The referee, with engines where they were unpacked."""
    sys.path[:0] = order.manifest.import_paths()
    referee: Referee = pickle.loads(order.referee)
    return referee.changed(order.manifest.moved_player)


def _replies_on(
    batches: Iterator[Sequence[Job]], referee: Referee, log: LogFile
) -> Iterator[Reply]:
    """The games of each batch; the process that plays them is started for the first one."""
    if first := next(batches, None):
        with closing(Pool(1, referee, log)) as pool:
            for batch in chain([first], batches):
                yield _reply_on(pool, batch)


def _reply_on(pool: Pool, batch: Sequence[Job]) -> Reply:
    """The games of one task, or the traceback of an error that is ours."""
    began = time.monotonic()
    try:
        records = list(map(to_send, pool.run(iter(batch))))
    except Exception:
        return Reply([], 0.0, error=traceback.format_exc())
    return Reply(records, time.monotonic() - began)


def _take_batches(pipe: ValuePipe, batches: queue.Queue[Sequence[Job]]) -> None:
    """Take in orders; end the process, and so its workers, once its parent has closed the pipe."""
    with suppress(EOFError, OSError):
        while True:
            batches.put(pipe.receive())
    os._exit(0)


def _until_idle(batches: queue.Queue[Sequence[Job]]) -> Iterator[Sequence[Job]]:
    with suppress(queue.Empty):
        while True:
            yield batches.get(timeout=IDLE_SECONDS)


class LogEnd:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen = 0

    def text(self) -> str:
        """The lines since this was last asked for; the last ones, if they are many."""
        with suppress(FileNotFoundError), self._file.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            start = max(self._seen, size - MOST_LOG_BYTES)
            file.seek(start)
            text = file.read()
            self._seen = start + len(text) if start == self._seen else size
            if self._seen > FULL_LOG:
                os.truncate(self._file, 0)
                self._seen = 0
            return text.decode("utf-8", "backslashreplace")
        return ""
