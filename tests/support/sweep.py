"""Large sweeps: a tenth of their cases, and all of them under `pytest -m sweep`.

A fault that a sweep finds shows in a tenth of it most of the time, and in the small samples that
the quick tests take. A test that calls these functions is marked `sweep` beside `slow`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

THIRD, TENTH, WHOLE = 3, 10, 1
step = TENTH
"""One case of this number is tried; `conftest.py` sets it."""
turn = int(os.environ.get("ARENA_TEST_TURN", "0"))
"""The number of the tenth that `in_turn` takes, and of the third that `third_in_turn` takes."""


def cases(count: int) -> int:
    """The number of cases to try, of `count` in all."""
    return -(-count // step)


def sampled(items: Iterable[T]) -> Iterator[T]:
    """The cases to try: every tenth, or all."""
    return islice(items, 0, None, step)


def in_turn(items: Iterable[T], offset: int = 0) -> list[T]:
    """The different cases whose turn it is: a tenth and at least one, or all.

    `.ci/run` gives each commit a turn of its own, so that ten landings one after the other try all.
    """
    cases = [*items]
    return cases[(turn + offset) % min(step, len(cases)) :: step]


def third_in_turn(items: Iterable[T]) -> list[T]:
    """Every third of the items; three turns one after the other take all."""
    return [*items][turn % THIRD :: THIRD]
