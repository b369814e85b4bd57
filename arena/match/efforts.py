"""What a player's moves in a game cost, in sums: taken once, when the game ends."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from arena.engine import Limit
from arena.match.record import GameRecord

NEAR = 0.1
"""Share of a limit of time that is left after a move, below which the move was near it."""
MIN_NODES, MIN_NODES_A_PLY = 10, 2
"""Nodes of a search, in all and for each ply of its depth, that had a choice to make."""
MICROSECONDS = 1_000_000


class Effort(NamedTuple):
    """The sums over a player's choices in a game. Times are in microseconds."""

    choices: int = 0
    time: float = 0.0
    nodes: float = 0.0
    time_with_nodes: float = 0.0
    """Of the choices that told nodes."""
    searched: int = 0
    """Choices by a search that, by its nodes, had more than one move to look at."""
    searched_depths: float = 0.0
    """The depths of these."""
    deep: int = 0
    """Choices of a depth above one, for players that tell no nodes."""
    deep_depths: float = 0.0
    overrun: float | None = None
    """The most time beyond the limit of a move, or beyond what the clock had left: negative if all
    ended before. None for a player whose time is not limited, or that never moved."""
    near: int = 0
    """Choices that came near a limit of time."""


def efforts_of(record: GameRecord, limits: Sequence[Limit]) -> tuple[Effort, Effort]:
    """The sums of both seats, whose players had these limits.

    ValueError if the record has other than as many numbers of times, nodes and depths.
    """
    times = [round(MICROSECONDS * float(word)) for word in record.times.split()]
    nodes = list(map(float, record.nodes.split()))
    depths = list(map(float, record.depths.split()))
    if not len(times) == len(nodes) == len(depths):
        raise ValueError("not as many nodes or depths as times")
    laid = len(record.opening.split())
    first, second = (
        _effort(times[start::2], nodes[start::2], depths[start::2], limit)
        for start, limit in zip((laid % 2, 1 - laid % 2), limits, strict=True)
    )
    return first, second


def _effort(
    times: Sequence[int], nodes: Sequence[float], depths: Sequence[float], limit: Limit
) -> Effort:
    """The sums of one player's choices."""
    if not times:
        return Effort()
    whole = sum(times)
    searched = [
        depth
        for depth, count in zip(depths, nodes, strict=True)
        if depth > 0 and count >= MIN_NODES and count >= MIN_NODES_A_PLY * depth
    ]
    deep = [depth for depth in depths if depth > 1]
    told = whole if all(nodes) else sum([t for t, n in zip(times, nodes, strict=True) if n > 0])
    overrun, near = _overrun(times, limit)
    return Effort(
        *(len(times), whole, sum(nodes), told),
        *(len(searched), sum(searched), len(deep), sum(deep)),
        *(overrun, near),
    )


def _overrun(times: Sequence[int], limit: Limit) -> tuple[float | None, int]:
    """The greatest overrun, and the number of choices near a limit."""
    over, is_near = [], [False] * len(times)
    if limit.seconds is not None:
        most = MICROSECONDS * limit.seconds
        over.append(max(times) - most)
        is_near = [time > (1 - NEAR) * most for time in times]
    if limit.time_left is not None:
        whole = MICROSECONDS * limit.time_left
        gained = MICROSECONDS * (limit.increment or 0.0)
        left = [whole + i * gained - spent for i, spent in enumerate(accumulate(times))]
        over.append(-min(left))
        is_near = [near or rest < NEAR * whole for near, rest in zip(is_near, left, strict=True)]
    return (max(over) if over else None), sum(is_near)
