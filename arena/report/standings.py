"""The running count of a tournament: results by players, colours and pairs of games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from itertools import chain
from math import nan
from operator import truediv
from typing import Any

import numpy as np

from arena.match.game_row import GameResult, GameRow, UnpairedGames, pair_identity
from arena.match.pairs import HashIndex, pair_points
from arena.report.numbers import format_elo, format_interval, format_rated, format_share
from arena.report.table import Column
from arena.stats.davidson import Evidence, Floats, Points
from arena.stats.elo import elo, elo_difference, score, score_ends, superiority
from arena.stats.leads import Estimate, FaultViews, LeadViews, Looks, alike, is_carried
from arena.stats.ratings import Anchor, Ratings, rate_with_faults
from arena.storage.database import Games

Counts = list[int]
"""Counts from the worst to the best: losses, draws, wins; or pairs by points, 0 to 4 halves."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's result against all that it met.

    The interval, and LOS, take openings as independent of each other, not pairs: see
    `stats.elo.score_ends`.
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
    faults: int  # Games that the player lost by faults of its own
    won_by_faults: int  # Games that it won by faults of its opponents
    elo_without_faults: float
    """Elo without the pairs in which a fault ended a game; NaN if nothing is left."""
    elo_faults_drawn: float  # Elo with the games that a fault ended as draws
    doubtful: bool  # True if faults carry the Elo: see `arena.stats.leads`


RATING = "rating_low", "rating_high", "games", "rating_doubtful"
RATED = [
    Column("rating", "Elo", format_rated, RATING),
    Column("rating_low", "95 %", format_interval, ("rating_high", "rating"), is_number=False),
]
"""Elo on the one scale of all that met."""
AGAINST_FIELD = [
    Column("elo", "Elo", format_elo, ("elo_low", "elo_high", "doubtful")),
    Column("elo_low", "95 %", format_interval, ("elo_high",), is_number=False),
]
"""Elo against the players that each met."""
LOS = Column("los", "LOS", format_share, ("doubtful",))
"""How sure it is that a player is better than those that it met."""


def is_rated(players: int, formats: Collection[str]) -> bool:
    """True if reports show the ratings of all players on one scale; of two players, and of a
    gauntlet's candidate, they show the Elo against the players met."""
    return players > 2 and {*formats} != {"gauntlet"}


def rated_rows(standings: Sequence[Standing], ratings: Ratings) -> list[dict[str, Any]]:
    names = "rating", "rating_low", "rating_high", "group", "rating_doubtful"
    found = {each.name: astuple(each)[1:] for each in ratings.players}
    return [asdict(row) | dict(zip(names, found[row.name], strict=True)) for row in standings]


def standings_columns(has_faults: bool, is_rated: bool) -> list[Column]:
    """The columns of the standings, live and in a report; one more where a player was at fault."""
    return [
        Column("name"),
        *(RATED if is_rated else AGAINST_FIELD),
        Column("score", "score", format_share),
        *([] if is_rated else [LOS]),
        Column("games"),
        Column("wins"),
        Column("draws"),
        Column("losses"),
        *([Column("faults")] if has_faults else []),
    ]


