"""The running count of a tournament: results by players, colours and pairs of games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import nan
from typing import Any

import numpy as np

from arena.game import FAULTS
from arena.match.game_row import GameRow, pair_identity
from arena.match.hash_index import HashIndex
from arena.match.pairs import Results, pair_points
from arena.match.record import HALF_POINTS
from arena.report.numbers import elo_text, interval_text, marked, share_text
from arena.stats.changes import Estimate
from arena.stats.clustered import score_ends, superiority
from arena.stats.davidson import Floats
from arena.stats.elo import elo, elo_difference, score
from arena.stats.faults import FaultViews, alike, is_carried
from arena.stats.sample import Evidence, Points
from arena.storage.kept_games import Games

Counts = list[int]
"""Counts from the worst to the best: losses, draws, wins; or pairs by points, 0 to 4 halves."""
Seats = tuple[str, str, int, bool]
"""Of a game of a pair: both players, half points of the first, and whether a fault ended it."""
FIRST, REASON = GameRow._fields.index("first"), GameRow._fields.index("reason") + 1
"""The fields of a row that tell its result: players, winner and reason."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's result against all that it met.

    The interval, and LOS, take openings as independent of each other, not pairs: see
    `stats.clustered`.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    elo: float
    elo_low: float
    elo_high: float
    los: float
    distinct_pairs: int
    faults: int
    """Games that the player lost by faults of its own."""
    won_by_faults: int
    """Games that it won by faults of its opponents."""
    elo_without_faults: float
    """Elo without the pairs in which a fault ended a game; NaN if nothing is left."""
    elo_faults_drawn: float
    """Elo with the games that a fault ended as draws."""
    doubtful: bool
    """True if faults carry the Elo: see `arena.stats.faults`."""


def cells(row: Standing, has_faults: bool) -> dict[str, object]:
    """A player's row as people read it, live and in a report: the cells by their titles."""
    return {
        "name": row.name,
        "Elo": marked(elo_text(row.elo, row.elo_low, row.elo_high), row.doubtful),
        "95 %": interval_text(row.elo_low, row.elo_high),
        "score": share_text(row.score),
        "LOS": share_text(row.los),
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        **({"faults": row.faults} if has_faults else {}),
    }


def rows_for_people(rows: Sequence[Standing]) -> list[dict[str, object]]:
    """The players' rows as people read them; those of a run without faults have no such column."""
    has_faults = any(row.faults for row in rows)
    return [cells(row, has_faults) for row in rows]


