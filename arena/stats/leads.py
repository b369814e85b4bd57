"""The likelihood that one player is better than another, by their games with many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

import numpy as np

from arena.stats.clustered import superiority
from arena.stats.sample import Points


def lead_los(evidence: Points, one: str, other: str) -> float:
    """The likelihood that `one` is better than `other`, by their games with these players.

    It rests on their points against each other, and against opponents that both met, opening by
    opening: a point that `other` lost counts as one that `one` won. Where one of the two met
    an opponent more often, its games count for less, so that both sides weigh as much.
    """
    common = {*_opponents(evidence, one)} & {*_opponents(evidence, other)} | {one, other}
    views = [
        (*seen, cluster, games)
        for (first, second, cluster, half_points), games in evidence.items()
        for seen in ((first, second, half_points / 2), (second, first, 1 - half_points / 2))
        if seen[0] in (one, other) and seen[1] in common
    ]
    met = Counter[tuple[str, str]]()
    for player, opponent, _, _, games in views:
        met[player, opponent] += games
    found: dict[Hashable, list[float]] = {}
    for player, opponent, points, cluster, games in views:
        fewest = min(n for each in (one, other) if (n := met[each, opponent]))
        # Half: each game of both with each other is seen from both sides.
        weight = games / 2 * fewest / met[player, opponent]
        counts = found.setdefault(cluster, [0.0, 0.0])
        counts[0] += weight * (points if player == one else 1 - points)
        counts[1] += weight
    won, played = np.array(list(found.values()) or [[0.0, 0.0]]).T
    return float(superiority(won[None, :], played[None, :])[0])


def _opponents(evidence: Points, name: str) -> Iterator[str]:
    """The players that one has met."""
    for first, second, *_ in evidence:
        if name in (first, second):
            yield second if name == first else first
