"""Openings on which one player had the better of another in a run, and the other in a second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.match.game_row import in_pairs, pair_identity
from arena.match.pairs import pair_points
from arena.match.record import key, split_opening
from arena.stats.rounding import rounded
from arena.storage.kept_games import Games

FULL = 4
"""Half points of a pair."""
OpeningPoints = dict[tuple[str, str], dict[str, list[int]]]
"""Half points of the first of two players in each distinct pair, by the opening."""


@dataclass(frozen=True, slots=True)
class ChangedOpening:
    """An opening that two players played in both runs, and each won in one run."""

    opening: str
    """Its moves; where players made it, the stones that were suggested."""
    one: str
    """The player that had more of the points in the first run, and less in the second."""
    other: str
    before: float
    """The share of the points of `one` in the first run."""
    pairs_before: int
    after: float
    pairs_after: int


@dataclass(frozen=True, slots=True)
class SharedOpenings:
    """The openings that pairings of two runs have in common."""

    shared: int
    """Pairings on an opening, in both runs."""
    decided: int
    """The openings of which a player had the better in both."""
    changed: Sequence[ChangedOpening]
    """The openings of which another player had the better in the second; widest change first."""


def opening_points(games: Games) -> OpeningPoints:
    """What a run's pairs took on each opening; copies of a pair count once."""
    points: OpeningPoints = {}
    seen = set[int]()
    openings = {
        row.id: key(record)[2] for row, record in zip(games.rows, games.records(), strict=True)
    }
    for row, other in in_pairs(games.rows):
        if (pair := pair_identity(row, other)) not in seen:
            seen.add(pair)
            first, half_points = row.result.first, pair_points(row.result, other.result)
            one, two = sorted((first, row.result.second))
            starts = points.setdefault((one, two), {})
            taken = half_points if first == one else FULL - half_points
            starts.setdefault(openings[row.id], []).append(taken)
    return points


def shared_openings(before: OpeningPoints, after: OpeningPoints) -> SharedOpenings:
    """The openings that were played by two players in both runs, and what changed on them."""
    shared, decided, changed = 0, 0, list[ChangedOpening]()
    for meeting, starts in before.items():
        later = after.get(meeting, {})
        for start, points in starts.items():
            if start not in later:
                continue
            shared += 1
            one, other = _share(points), _share(later[start])
            decided += one != 0.5 and other != 0.5
            if (one - 0.5) * (other - 0.5) < 0:
                names = meeting if one > 0.5 else meeting[::-1]
                shares = (one, other) if one > 0.5 else (1 - one, 1 - other)
                counts = len(points), len(later[start])
                changed.append(
                    ChangedOpening(
                        split_opening(start)[1], *names,
                        shares[0], counts[0], shares[1], counts[1],
                    )
                )  # fmt: skip
    return SharedOpenings(
        shared, decided, sorted(changed, key=lambda row: rounded(row.after - row.before))
    )


def _share(points: Sequence[int]) -> float:
    """The share of the points of the first of both players, by half points in each pair."""
    return sum(points) / (FULL * len(points))