class Tally:
    """The counts of a tournament, which grow as games are added, in any order."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(names)
        self.games = 0
        self.endings: Counter[tuple[str, int | None]] = Counter()
        """Games by (reason, winner)."""
        self.faults: dict[str, Counter[str]] = {name: Counter() for name in self.names}
        """Games that each player lost by its own faults, by their reasons."""
        self.won_by_faults: Counter[str] = Counter()
        """Games that each player won by faults of its opponents."""
        self.by_seat: dict[tuple[str, str], Counts] = defaultdict(lambda: [0, 0, 0])
        """The first player's losses, draws and wins by (first, second)."""
        self.by_pair: dict[tuple[str, str], Counts] = defaultdict(lambda: [0] * 5)
        """Distinct pairs by the player's points, by (player, opponent) from both views."""
        self.results = Results()
        """The complete pairs, copies included."""
        self.evidence: Counter[Evidence] = Counter()
        """Games of distinct pairs by (first, second, cluster, half points of the first)."""
        self.faulty: Counter[Evidence] = Counter()
        """Those of pairs in which a fault ended a game."""
        self.redeemed: Counter[Evidence] = Counter()
        """The same games, with those that a fault ended as draws."""
        self.singles = 0
        """Distinct games that count as evidence without another of their pair."""
        self.by_cluster: dict[str, dict[int, list[int]]] = {name: {} for name in self.names}
        """Half points and games of distinct pairs by player, then by cluster.

        Live standings ask for them again and again; `evidence` would have to be summed each time.
        """
        self._seen = HashIndex()

    def add(self, rows: Iterable[GameRow]) -> None:
        """Count games, and each pair once both its games are counted.

        Deterministic engines repeat themselves: pairs that are copies of others are no evidence.
        """
        results = Counter[tuple[Any, ...]]()
        pairs = Counter[tuple[int, int, Seats, Seats]]()
        for row in rows:
            results[row[FIRST:REASON]] += 1
            other = self.results.add(row)
            if other and self._is_new(pair := pair_identity(row, other)):
                points, cluster = pair_points(row, other), row.cluster or pair
                pairs[cluster, points, _seats(row), _seats(other)] += 1
        for (first, second, winner, reason), count in results.items():
            self._count(first, second, winner, reason, count)
        for (cluster, points, game, back), count in pairs.items():
            self._count_pair(cluster, points, game, back, count)

    def add_singles(self) -> None:
        """Count the distinct games without another of their pair as evidence as well.

        In most runs the other game is still to come; for games that were imported there is none.
        """
        for row in self.results.singles:
            if not self._is_new(pair := pair_identity(row, row)):
                continue
            self.singles += 1
            cluster, half = row.cluster or pair, row.half_points
            self.evidence[row.first, row.second, cluster, half] += 1
            if row.loser_by_fault:
                self._count_faulty(cluster, [_seats(row)], 1)
            for name, won in ((row.first, half), (row.second, 2 - half)):
                self._add_to_cluster(name, cluster, won, 1)

    def _is_new(self, identity: int) -> bool:
        """True the first time that this is asked of an identity."""
        if self._seen.get(identity) is not None:
            return False
        self._seen.put(identity, 1)
        return True

    def _count(self, first: str, second: str, winner: int | None, reason: str, games: int) -> None:
        """Count games of one result."""
        self.games += games
        self.endings[reason, winner] += games
        self.by_seat[first, second][HALF_POINTS[winner]] += games
        if winner is not None and reason in FAULTS:
            won, lost = (first, second) if winner == 1 else (second, first)
            self.faults[lost][reason] += games
            self.won_by_faults[won] += games

    def _count_pair(self, cluster: int, points: int, game: Seats, other: Seats, pairs: int) -> None:
        """Count distinct pairs of one result; the points are those of the first in `game`."""
        one, two, *_ = game
        self.by_pair[one, two][points] += pairs
        self.by_pair[two, one][4 - points] += pairs
        for first, second, half, _ in (game, other):
            self.evidence[first, second, cluster, half] += pairs
        if game[3] or other[3]:
            self._count_faulty(cluster, (game, other), pairs)
        for name, won in ((one, points), (two, 4 - points)):
            self._add_to_cluster(name, cluster, won * pairs, 2 * pairs)

    def _count_faulty(self, cluster: int, games: Iterable[Seats], times: int) -> None:
        """Count games that are no evidence of strength: a fault ended one of them."""
        for first, second, half, is_faulty in games:
            self.faulty[first, second, cluster, half] += times
            self.redeemed[first, second, cluster, 1 if is_faulty else half] += times

    def _add_to_cluster(self, name: str, cluster: int, won: int, games: int) -> None:
        """Add half points and games to those of a player in a cluster."""
        counts = self.by_cluster[name].setdefault(cluster, [0, 0])
        counts[0] += won
        counts[1] += games

    def results_of(self, name: str | None, seat: int | None = None) -> Counts:
        """Losses, draws and wins of a player (None: of all) in one seat, or in both."""
        seats = self.by_seat.items()
        first = (counts for (one, _), counts in seats if seat != 2 and name in (None, one))
        second = (counts[::-1] for (_, two), counts in seats if seat != 1 and name in (None, two))
        return added([0, 0, 0], *first, *second)

    def meetings(self, name: str, opponent: str) -> Counts:
        """A player's losses, draws and wins against one opponent."""
        there, back = self.by_seat[name, opponent], self.by_seat[opponent, name]
        return added(there, back[::-1])

    def pairs(self, name: str) -> Counts:
        """A player's distinct pairs, by points, against all that it met."""
        met = (counts for (player, _), counts in self.by_pair.items() if player == name)
        return added([0] * 5, *met)

    def standing(self, name: str) -> Standing:
        """A player's row."""
        (row,) = self.rows([name])
        return row

    def standings(self) -> list[Standing]:
        """Every player's row, the best score first; equals in the order of the config."""
        return sorted(self.rows(self.names), key=lambda row: -row.score if row.games else 1)

    def rows(self, names: Sequence[str]) -> Iterator[Standing]:
        """The rows of these players: games of all kinds, Elo and LOS from the distinct pairs."""
        clusters = self.clusters(names)
        played, without, drawn = clusters.map(_estimates)
        for i, chance in enumerate(superiority(*clusters.played)):
            losses, draws, wins = results = self.results_of(names[i])
            pairs = self.pairs(names[i])
            views = FaultViews(played[i], without[i], drawn[i])
            left = clusters.without[1][i].any()
            yield Standing(
                name=names[i],
                games=sum(results),
                wins=wins,
                draws=draws,
                losses=losses,
                score=score(results),
                elo=played[i].elo if self.singles else elo_difference(pairs),
                elo_low=played[i].low,
                elo_high=played[i].high,
                los=float(chance),
                distinct_pairs=sum(pairs),
                faults=self.faults[names[i]].total(),
                won_by_faults=self.won_by_faults[names[i]],
                elo_without_faults=without[i].elo if left else nan,
                elo_faults_drawn=drawn[i].elo,
                doubtful=is_carried(views),
            )

    def elo_views(self, name: str) -> FaultViews[Estimate]:
        """A player's Elo against all that it met, as played and without the help of faults."""
        return self.clusters([name]).map(lambda clusters: _estimates(clusters)[0])

    @property
    def evidence_views(self) -> FaultViews[Points]:
        """The evidence as it was played, without what faults ended, and with that as draws."""
        if not self.faulty:
            return alike(self.evidence)
        without = self.evidence - self.faulty
        return FaultViews(self.evidence, without, without + self.redeemed)

    def clusters(self, names: Sequence[str]) -> FaultViews[tuple[Floats, Floats]]:
        """Points and games of these players (rows) in each cluster (column)."""
        met = [self.by_cluster[name] for name in names]
        column: dict[Hashable, int] = {
            cluster: i for i, cluster in enumerate(dict.fromkeys(chain(*met)))
        }
        points, games = np.zeros((2, len(names), len(column)))
        for row, clusters in enumerate(met):
            for cluster, (won, count) in clusters.items():
                points[row, column[cluster]] = won / 2
                games[row, column[cluster]] = count
        if not self.faulty:
            return alike((points, games))
        place = {name: row for row, name in enumerate(names)}
        (lost, out), (redeemed, back) = (
            _summed(counts, place, column) for counts in (self.faulty, self.redeemed)
        )
        without = points - lost, games - out
        return FaultViews((points, games), without, (without[0] + redeemed, without[1] + back))


