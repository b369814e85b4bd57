"""The specification of shapes, word for word and slowly; a line is text of `X`, `O` and `_`.

Sets of stones are frozensets of cells; ranks are 0 (nothing) to 9 (five).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

FIVE, LIVE_FOUR, RUSH_FOUR = 9, 8, 7
NAMES = ["nothing", "rush one", "live one", "rush two", "live two", "rush three", "live three"]
NAMES += ["rush four", "live four", "five"]

Shape = frozenset[int]


def rank_weights(weights: Mapping[str, int]) -> list[int]:
    """An engine's parameters -> the weight of each rank."""
    names = ["one", "one", "rush_two", "live_two", "rush_three", "live_three"]
    return [0, *(weights[name] for name in (*names, "rush_four", "live_four", "five"))]


def at(line: str, cell: int) -> str:
    """The cell's content; the edge counts as an opponent's stone."""
    return line[cell] if 0 <= cell < len(line) else "O"


@lru_cache(maxsize=1000)
def sets(line: str, exact: bool) -> dict[Shape, int]:
    """Every shape of X in the line with its rank; double fours are left out."""
    found: dict[Shape, int] = {}
    for first in range(-1, len(line)):
        live = range(first, first + 4)
        fence = (first - 1, first + 4)
        beyond = (first - 2, first + 5)
        if (
            "O" not in [at(line, c) for c in live]
            and all(at(line, c) == "_" for c in fence)
            and not (exact and "X" in [at(line, c) for c in beyond])
        ):
            keep(found, line, live, 0)
        rush = range(first, first + 5)
        fence = (first - 1, first + 5)
        if "O" not in [at(line, c) for c in rush] and not (
            exact and "X" in [at(line, c) for c in fence]
        ):
            keep(found, line, rush, -1)
    return found


def keep(found: dict[Shape, int], line: str, window: range, below: int) -> None:
    """Note the window's stones under their rank, if they have no higher one."""
    stones = frozenset(c for c in window if at(line, c) == "X")
    if stones:
        found[stones] = max(found.get(stones, 0), 2 * len(stones) + below)


def completing(line: str, stones: Shape, exact: bool) -> set[int]:
    """The cells that make a five of these four."""
    return {
        cell
        for cell in range(max(0, min(stones) - 1), min(len(line), max(stones) + 2))
        if line[cell] == "_"
        and sets(line[:cell] + "X" + line[cell + 1 :], exact).get(stones | {cell}) == FIVE
    }


def double_fours(line: str, exact: bool) -> list[tuple[Shape, Shape]]:
    """Pairs of rush fours that share a stone and are completed by different cells."""
    fours = [s for s, rank in sets(line, exact).items() if rank == RUSH_FOUR]
    return [
        (a, b)
        for a, b in combinations(fours, 2)
        if a & b and completing(line, a, exact) != completing(line, b, exact)
    ]


def point_code(line: str, cell: int, exact: bool) -> int:
    """The rank of X's stone at the cell, or of the stone that an empty cell would take."""
    line = line[:cell] + "X" + line[cell + 1 :]
    rank = max((r for s, r in sets(line, exact).items() if cell in s), default=0)
    if rank == RUSH_FOUR and any(cell in a & b for a, b in double_fours(line, exact)):
        return LIVE_FOUR
    return rank


@lru_cache(maxsize=100_000)
def line_shapes(line: str, exact: bool) -> tuple[int, ...]:
    """The number of shapes of each rank, from 0 to 9, in the line's greatest split."""
    ranks = dict(sets(line, exact))
    for a, b in double_fours(line, exact):
        ranks[a | b] = max(ranks.get(a | b, 0), LIVE_FOUR)
    best = greatest(tuple(sorted(ranks.items(), key=lambda item: -item[1])))
    return tuple(best.count(rank) for rank in range(10))


def greatest(shapes: tuple[tuple[Shape, int], ...]) -> list[int]:
    """The ranks, sorted downwards, of the greatest choice of disjoint sets; tries them all."""
    best: list[int] = []
    for index, (stones, rank) in enumerate(shapes):
        if best and rank < best[0]:
            break
        rest = tuple((s, r) for s, r in shapes[index + 1 :] if not s & stones)
        best = max(best, [rank, *greatest(rest)])
    return best
