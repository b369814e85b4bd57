"""The running count of a tournament: results by players, colours and pairs of games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import nan
from sys import intern
from typing import NamedTuple

import numpy as np

from arena.match.columns import Games, Integers, PairPlaces, distinct, is_first
from arena.match.marks import Marks, MarkTable
from arena.match.pairs import (
    Results,
    identities_of_pairs,
    identity,
    pair_points,
    points_of_first,
    points_of_pairs,
)
from arena.match.record import HALF_POINTS, GameRecord, at_fault
from arena.report.numbers import elo_text, interval_text, marked, share_text
from arena.stats.changes import Estimate
from arena.stats.clustered import score_ends, superiority
from arena.stats.davidson import Floats
from arena.stats.elo import elo, elo_difference, score
from arena.stats.faults import FaultViews, alike, is_carried
from arena.stats.sample import Points

Counts = list[int]
"""Counts from the worst to the best: losses, draws, wins; or pairs by points, 0 to 4 halves."""


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


class OfPair(NamedTuple):
    """One of the two games of a pair."""

    first: str
    second: str
    points: int
    """Half points of the first player."""
    is_turned: bool
    """True if its players are the other way round in its `key`."""
    is_faulty: bool
    """True if a player's fault ended it."""


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
        self.evidence: Counter[tuple[str, str, str, int]] = Counter()
        """Games of distinct pairs by (first, second, cluster, half points of the first)."""
        self.faulty: Counter[tuple[str, str, str, int]] = Counter()
        """Those of pairs in which a fault ended a game."""
        self.redeemed: Counter[tuple[str, str, str, int]] = Counter()
        """The same games, with those that a fault ended as draws."""
        self.singles = 0
        """Distinct games that count as evidence without another of their pair."""
        self.by_cluster: dict[str, dict[str, list[int]]] = {name: {} for name in self.names}
        """Half points and games of distinct pairs by player, then by cluster.

        Live standings ask for them again and again; `evidence` would have to be summed each time.
        """
        self._pairs_seen = MarkTable(np.uint8)

    def add(self, record: GameRecord) -> None:
        """Count one game, and its pair if the other game of it came before."""
        self._count(record.first, record.second, record.winner, record.reason, at_fault(record))
        if other := self.results.add(record):
            pair = identity(record, other)
            if self._pairs_seen.get(pair) is None:
                self._pairs_seen.put(pair, 1)
                cluster = cluster_of(record, pair)
                points = pair_points(record, other)
                self._count_pair(cluster, points, of_pair(record), of_pair(other))

    def add_games(self, games: Games, has_singles: bool = False) -> None:
        """Count many games, both of each pair among them.

        Where a game may have none, or its other is still to come, `has_singles` counts each
        distinct single one as evidence as well.
        """
        players, loser = games.players, games.loser
        kinds = distinct(games.first, games.second, games.winner, games.reason, loser)
        for first, second, winner, reason, lost, count in kinds:
            seats, by_fault = (players[first], players[second]), players[lost] if lost >= 0 else ""
            self._count(*seats, winner or None, games.words[reason], by_fault, count)
        self.results.add_games(games)
        self._count_pairs(games)
        if has_singles:
            self._count_singles(games)

    def _count(
        self, first: str, second: str, winner: int | None, reason: str, loser: str, games: int = 1
    ) -> None:
        """Count games of one result; the loser is the player that lost them by its own fault."""
        self.games += games
        self.endings[reason, winner] += games
        self.by_seat[first, second][HALF_POINTS[winner]] += games
        if loser:
            self.faults[loser][reason] += games
            self.won_by_faults[first if loser == second else second] += games

    def _count_pair(
        self, cluster: str, points: int, game: OfPair, other: OfPair, pairs: int = 1
    ) -> None:
        """Count pairs of one result, whose games were not counted before: copies are no evidence.

        Deterministic engines repeat themselves. The points are those of the player that the game
        is by its `key`.
        """
        one, two = (game.first, game.second)[:: -1 if game.is_turned else 1]
        self.by_pair[one, two][points] += pairs
        self.by_pair[two, one][4 - points] += pairs
        for each in (game, other):
            self.evidence[each.first, each.second, cluster, each.points] += pairs
        if game.is_faulty or other.is_faulty:
            self._count_faulty(cluster, (game, other), pairs)
        for name, won in ((one, points), (two, 4 - points)):
            counts = self.by_cluster[name].setdefault(cluster, [0, 0])
            counts[0] += won * pairs
            counts[1] += 2 * pairs

    def _count_faulty(self, cluster: str, games: Iterable[OfPair], times: int) -> None:
        """Count games that are no evidence of strength: a fault ended one of them."""
        for each in games:
            where = each.first, each.second, cluster
            self.faulty[*where, each.points] += times
            self.redeemed[*where, 1 if each.is_faulty else each.points] += times

    def _count_pairs(self, games: Games) -> None:
        """Count the pairs among games, each distinct one once."""
        marks = identities_of_pairs(games, games.pairs)
        is_new = is_first(marks) & ~self._pairs_seen.has(marks)
        self._pairs_seen.put_all(marks[is_new], np.ones(int(is_new.sum()), np.uint8))
        pairs = PairPlaces(
            games.pairs.later[is_new], games.pairs.earlier[is_new], games.pairs.single
        )
        clusters, names = clusters_of(games, pairs.later, marks[is_new])
        facts = (
            column[places]
            for places in (pairs.later, pairs.earlier)
            for column in (
                *(games.first, games.second, games.points),
                *(each.astype(np.int64) for each in (games.proposer == 2, games.loser >= 0)),
            )
        )
        for cluster, points, *both, count in distinct(
            clusters, points_of_pairs(games, pairs), *facts
        ):
            game, other = (
                OfPair(games.players[one], games.players[two], half, bool(turned), bool(faulty))
                for one, two, half, turned, faulty in (both[:5], both[5:])
            )
            self._count_pair(names(cluster), points, game, other, count)

    def _count_singles(self, games: Games) -> None:
        """Count the games without another of their pair, each distinct one, as evidence as well.

        In most runs the other game is still to come; for games that were imported there is none.
        """
        places = games.pairs.single
        marks = identities_of_pairs(games, PairPlaces(places, places, places))
        is_new = is_first(marks) & ~self._pairs_seen.has(marks)
        places, marks = places[is_new], marks[is_new]
        self._pairs_seen.put_all(marks, np.ones(len(marks), np.uint8))
        self.singles += len(places)
        clusters, names = clusters_of(games, places, marks)
        columns = games.first, games.second, games.points, (games.loser >= 0).astype(np.int64)
        facts = (column[places] for column in columns)
        for cluster, first, second, points, faulty, count in distinct(clusters, *facts):
            one, two, text = games.players[first], games.players[second], names(cluster)
            self.evidence[one, two, text, points] += count
            if faulty:
                self._count_faulty(text, [OfPair(one, two, points, False, True)], count)
            for name, won in ((one, points), (two, 2 - points)):
                counts = self.by_cluster[name].setdefault(text, [0, 0])
                counts[0] += won * count
                counts[1] += count

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
        column = {cluster: i for i, cluster in enumerate(dict.fromkeys(chain(*met)))}
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
        tally.add_games(games, run in singles)
        # Pairs of another run are others, though their keys may be the same.
        tally.results = Results()
    return tally


