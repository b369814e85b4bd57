"""A process beside a dask worker that plays games by the local pool's rules: one at a time.

It ends when its input does, whatever has killed the one who started it, and when nothing was asked
of it for a while: no engine is to stay on a machine where nobody plays.
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
from arena.match.record import Job, values_of
from arena.processes.pipe_values import read_frame, write_frame
from arena.workers.logs import LogFile, logging_to
from arena.workers.pool import Pool
from arena.workers.referee import Referee

IDLE_SECONDS = 30.0
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
        referee = referee_of(order)
        pace = MachinePace(order.speed, referee.terms.scale)
        pace.measure()
        faults = referee.faults(in_this_process=False)
        words = "; ".join(f"{name}: {message}" for name, message in faults.items())
        first = Reply([], 0.0, fault=words, faults=tuple(faults.items()), speed=pace.speed)
        write_frame(replies, first)
        if not faults:
            written = LogEnd(order.log)
            for reply in replies_on(batches(jobs), referee, pace, log):
                write_frame(replies, reply._replace(log=written.text(), speed=pace.speed))


def referee_of(order: Order) -> Referee:
    """The referee, with engines where they were unpacked."""
    sys.path[:0] = order.manifest.import_paths()
    referee: Referee = pickle.loads(order.referee)
    return referee.adapted(referee.terms, order.manifest.moved_player)


def replies_on(
    tasks: Iterable[Sequence[Job]], referee: Referee, pace: MachinePace, log: LogFile
) -> Iterator[Reply]:
    """The games of each task; where limits follow the machine's speed, by what it is by then."""
    with ExitStack() as stack:
        factor = 0.0
        for batch in tasks:
            pace.measure()
            if pace.factor != factor:
                stack.close()
                factor = pace.factor
                own = scaled_referee(referee, factor)
                pool = stack.enter_context(closing(Pool(1, own, log)))
            yield reply_on(pool, batch, factor)


def reply_on(pool: Pool, batch: Sequence[Job], factor: float) -> Reply:
    """The games of one task, or the traceback of an error that is ours."""
    began = time.monotonic()
    try:
        found = [values_of(scaled_record(each, factor)) for each in pool.run(iter(batch))]
    except Exception:
        return Reply([], 0.0, error=traceback.format_exc())
    return Reply(found, time.monotonic() - began)


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
            yield jobs.get(timeout=IDLE_SECONDS)


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
