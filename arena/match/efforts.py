"""What a player's moves in a game cost, in sums: taken once, when the game ends."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from arena.engine import Limit

NEAR = 0.1
"""Share of a limit of time that is left after a move, below which the move was near it."""
MIN_NODES, MIN_NODES_A_PLY = 10, 2
"""Nodes of a search, in all and for each ply of its depth, that had a choice to make."""
MICROSECONDS = 1_000_000


class Effort(NamedTuple):
    """The sums over a player's choices in a game. Times are in microseconds."""

    choices: int = 0
    time: int = 0
    nodes: float = 0.0
    time_with_nodes: int = 0  # Of the choices that told nodes
    searched: int = 0  # Choices by a search that, by its nodes, had more than one move to look at
    searched_depths: float = 0.0  # The depths of these
    deep: int = 0  # Choices of a depth above one, where no nodes are told
    deep_depths: float = 0.0
    overrun: int | None = None
    """The most time beyond the limit of a move, or beyond what the clock had left: negative if all
    ended before. None for a player whose time is not limited, or that never moved."""
    near: int = 0  # Choices that came near a limit of time


Efforts = tuple[Effort, Effort]
"""Those of both players, the first to move first."""
UNTIMED = Limit(), Limit()


def efforts_of(
    laid: int,
    times: Sequence[float],
    nodes: Sequence[float],
    depths: Sequence[float],
    limits: Sequence[Limit] = UNTIMED,
) -> Efforts:
    """The sums of both players, by their seconds, nodes and depths in turn after an opening.

    `laid` are the plies of that, and the limits those that both had at the start.
    """
    start = laid % 2
    first, second = slice(start, None, 2), slice(1 - start, None, 2)
    return (
        _effort(times[first], nodes[first], depths[first], limits[0]),
        _effort(times[second], nodes[second], depths[second], limits[1]),
    )


def _effort(
    times: Sequence[float], nodes: Sequence[float], depths: Sequence[float], limit: Limit
) -> Effort:
    """The sums of one player's choices, if it made any."""
    if not times:
        return Effort()
    time = told = time_with_nodes = searched_depths = deep_depths = 0.0
    searched = deep = 0
    for seconds, count, depth in zip(times, nodes, depths, strict=True):
        time += seconds
        if count:
            told += count
            time_with_nodes += seconds
        if depth > 0 and count >= MIN_NODES and count >= MIN_NODES_A_PLY * depth:
            searched += 1
            searched_depths += depth
        if depth > 1:
            deep += 1
            deep_depths += depth
    if told:
        deep, deep_depths = 0, 0.0
    overrun, near = None, 0
    if limit.seconds is not None or limit.time_left is not None:
        overrun, near = _overrun(times, limit)
    # By position: names would take as long as all the sums.
    shallow = len(times), _microseconds(time), told, _microseconds(time_with_nodes)
    return Effort(*shallow, searched, searched_depths, deep, deep_depths, overrun, near)


def _overrun(times: Sequence[float], limit: Limit) -> tuple[int, int]:
    over, is_near = [], [False] * len(times)
    if limit.seconds is not None:
        over.append(max(times) - limit.seconds)
        is_near = [time > (1 - NEAR) * limit.seconds for time in times]
    if limit.time_left is not None:
        whole, gained = limit.time_left, limit.increment or 0.0
        left = [whole + i * gained - spent for i, spent in enumerate(accumulate(times))]
        over.append(-min(left))
        is_near = [near or rest < NEAR * whole for near, rest in zip(is_near, left, strict=True)]
    return _microseconds(max(over)), sum(is_near)


def _microseconds(seconds: float) -> int:
    return round(MICROSECONDS * seconds)