class Tally:
    """The counts of a tournament, which grow as games are added, in any order."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(names)
        self.games = 0
        self.endings: Counter[tuple[str, int | None]] = Counter()  # Games by (reason, winner)
        self.faults: dict[str, Counter[str]] = {name: Counter() for name in self.names}
        """Games that each player lost by its own faults, by their reasons."""
        self.won_by_faults: Counter[str] = Counter()
        """Games that each player won by faults of its opponents."""
        self.by_seat: dict[tuple[str, str], Counts] = defaultdict(lambda: [0, 0, 0])
        """The first player's losses, draws and wins by (first, second)."""
        self.by_pair: dict[tuple[str, str], Counts] = defaultdict(lambda: [0] * 5)
        """Distinct pairs by the player's points, by (player, opponent) from both views."""
        self.evidence: Counter[Evidence] = Counter()
        """Games of distinct pairs by (first, second, cluster, half points of the first)."""
        self.faulty: Counter[Evidence] = Counter()  # Those of pairs in which a fault ended a game
        self.redeemed: Counter[Evidence] = Counter()
        """The same games, with those that a fault ended as draws."""
        self.singles = 0  # Distinct games that count as evidence without another of their pair
        self.by_cluster: dict[str, dict[int, list[int]]] = {name: {} for name in self.names}
        """Half points and games of distinct pairs by player, then by cluster.

        Live standings ask for them again and again; `evidence` would have to be summed each time.
        """
        self._seen = HashIndex()  # Identities of the pairs that are counted
        self._unpaired = UnpairedGames()

    def add(self, rows: Iterable[GameRow]) -> None:
        """Count games, and each pair once both its games are counted.

        Deterministic engines repeat themselves: pairs that are copies of others are no evidence.
        """
        results: Counter[GameResult] = Counter()
        pairs: Counter[tuple[int, GameResult, GameResult]] = Counter()
        for row in rows:
            results[row.result] += 1
            if (other := self._unpaired.take(row)) is None:
                continue
            if row.result.first == row.result.second:
                continue  # two names of a run may be one player in a list of ratings
            if self._is_new(pair := pair_identity(row, other)):
                pairs[row.cluster or pair, row.result, other.result] += 1
        for result, count in results.items():
            self._count(result, count)
        for (cluster, game, back), count in pairs.items():
            self._count_pair(cluster, game, back, count)

    def end_run(self, *, has_singles: bool = False) -> None:
        """Complete no pair of this run any more. If it `has_singles`, as imported games may be, its
        distinct games without the other one of their pair count as evidence by themselves."""
        singles = self._unpaired if has_singles else ()
        for row in singles:
            pair = pair_identity(row, row)
            is_against_itself = row.result.first == row.result.second
            if is_against_itself or not self._is_new(pair):
                continue
            self.singles += 1
            cluster, game = row.cluster or pair, row.result
            self._count_evidence(cluster, [game], 1)
            for name, won in ((game.first, game.half_points), (game.second, 2 - game.half_points)):
                self._add_to_cluster(name, cluster, won, 1)
        self._unpaired = UnpairedGames()

    def _is_new(self, identity: int) -> bool:
        if identity in self._seen:
            return False
        self._seen.put(identity, 1)
        return True

    def _count(self, result: GameResult, games: int) -> None:
        first, second, winner, reason = result
        self.games += games
        self.endings[reason, winner] += games
        self.by_seat[first, second][result.half_points] += games
        if lost := result.loser_by_fault:
            self.faults[lost][reason] += games
            self.won_by_faults[first if lost == second else second] += games

    def _count_pair(self, cluster: int, game: GameResult, other: GameResult, pairs: int) -> None:
        one, two, points = game.first, game.second, pair_points(game, other)
        self.by_pair[one, two][points] += pairs
        self.by_pair[two, one][4 - points] += pairs
        self._count_evidence(cluster, (game, other), pairs)
        for name, won in ((one, points), (two, 4 - points)):
            self._add_to_cluster(name, cluster, won * pairs, 2 * pairs)

    def _count_evidence(self, cluster: int, games: Sequence[GameResult], times: int) -> None:
        """Count the games of a pair, or a single one, as evidence.

        Where a fault ended one of them, they are no evidence of strength.
        """
        is_faulty = any(game.loser_by_fault for game in games)
        for game in games:
            first, second, half = game.first, game.second, game.half_points
            self.evidence[first, second, cluster, half] += times
            if is_faulty:
                self.faulty[first, second, cluster, half] += times
                drawn = 1 if game.loser_by_fault else half
                self.redeemed[first, second, cluster, drawn] += times

    def _add_to_cluster(self, name: str, cluster: int, won: int, games: int) -> None:
        counts = self.by_cluster[name].setdefault(cluster, [0, 0])
        counts[0] += won
        counts[1] += games

    def results_of(self, name: str | None, seat: int | None = None) -> Counts:
        """Losses, draws and wins of a player (None: of all) in one seat, or in both."""
        seats = self.by_seat.items()
        first = (counts for (one, _), counts in seats if seat != 2 and name in (None, one))
        second = (counts[::-1] for (_, two), counts in seats if seat != 1 and name in (None, two))
        return _added([0, 0, 0], *first, *second)

    def meetings(self, name: str, opponent: str) -> Counts:
        there, back = self.by_seat[name, opponent], self.by_seat[opponent, name]
        return _added(there, back[::-1])

    def pairs(self, name: str) -> Counts:
        met = (counts for (player, _), counts in self.by_pair.items() if player == name)
        return _added([0] * 5, *met)

    def standing(self, name: str) -> Standing:
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

    def ratings(self, anchor: Anchor | None = None) -> Ratings:
        """The ratings of all players, marked if faults carry them, or the player's Elo."""
        found = rate_with_faults(self.names, self.evidence_views, anchor)
        if not self.faulty:
            return found
        given = anchor and anchor[0]
        players = [
            each
            if each.doubtful or each.name == given
            else replace(each, doubtful=is_carried(self.elo_views(each.name)))
            for each in found.players
        ]
        return replace(found, players=players)

    def lead(self, los: FaultViews[float], looks: Looks, *names: str) -> LeadViews:
        return LeadViews(los, looks, *self.evidence_of(names))

    def evidence_of(self, names: Sequence[str]) -> tuple[int, float]:
        """The fewest openings of any of these players, and the greatest share of games that ended
        by faults."""
        games = [max(sum(self.results_of(name)), 1) for name in names]
        faults = [self.faults[name].total() + self.won_by_faults[name] for name in names]
        openings = min((len(self.by_cluster[name]) for name in names), default=0)
        return openings, max(map(truediv, faults, games), default=0.0)

    def elo_views(self, name: str) -> FaultViews[Estimate]:
        """A player's Elo against all that it met, as played and without the help of faults."""
        return self.clusters([name]).map(lambda clusters: _estimates(clusters)[0])

    @property
    def evidence_views(self) -> FaultViews[Points]:
        """The evidence as played, without games that faults ended, and with those as draws."""
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
        tally.end_run(has_singles=run in singles)
    return tally


def _summed(
    counts: Points, row: Mapping[str, int], column: Mapping[Hashable, int]
) -> tuple[Floats, Floats]:
    points, games = np.zeros((2, len(row), len(column)))
    for (first, second, cluster, half), count in counts.items():
        for name, own in ((first, half), (second, 2 - half)):
            if name in row:
                points[row[name], column[cluster]] += own / 2 * count
                games[row[name], column[cluster]] += count
    return points, games


def _estimates(clusters: tuple[Floats, Floats]) -> list[Estimate]:
    points, games = clusters
    ends = zip(*score_ends(points, games), strict=True)
    return [
        Estimate(elo(_mean_score(points[i], games[i])), elo(float(low)), elo(float(high)))
        for i, (low, high) in enumerate(ends)
    ]


def _mean_score(points: np.ndarray, games: np.ndarray) -> float:
    return float(points.sum() / games.sum()) if games.any() else 0.5


def _added(*counts: Counts) -> Counts:
    return list(map(sum, zip(*counts, strict=True)))
