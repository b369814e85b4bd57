"""Large sweeps: a tenth of their cases, and all of them under `pytest -m sweep`.

A fault that a sweep finds shows in a tenth of it most of the time, and in the small samples that
the quick tests take. A test that calls these functions is marked `sweep` beside `slow`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")
QUARTER, TENTH, WHOLE = 4, 10, 1
step = TENTH  # one case of this number is tried; `conftest.py` sets it
turn = int(os.environ.get("ARENA_TEST_TURN", "0"))  # a number that is one more at each commit


def cases(count: int) -> int:
    return -(-count // step)


def sampled(items: Iterable[T]) -> Iterator[T]:
    """The cases to try: every tenth, or all."""
    return islice(items, 0, None, step)


def in_turn(items: Iterable[T], offset: int = 0) -> list[T]:
    """The different cases whose turn it is: a tenth and at least one, or all.

    `.ci/run` gives each commit a turn of its own, and runs a quarter of the tests. So the cases
    stay for four turns, and forty commits one after the other try all.
    """
    cases = [*items]
    return cases[(turn // QUARTER + offset) % min(step, len(cases)) :: step]


def is_quarter_in_turn(test: str) -> bool:
    """True in one of four turns one after the other, for the name of a test."""
    return crc32(test.encode()) % QUARTER == turn % QUARTER
