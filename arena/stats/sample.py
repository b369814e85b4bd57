"""Results by opening, in numbers: what ratings and their precision are computed from."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from arena.stats.davidson import Floats, Integers, Meetings

Evidence = tuple[str, str, Hashable, int]
"""Games of one kind: (first, second, opening, half points of the first)."""
Points = Mapping[Evidence, int]
"""The number of games of each kind."""


@dataclass(frozen=True)
class Sample:
    """Results by opening: `results` has a row, and `opening` a number, for each kind of result."""

    players: int
    openings: int
    results: Meetings
    opening: Integers


def sample_of(names: Sequence[str], points: Points) -> Sample:
    """The results in numbers."""
    player = {name: i for i, name in enumerate(names)}
    opening: dict[Hashable, int] = {}
    rows = [
        (player[first], player[second], opening.setdefault(start, len(opening)), half, games)
        for (first, second, start, half), games in points.items()
    ]
    first, second, number, half, games = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    results = Meetings(first, second, games.astype(float), games * half / 2, games * (half == 1.0))
    return Sample(len(names), len(opening), results, number)


def restricted(sample: Sample, kept: NDArray[np.bool_]) -> Sample:
    """The sample with some of its results only."""
    return replace(sample, results=rows_of(sample.results, kept), opening=sample.opening[kept])


def rows_of(results: Meetings, kept: NDArray[np.bool_]) -> Meetings:
    """Some of the results."""
    return Meetings(*(getattr(results, field.name)[kept] for field in fields(Meetings)))


def by_opening(sample: Sample) -> tuple[Floats, Floats]:
    """Points and games of each player (row) on each opening (column)."""
    found, shape = sample.results, (sample.players, sample.openings)
    games, points = np.zeros(shape), np.zeros(shape)
    np.add.at(games, (found.first, sample.opening), found.games)
    np.add.at(games, (found.second, sample.opening), found.games)
    np.add.at(points, (found.first, sample.opening), found.points)
    np.add.at(points, (found.second, sample.opening), found.games - found.points)
    return points, games
