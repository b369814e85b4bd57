"""Large sweeps: a tenth of their cases, and all of them under `pytest -m sweep`.

A fault that a sweep finds shows in a tenth of it most of the time, and in the small samples that
the quick tests take. A test that calls these functions is marked `sweep` beside `slow`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

TENTH, WHOLE = 10, 1
step = TENTH
"""One case of so many is tried; `conftest.py` sets it."""


def cases(count: int) -> int:
    """The number of cases to try of so many."""
    return -(-count // step)


def sampled(items: Iterable[T], start: int = 0) -> Iterator[T]:
    """The cases to try: every tenth, or all. Another `start` gives another tenth."""
    return islice(items, start % step, None, step)
