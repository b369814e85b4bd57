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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Thread

from arena.cluster.messages import Order, Reply
from arena.cluster.speed import MachinePace, scaled_record, scaled_referee
from arena.match.record import Job, to_send
from arena.processes.child import ValuePipe
from arena.workers.logs import LogFile, logging_to
from arena.workers.pool import Pool
from arena.workers.referee import Referee

IDLE_SECONDS = 30.0
"""Seconds without a job after which the process ends."""
MOST_LOG_BYTES = 2**20
"""Bytes of the log that go with the records of one batch."""
FULL_LOG = 2**24
"""Bytes of the log after which its file begins anew."""


def live(pipe: ValuePipe, order: Order) -> None:
    """Build the engines, then play what comes: the process's whole life."""
    batches: queue.Queue[Sequence[Job]] = queue.Queue()
    Thread(target=_take_batches, args=(pipe, batches), daemon=True).start()
    with logging_to(order.log) as log, suppress(BrokenPipeError):
        referee = _referee_of(order)
        pace = MachinePace(order.speed, referee.terms.scale)
        pace.measure()
        faults = referee.faults(in_this_process=False)
        words = "; ".join(f"{name}: {message}" for name, message in faults.items())
        pipe.send(Reply([], 0.0, fault=words, faults=tuple(faults.items()), speed=pace.speed))
        if not faults:
            written = LogEnd(order.log)
            for reply in _replies_on(_until_idle(batches), referee, pace, log):
                pipe.send(reply._replace(log=written.text(), speed=pace.speed))


def _referee_of(order: Order) -> Referee:
    """The referee, with engines where they were unpacked."""
    sys.path[:0] = order.manifest.import_paths()
    referee: Referee = pickle.loads(order.referee)
    return referee.adapted(referee.terms, order.manifest.moved_player)


def _replies_on(
    batches: Iterable[Sequence[Job]], referee: Referee, pace: MachinePace, log: LogFile
) -> Iterator[Reply]:
    """The games of each batch; where limits follow the machine's speed, by what it is by then."""
    with ExitStack() as stack:
        factor = 0.0
        for batch in batches:
            pace.measure()
            if pace.factor != factor:
                stack.close()
                factor = pace.factor
                own = scaled_referee(referee, factor)
                pool = stack.enter_context(closing(Pool(1, own, log)))
            yield _reply_on(pool, batch, factor)


def _reply_on(pool: Pool, batch: Sequence[Job], factor: float) -> Reply:
    """The games of one task, or the traceback of an error that is ours."""
    began = time.monotonic()
    try:
        found = [to_send(scaled_record(each, factor)) for each in pool.run(iter(batch))]
    except Exception:
        return Reply([], 0.0, error=traceback.format_exc())
    return Reply(found, time.monotonic() - began)


def _take_batches(pipe: ValuePipe, batches: queue.Queue[Sequence[Job]]) -> None:
    """Take in orders; end the process once its parent has closed the pipe.

    Workers die with the process, and its reaper ends what they have started.
    """
    with suppress(EOFError, OSError):
        while True:
            batches.put(pipe.receive())
    os._exit(0)


def _until_idle(batches: queue.Queue[Sequence[Job]]) -> Iterator[Sequence[Job]]:
    """The batches as they come, until none has come for long."""
    with suppress(queue.Empty):
        while True:
            yield batches.get(timeout=IDLE_SECONDS)


class LogEnd:
    """The part of a log that was not sent yet."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen = 0

    def text(self) -> str:
        """The lines since this was last asked for; the last ones, if they are many."""
        with suppress(FileNotFoundError), self._file.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(self._seen, size - MOST_LOG_BYTES))
            text = file.read()
            self._seen += len(text) if file.tell() - len(text) == self._seen else size - self._seen
            if self._seen > FULL_LOG:
                os.truncate(self._file, 0)
                self._seen = 0
            return text.decode("utf-8", "backslashreplace")
        return ""
