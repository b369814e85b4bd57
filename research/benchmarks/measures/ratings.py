"""Ratings of a large field: a round robin of 20 players and 100 000 made-up games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from statistics import median

from arena.bench import Measurement, seconds_of
from arena.game import Outcome
from arena.match.game_row import row_of
from arena.match.record import GameRecord, Job, record
from arena.report.standings import Tally
from arena.stats.ratings import rate

PLAYERS = [f"player {i}" for i in range(20)]
OPENINGS = 264
"""Openings for a round robin of 100 320 games."""


def rows(repeat: int) -> Iterator[Measurement]:
    """CPU seconds to count the games, and to rate the players with intervals."""
    games = list(made_up_games())
    turns = [ratings_turn(games) for _ in range(repeat)]
    count, ratings = (median(seconds) for seconds in zip(*turns, strict=True))
    yield {
        "name": "ratings",
        "games": len(games),
        "players": len(PLAYERS),
        "count_seconds": count,
        "seconds": ratings,
    }


def ratings_turn(games: list[GameRecord]) -> tuple[float, float]:
    """CPU seconds of the count, and of the ratings."""
    tally = Tally(PLAYERS)

    def count() -> None:
        for game in games:
            tally.add([row_of(game)])

    return seconds_of(count), seconds_of(lambda: rate(PLAYERS, tally.evidence))


def made_up_games() -> Iterator[GameRecord]:
    """Two games of every two players on every opening, all distinct; the first named are better."""
    random = Random(0)
    for opening in range(OPENINGS):
        lead = random.gauss(0, 4)
        for i, j in permutations(range(len(PLAYERS)), 2):
            chance = random.gauss(lead + (j - i) / 4, 2)
            winner = 1 if chance > 0.5 else 2 if chance < -0.5 else None
            job = Job(PLAYERS[i], PLAYERS[j], str(opening))
            yield record(job, Outcome(winner, "line"), "", f"{opening} {i} {j}")
