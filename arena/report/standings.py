"""The running count of a tournament: results by players, colours and pairs of games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from sys import intern

import numpy as np

from arena.match.pairs import Results, identity, is_doubtful, pair_points, points_of_first
from arena.match.record import SWAP2, GameRecord, Numbered, at_fault, key
from arena.report.numbers import elo_text, interval_text, marked, share_text
from arena.stats.clustered import score_ends, superiority
from arena.stats.elo import elo, elo_difference, score

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
    doubtful: bool
    """True if its Elo and rating are marked for either of these: see `is_doubtful`."""


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
        self.evidence: Counter[tuple[str, str, str, int]] = Counter()
        """Games of distinct pairs by (first, second, cluster, half points of the first)."""
        self.singles = 0
        """Distinct games that count as evidence without another of their pair."""
        self.by_cluster: dict[str, dict[str, list[int]]] = {name: {} for name in self.names}
        """Half points and games of distinct pairs by player, then by cluster.

        Live standings ask for them again and again; `evidence` would have to be summed each time.
        """
        # Hashes: the moves of 100 000 games would take the memory of a whole engine.
        self._pairs_seen: set[int] = set()

    def add(self, record: GameRecord) -> None:
        """Count one game, and its pair if the other game of it came before."""
        self.games += 1
        self.endings[record.reason, record.winner] += 1
        self.by_seat[record.first, record.second][points_of_first(record)] += 1
        if loser := at_fault(record):
            self.faults[loser][record.reason] += 1
            self.won_by_faults[record.first if loser == record.second else record.second] += 1
        if other := self.results.add(record):
            self._add_pair(record, other)

    def _add_pair(self, record: GameRecord, other: GameRecord) -> None:
        """Count a pair, unless copies of its two games were counted before.

        Deterministic engines repeat themselves, and copies of a pair are no evidence.
        """
        pair = identity(record, other)
        if pair in self._pairs_seen:
            return
        self._pairs_seen.add(pair)
        points = pair_points(record, other)
        one, two, *_ = key(record)
        self.by_pair[one, two][points] += 1
        self.by_pair[two, one][4 - points] += 1
        cluster = intern(cluster_of(record, pair))
        for game in (record, other):
            self.evidence[game.first, game.second, cluster, points_of_first(game)] += 1
        for name, won in ((one, points), (two, 4 - points)):
            counts = self.by_cluster[name].setdefault(cluster, [0, 0])
            counts[0] += won
            counts[1] += 2

    def add_singles(self) -> None:
        """Count the games without another of their pair, each distinct one, as evidence as well.

        In most runs the other game is still to come; for games that were imported there is none.
        """
        for record in self.results.halves():
            game = identity(record, record)
            if game in self._pairs_seen:
                continue
            self._pairs_seen.add(game)
            self.singles += 1
            points, cluster = points_of_first(record), intern(cluster_of(record, game))
            self.evidence[record.first, record.second, cluster, points] += 1
            for name, won in ((record.first, points), (record.second, 2 - points)):
                counts = self.by_cluster[name].setdefault(cluster, [0, 0])
                counts[0] += won
                counts[1] += 1

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
        points, games = self.clusters(names)
        low, high = score_ends(points, games)
        for i, chance in enumerate(superiority(points, games)):
            losses, draws, wins = results = self.results_of(names[i])
            pairs = self.pairs(names[i])
            faults, won = self.faults[names[i]].total(), self.won_by_faults[names[i]]
            yield Standing(
                name=names[i],
                games=sum(results),
                wins=wins,
                draws=draws,
                losses=losses,
                score=score(results),
                elo=elo(mean_score(points[i], games[i])) if self.singles else elo_difference(pairs),
                elo_low=elo(float(low[i])),
                elo_high=elo(float(high[i])),
                los=float(chance),
                distinct_pairs=sum(pairs),
                faults=faults,
                won_by_faults=won,
                doubtful=is_doubtful(max(faults, won), sum(results)),
            )

    def clusters(self, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Points and games of these players (rows) in each cluster (column)."""
        met = [self.by_cluster[name] for name in names]
        column = {cluster: i for i, cluster in enumerate(dict.fromkeys(chain(*met)))}
        points, games = np.zeros((2, len(names), len(column)))
        for row, clusters in enumerate(met):
            for cluster, (won, played) in clusters.items():
                points[row, column[cluster]] = won / 2
                games[row, column[cluster]] = played
        return points, games


def tally_of(
    names: Sequence[str], runs: Mapping[str, Numbered], singles: Collection[str] = ()
) -> Tally:
    """The count of all games of some runs; in some of them, `singles` are evidence."""
    tally = Tally(names)
    for run, numbered in runs.items():
        for _, record in numbered:
            tally.add(record)
        if run in singles:
            tally.add_singles()
        # Half a pair never finds its other half in another run.
        tally.results = Results()
    return tally


def cluster_of(record: GameRecord, pair: int) -> str:
    """The games that share what their opening is worth; without an opening, those of the pair.

    Openings that are symmetric images of each other are one. From a game's first position, nothing
    but chance and time makes pairs differ, and these they do not share. By swap2, games share the
    stones that were suggested: both of a pair do, whatever its players then laid.
    """
    if record.proposer:
        return SWAP2 + record.suggested
    return (record.start or record.opening) if record.opening else f"pair {pair}"


def mean_score(points: np.ndarray, games: np.ndarray) -> float:
    """The share of the points; one half for no games."""
    return float(points.sum() / games.sum()) if games.any() else 0.5


def added(*counts: Counts) -> Counts:
    """Counts added, kind by kind."""
    return list(map(sum, zip(*counts, strict=True)))
