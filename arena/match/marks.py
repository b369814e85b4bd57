"""Numbers of 64 bits that stand for games and pairs, and a table of many of them.

They are made of Python's hashes, so that they differ from process to process. Two of a million
games share one by chance once in some ten million times.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Marks = NDArray[np.uint64]
Mark = TypeVar("Mark", int, Marks)

WORD = 2**64 - 1
FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)
"""Odd numbers without a pattern, one for each fact."""
RECENT = 1 << 14
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
    """Holds a number for each of many marks, in 16 bytes an entry: a dict takes 150."""

    def __init__(self) -> None:
        self._recent: dict[int, int] = {}
        self._marks = np.empty(0, np.uint64)
        self._values = np.empty(0, np.uint64)

    def get(self, mark: int) -> int | None:
        """The number of a mark; None for a mark without one."""
        found = self._recent.get(mark)
        if found is None and len(self._marks):
            place = int(self._marks.searchsorted(np.uint64(mark)))
            if place < len(self._marks) and self._marks[place] == mark:
                return int(self._values[place])
        return found

    def put(self, mark: int, value: int) -> None:
        """Note a number; of a mark that has one, the last counts."""
        self._recent[mark] = value
        if len(self._recent) == RECENT:
            self._sort()

    def put_all(self, marks: Marks, values: Marks) -> None:
        """Note many numbers."""
        self._sort()
        order = np.argsort(marks, kind="stable")
        places = self._marks.searchsorted(marks[order])
        self._marks = np.insert(self._marks, places, marks[order])
        self._values = np.insert(self._values, places, values[order])

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
                np.fromiter(recent.values(), np.uint64, count),
            )
