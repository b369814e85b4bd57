"""A number for each of many digests, in 16 bytes an entry: a dict takes 150."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

RECENT = 1 << 13
"""Entries that are not sorted yet."""


class HashIndex:
    """Holds a number of 64 bits for each of many others."""

    def __init__(self, keys: Iterable[int] = ()) -> None:
        """`keys` have the number 1."""
        self._recent: dict[int, int] = {}
        self._keys: Integers = np.sort(np.fromiter(keys, np.int64))
        self._values: Integers = np.ones(len(self._keys), np.int64)

    def __contains__(self, key: int) -> bool:
        return self.get(key) is not None

    def get(self, key: int) -> int | None:
        """The number of a key; None for one without."""
        value = self._recent.get(key)
        if value is None and len(self._keys):
            place = int(self._keys.searchsorted(key))
            if place < len(self._keys) and self._keys[place] == key:
                return int(self._values[place])
        return value

    def put(self, key: int, value: int) -> None:
        """Note a number; if the key has one, this takes its place."""
        self._recent[key] = value
        if len(self._recent) == RECENT:
            self._sort()

    def _sort(self) -> None:
        keys = np.concatenate([self._keys, np.fromiter(self._recent, np.int64)])
        values = np.concatenate([self._values, np.fromiter(self._recent.values(), np.int64)])
        self._recent = {}
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], values[order]
        is_last = np.append(keys[1:] != keys[:-1], True)
        self._keys, self._values = keys[is_last], values[is_last]