def of_pair(record: GameRecord) -> OfPair:
    """A game as one of its pair."""
    points, is_faulty = points_of_first(record), bool(at_fault(record))
    return OfPair(record.first, record.second, points, record.proposer == 2, is_faulty)


def _summed(
    counts: Points, row: Mapping[str, int], column: Mapping[str, int]
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


def cluster_of(record: GameRecord, pair: int) -> str:
    """The name of a game's opening, which all games on it share; without an opening, of its pair.

    Openings that are symmetric images of each other are one. From a game's first position, nothing
    but chance and time makes pairs differ, and these they do not share. Where players make it,
    games share the stones that were suggested: both of a pair do, even if others were then laid.
    """
    if record.made:
        return record.made.start
    return intern(record.start or record.opening) if record.opening else f"pair {pair}"


def clusters_of(
    games: Games, places: Integers, marks: Marks
) -> tuple[Integers, Callable[[int], str]]:
    """The number of `cluster_of` each of these games, and a function that names it.

    The marks are those of their pairs.
    """
    count = len(games.words)
    opening = np.where(games.is_word(games.start, [""]), games.opening, games.start)
    alone = count + np.arange(len(places))
    found = np.where(games.is_opened[places], opening[places], alone)
    found = np.where(games.proposer[places] > 0, games.by_rule[places], found)

    def name(cluster: int) -> str:
        """The cluster of this number."""
        return intern(games.words[cluster]) if cluster < count else f"pair {marks[cluster - count]}"

    return found, name


def mean_score(points: np.ndarray, games: np.ndarray) -> float:
    """The share of the points; one half for no games."""
    return float(points.sum() / games.sum()) if games.any() else 0.5


def added(*counts: Counts) -> Counts:
    """Counts added, kind by kind."""
    return list(map(sum, zip(*counts, strict=True)))
