"""A function of whole numbers on the machines of a cluster: its results in the order of these."""

from __future__ import annotations

import pickle
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from itertools import count
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from arena.cluster.dispatcher import Dispatcher, Kind
from arena.cluster.numbers.child import NumberJob, NumberWork, live
from arena.cluster.task import RunProcesses
from arena.cluster.worker_monitor import WorkerMonitor, check_machines
from arena.errors import ConfigError
from arena.processes.in_order import AHEAD

T = TypeVar("T")


class NumberResult(NamedTuple):
    """A number, and what the function gave for it; a ConfigError if it raised that."""

    number: int
    found: Any


class Singles(Generic[T]):
    """Jobs as they come, each alone."""

    def __init__(self, jobs: Iterator[T | None]) -> None:
        self._jobs = jobs

    def __iter__(self) -> Iterator[tuple[T]]:
        """The jobs that there are for now."""
        while (job := next(self._jobs, None)) is not None:
            yield (job,)


def _result_from(values: tuple[Any, ...], machine: str) -> NumberResult:
    """A number with its result, found on any of the machines."""
    number, pickled = values
    return NumberResult(number, pickle.loads(pickled))


NUMBERS: Kind[NumberJob, NumberResult] = Kind(
    Singles, attrgetter("number"), _result_from, partial(RunProcesses, life=live)
)


def numbers_in_order(
    monitor: WorkerMonitor, work: NumberWork[T], start: int
) -> Generator[tuple[int, T]]:
    """The numbers from `start` on, each with the result of `work`, without end.

    Close the generator to end at once. Raises the ConfigError that the work raises anywhere, and
    one with a table, before the first number, if machines differ or cannot build a player.
    """
    check_machines(monitor, work, NUMBERS.processes)
    wanted, done = start, dict[int, T]()

    def jobs() -> Iterator[NumberJob | None]:
        for number in count(start):
            while number - wanted >= AHEAD * max(1, monitor.seen.slots):
                yield None
            yield NumberJob(number)

    with closing(Dispatcher(monitor, NUMBERS, work, None)) as dispatcher:
        for result in dispatcher.run(jobs()):
            if isinstance(result.found, ConfigError):
                raise result.found
            done[result.number] = result.found
            while wanted in done:
                yield wanted, done.pop(wanted)
                wanted += 1
