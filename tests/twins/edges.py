"""Windows that end where a search's answers lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def edges(
    search: Callable[[int, int], int], value: int, infinite: int
) -> Iterator[tuple[int, int]]:
    """Windows of one point that end at a bound of the value: from far below it, then from above.

    Each bound is what `search`, which fails soft, said of a window further out: asked again with
    a window that ends there, it is likely to say the same, which is still no value.
    """
    low = -infinite
    while low < value:
        low = search(low, low + 1)
        yield low - 1, low
    high = infinite
    while high > value:
        high = search(high - 1, high)
        yield high, high + 1
