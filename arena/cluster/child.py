"""A process beside a dask worker that plays games by the local pool's rules: one at a time.

It ends when its input does, whatever has killed the one who started it, and when nothing was asked
of it for a while: no engine is to stay on a machine where nobody plays.
"""

from __future__ import annotations

import os
import pickle
import queue
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread

from arena.cluster.frames import read_frame, write_frame
from arena.cluster.orders import Order, Reply
from arena.errors import ConfigError
from arena.match.record import Job, values_of
from arena.workers.logs import logging_to
from arena.workers.pool import Pool
from arena.workers.referee import Referee

IDLE = 30.0
"""Seconds without a job after which the process ends."""
MOST_LOG_BYTES = 2**20
"""Bytes of the log that go with the records of one task."""
FULL_LOG = 2**24
"""Bytes of the log after which its file begins anew."""


def live() -> None:
    """Build the engines, then play what comes: the process's whole life."""
    orders, replies = private_ends()
    order: Order = read_frame(orders)
    jobs: queue.Queue[Sequence[Job]] = queue.Queue()
    Thread(target=take_jobs, args=(orders, jobs), daemon=True).start()
    with logging_to(order.log) as log, suppress(BrokenPipeError):
        referee: Referee = pickle.loads(order.referee)
        try:
            referee.check(in_this_process=False)
        except ConfigError as error:
            write_frame(replies, Reply([], 0.0, fault=str(error)))
            return
        write_frame(replies, Reply([], 0.0))
        written = LogEnd(order.log)
        with closing(Pool(1, referee, log)) as pool:
            for batch in batches(jobs):
                write_frame(replies, reply_on(pool, batch)._replace(log=written.text()))


def reply_on(pool: Pool, batch: Sequence[Job]) -> Reply:
    """The games of one task, or the traceback of an error that is ours."""
    began = time.monotonic()
    try:
        records = [values_of(record) for record in pool.run(iter(batch))]
    except Exception:
        return Reply([], 0.0, error=traceback.format_exc())
    return Reply(records, time.monotonic() - began)


def private_ends() -> tuple[int, int]:
    """The pipes of orders and replies, which no engine is to find in the places of 0 and 1."""
    orders, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)

    own = os.getpid()

    def close() -> None:
        if os.getppid() == own:  # the numbers of its own children's files may be others'
            os.close(orders)
            os.close(replies)

    os.register_at_fork(after_in_child=close)
    return orders, replies


def take_jobs(orders: int, jobs: queue.Queue[Sequence[Job]]) -> None:
    """Take in what is to be played; end the process once nobody can want it any more.

    Workers die with the process, and its reaper ends what they have started.
    """
    with suppress(EOFError, OSError):
        while True:
            jobs.put(read_frame(orders))
    os._exit(0)


def batches(jobs: queue.Queue[Sequence[Job]]) -> Iterator[Sequence[Job]]:
    """The jobs of one task after the other, until none has come for long."""
    with suppress(queue.Empty):
        while True:
            yield jobs.get(timeout=IDLE)


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


if __name__ == "__main__":
    live()
