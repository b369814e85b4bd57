"""Numbers of 64 bits that stand for games and pairs, and a table of many of them.

They are made of Python's hashes, so that they differ from process to process. Two of a million
games share one by chance once in some ten million times, and two of half a million pairs, of which
57 bits are kept, once in a million. Then a game is taken for a copy, or for played; the next
process, whose hashes are others, counts right.
"""

from __future__ import annotations

from collections.abc import Iterable
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Marks = NDArray[np.uint64]
Mark = TypeVar("Mark", int, Marks)

WORD = 2**64 - 1
FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)
"""Odd numbers without a pattern, one for each fact."""
RECENT = 1 << 13
"""Entries of a table that are not sorted yet."""


def mark(*facts: Mark) -> Mark:
    """The mark of up to four facts in this order, each a hash below 2 ** 64, or arrays of these."""
    found: Any = 0
    for fact, factor in zip(facts, FACTORS, strict=False):
        found = found + fact * factor
    return found & WORD  # type: ignore[no-any-return]


def hash_of(value: object) -> int:
    """Python's hash as a number that is not negative."""
    return hash(value) & WORD


def hashes(values: Iterable[object], count: int) -> Marks:
    """The hashes of many values, of which there are `count`."""
    return np.fromiter(map(hash, values), np.int64, count).view(np.uint64)


class MarkTable:
    """Holds a whole number for each of many marks, in 16 bytes an entry: a dict takes 150."""

    def __init__(self, values: type[np.uint64 | np.uint8] = np.uint64) -> None:
        """Hold values of this type."""
        self._recent: dict[int, int] = {}
        self._marks: Marks = np.empty(0, np.uint64)
        self._values: NDArray[Any] = np.empty(0, values)

    def get(self, mark: int) -> int | None:
        """The number of a mark; None for a mark without one."""
        found = self._recent.get(mark)
        if found is None and len(self._marks):
            place = int(self._marks.searchsorted(np.uint64(mark)))
            if place < len(self._marks) and self._marks[place] == mark:
                return int(self._values[place])
        return found

    def put(self, mark: int, value: int) -> None:
        """Note a number; if the mark has one, this takes its place."""
        self._recent[mark] = value
        if len(self._recent) == RECENT:
            self._sort()

    def put_all(self, marks: Marks, values: NDArray[Any]) -> None:
        """Note many numbers, of marks that are all different."""
        self._sort()
        order = np.argsort(marks, kind="stable")
        places = self._marks.searchsorted(marks[order]) + np.arange(len(marks))
        self._marks = inserted(self._marks, marks[order], places)
        self._values = inserted(self._values, values[order], places)

    def has(self, marks: Marks) -> NDArray[np.bool_]:
        """True for each of these marks that has a number."""
        self._sort()
        if not len(self._marks):
            return np.zeros(len(marks), np.bool_)
        places = np.minimum(self._marks.searchsorted(marks), len(self._marks) - 1)
        found: NDArray[np.bool_] = self._marks[places] == marks
        return found

    def _sort(self) -> None:
        """Put the recent entries in their places."""
        if recent := self._recent:
            self._recent = {}
            count = len(recent)
            self.put_all(
                np.fromiter(recent.keys(), np.uint64, count),
                np.fromiter(recent.values(), self._values.dtype, count),
            )


def inserted(old: NDArray[Any], new: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
    """Old values with new ones between them, which get these places."""
    size = len(old) + len(new)
    # Memory of its own, which the system gets back: a heap would keep the holes of smaller arrays.
    room = mmap(-1, max(size * old.dtype.itemsize, 1), MAP_PRIVATE | MAP_ANONYMOUS)
    found = np.frombuffer(room, old.dtype, size)
    is_old = np.ones(size, np.bool_)
    is_old[places] = False
    found[places] = new
    found[is_old] = old
    return found
