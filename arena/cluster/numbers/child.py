"""A process beside a dask worker that computes a function of whole numbers.

It forks another one that does so, by the rules of `processes/in_order.py`: as at home, one that an
engine kills is replaced, and memory is limited.
"""

from __future__ import annotations

import pickle
import queue
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from threading import Thread
from typing import Any, NamedTuple, Protocol, TypeVar

from arena.cluster.child import take_batches, until_idle
from arena.cluster.messages import ClusterWork, Order, Reply
from arena.config.settings import Player
from arena.errors import ConfigError
from arena.match.terms import WORKER_MEMORY
from arena.processes.child import ValuePipe
from arena.processes.in_order import NumberPool

T_co = TypeVar("T_co", covariant=True)


class NumberWork(ClusterWork, Protocol[T_co]):
    """A function of whole numbers that players compute, as it travels to a machine."""

    def adapted(self, change: Callable[[Player], Player]) -> NumberWork[T_co]:
        """Work by changed players, whose files lie elsewhere there."""

    def ready(self) -> Callable[[int], T_co]:
        """The function. Raises ConfigError if a player cannot be built, or does not serve."""


class NumberJob(NamedTuple):
    """A number that is to be given out."""

    number: int

    def __str__(self) -> str:
        return f"number {self.number}"


def live(pipe: ValuePipe, order: Order) -> None:
    """Try the players, then compute what comes: the process's whole life."""
    batches: queue.Queue[Sequence[NumberJob]] = queue.Queue()
    Thread(target=take_batches, args=(pipe, batches), daemon=True).start()
    with suppress(BrokenPipeError):
        sys.path[:0] = order.manifest.import_paths()
        work: NumberWork[Any] = pickle.loads(order.work)
        try:
            function = work.adapted(order.manifest.moved_player).ready()
        except ConfigError as error:
            faults = tuple((name, str(error)) for name in work.players)
            pipe.send(Reply([], 0.0, fault=str(error), faults=faults))
            return
        pipe.send(Reply([], 0.0))
        with closing(NumberPool(function, 1, WORKER_MEMORY)) as pool:
            is_well = True
            while is_well and (batch := next(until_idle(batches), None)):
                reply, is_well = _reply_on(pool, batch)
                pipe.send(reply)


def _reply_on(pool: NumberPool[Any], batch: Sequence[NumberJob]) -> tuple[Reply, bool]:
    """The results of one task, or the traceback of an error that is ours; and True if the pool can
    go on.

    Results go as pickles, of whose classes the worker between knows nothing.
    """
    began = time.monotonic()
    try:
        found = list(_results_on(pool, batch))
    except Exception:
        return Reply([], 0.0, error=traceback.format_exc()), False
    is_well = not any(isinstance(result, ConfigError) for _, result in found)
    pickles = [(number, pickle.dumps(result)) for number, result in found]
    return Reply(list[tuple[Any, ...]](pickles), time.monotonic() - began), is_well


def _results_on(pool: NumberPool[Any], batch: Sequence[NumberJob]) -> Iterator[tuple[int, object]]:
    """Each number of a task with its result; a ConfigError is one, and the last."""
    for job in batch:
        pool.give(job.number)
        try:
            yield job.number, _result_of(pool)
        except ConfigError as error:
            yield job.number, ConfigError(str(error))
            return


def _result_of(pool: NumberPool[Any]) -> Any:
    """The result of the number that was given, by the first process that lives to tell it."""
    while not (found := pool.results()):
        pass
    (result,) = found.values()
    return result