def tally_of(
    names: Sequence[str], runs: Mapping[str, Games], singles: Collection[str] = ()
) -> Tally:
    """The count of all games of some runs; in some of them, `singles` are evidence."""
    tally = Tally(names)
    for run, games in runs.items():
        tally.add(games.rows)
        if run in singles:
            tally.add_singles()
        # Pairs of another run are others, though their keys may be the same.
        tally.results = Results()
    return tally


def _seats(row: GameRow) -> Seats:
    """A game as one of its pair."""
    return row.first, row.second, row.half_points, bool(row.loser_by_fault)


def _summed(
    counts: Points, row: Mapping[str, int], column: Mapping[Hashable, int]
) -> tuple[Floats, Floats]:
    """Points and games of players in clusters, of both seats."""
    points, games = np.zeros((2, len(row), len(column)))
    for (first, second, cluster, half), count in counts.items():
        for name, own in ((first, half), (second, 2 - half)):
            if name in row:
                points[row[name], column[cluster]] += own / 2 * count
                games[row[name], column[cluster]] += count
    return points, games


def _estimates(clusters: tuple[Floats, Floats]) -> list[Estimate]:
    """The Elo of each row of points and games by cluster."""
    points, games = clusters
    ends = zip(*score_ends(points, games), strict=True)
    return [
        Estimate(elo(mean_score(points[i], games[i])), elo(float(low)), elo(float(high)))
        for i, (low, high) in enumerate(ends)
    ]


def mean_score(points: np.ndarray, games: np.ndarray) -> float:
    """The share of the points; one half for no games."""
    return float(points.sum() / games.sum()) if games.any() else 0.5


def added(*counts: Counts) -> Counts:
    """Counts added, kind by kind."""
    return list(map(sum, zip(*counts, strict=True)))
