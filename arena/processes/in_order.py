"""A function of whole numbers, computed by forked processes: its results in the order of these."""

from __future__ import annotations

import os
import traceback
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from pickle import UnpicklingError
from typing import Generic, TypeVar

from arena.errors import ConfigError
from arena.processes.child import Child, ValuePipe, confine, mute, ready_ends

T = TypeVar("T")

AHEAD = 64
"""Numbers for each process that are given out before the result of the first of them is there."""
MOST_DEATHS = 3  # Processes that may end at one number


@dataclass(frozen=True, slots=True)
class Raised:
    """The text of an exception that is ours, from another process."""

    text: str


def in_order(
    work: Callable[[int], T], start: int, workers: int, megabytes: int
) -> Generator[tuple[int, T]]:
    """The numbers from `start` on, each with the result of `work`, without end.

    Each process may take `megabytes`; with no workers, all is computed in this process. A number
    whose process was killed is given to a new one. Close the generator to end at once.
    Raises the ConfigError that `work` raises, and one if processes keep ending at one number.
    """
    if workers == 0:
        yield from ((number, work(number)) for number in count(start))
    with closing(NumberPool(work, workers, megabytes)) as pool:
        given, wanted, done = count(start), start, dict[int, T]()
        while True:
            while len(done) + len(pool.at_work) < AHEAD * workers and pool.free:
                pool.give(next(given))
            done.update(pool.results())
            while wanted in done:
                yield wanted, done.pop(wanted)
                wanted += 1


class NumberPool(Generic[T]):
    def __init__(self, work: Callable[[int], T], workers: int, megabytes: int) -> None:
        self._work = work
        self._megabytes = megabytes
        self._deaths = Counter[int]()
        self.free: list[Child] = []
        self.at_work: dict[Child, int] = {}
        try:
            for _ in range(workers):
                self.free.append(self._new_child())
        except BaseException:
            self.close()
            raise

    def _new_child(self) -> Child:
        return Child.forked(_answer_numbers, self._work, self._megabytes, os.getpid())

    def give(self, number: int) -> None:
        child = self.free.pop()
        self.at_work[child] = number
        child.send(number)

    def results(self) -> dict[int, T]:
        """Wait for a result or more; a process that has ended instead is replaced."""
        ends = {end: each for each in self.at_work for end in (each.pipe.fileno(), each.death)}
        ready = {ends[end] for end in ready_ends(ends, None)}
        results = dict[int, T]()
        for child in ready:
            number = self.at_work.pop(child)
            try:
                result = child.receive()
            except (EOFError, OSError, UnpicklingError):
                self._replace(child, number)
                continue
            self.free.append(child)
            if isinstance(result, ConfigError):
                raise result
            if isinstance(result, Raised):
                raise RuntimeError(f"a worker failed at number {number}:\n{result.text}")
            results[number] = result
        return results

    def _replace(self, child: Child, number: int) -> None:
        child.await_end()
        code = child.end()
        self._deaths[number] += 1
        if self._deaths[number] >= MOST_DEATHS:
            message = f"{MOST_DEATHS} processes have ended at number {number}, exit code {code}"
            raise ConfigError(message)
        self.free.append(self._new_child())
        self.give(number)

    def close(self) -> None:
        for child in [*self.free, *self.at_work]:
            child.end()


def _answer_numbers(
    pipe: ValuePipe, work: Callable[[int], object], megabytes: int, parent: int
) -> None:
    """Answer the numbers that come until the pipe closes: the process's whole life."""
    confine(parent, megabytes)
    mute()
    with suppress(EOFError, OSError):
        while True:
            number = pipe.receive()
            result: object
            try:
                result = work(number)
            except ConfigError as error:
                result = ConfigError(str(error))
            except Exception:
                result = Raised(traceback.format_exc())
            pipe.send(result)
