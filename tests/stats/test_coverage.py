"""Coverage of the 95 % intervals, simulated: twelve fields, from crowded to hardly connected.

Openings favour the first player by N(35, 100) Elo, and suit each player by N(0, 100). The truth is
the Elo of the expected score: of standings, against the field met; of ratings, against each of the
players whose mean is zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import exp, log, sqrt

import numpy as np
import pytest
from support.sweep import cases

from arena.stats.davidson import by_opening, sample_of
from arena.stats.elo import ELO_LIMIT, elo, score_ends
from arena.stats.ratings import rate

SIMULATIONS = 1000
ADVANTAGE = 35.0
DEVIATION = 100.0

Meetings = np.ndarray  # Rows of two players and an opening, on which they play a pair
Schedule = Callable[[], Generator[Meetings, np.ndarray]]
"""Yields meetings, and is sent the shares of the players named first."""
Seats = tuple[str, str, str, int]


def on_each(pairs: Sequence[tuple[int, int]], openings: int) -> Meetings:
    return np.array([(*pair, opening) for opening in range(openings) for pair in pairs])


def static(*meetings: Meetings) -> Generator[Meetings, np.ndarray]:
    yield np.concatenate(meetings)


def round_robin(players: Sequence[int], openings: int) -> Meetings:
    return on_each(list(combinations(players, 2)), openings)


def gauntlet(players: int, openings: int) -> Meetings:
    return on_each([(0, other) for other in range(1, players)], openings)


def swiss(players: int, stages: int, openings: int) -> Generator[Meetings, np.ndarray]:
    """Neighbours by points so far that have not met, if that can be, on every opening."""
    points, met = np.zeros(players), set()
    for _ in range(stages):
        rest = [int(player) for player in np.argsort(-points, kind="stable")]
        pairs = []
        while rest:
            one = rest.pop(0)
            other = next((each for each in rest if (one, each) not in met), rest[0])
            rest.remove(other)
            met |= {(one, other), (other, one)}
            pairs.append((one, other))
        meetings = on_each(pairs, openings)
        shares = yield meetings
        np.add.at(points, meetings[:, 0], shares)
        np.add.at(points, meetings[:, 1], 1 - shares)


@dataclass(frozen=True)
class Cell:
    schedule: Schedule
    players: int
    suits: float = DEVIATION  # Elo by which openings suit players
    tie: float = 0.0
    clubs: Sequence[Sequence[int]] = ()
    """Players that met on many openings: all, if not given. Others are rated with the first."""
    unknown: Sequence[int] = ()  # Players whose intervals must say that nothing is known


TRIO, OTHERS = (0, 1, 2), (3, 4, 5)
CELLS = {
    "round robin of 3 on 8 openings": Cell(partial(static, round_robin(range(3), 8)), 3),
    "round robin of 10 on 8 openings": Cell(partial(static, round_robin(range(10), 8)), 10),
    "round robin of 10 on 20 openings, few draws": Cell(
        partial(static, round_robin(range(10), 20)), 10, tie=log(0.05)
    ),
    "round robin of 20 on 20 openings": Cell(partial(static, round_robin(range(20), 20)), 20),
    "round robin of 4 on 100 openings, which suit nobody": Cell(
        partial(static, round_robin(range(4), 100)), 4, suits=0
    ),
    "gauntlet of 8 on 20 openings": Cell(partial(static, gauntlet(8, 20)), 8),
    "gauntlet of 5 on 100 openings": Cell(partial(static, gauntlet(5, 100)), 5),
    "swiss of 12 in 4 stages on 8 openings": Cell(partial(swiss, 12, 4, 8), 12),
    "swiss of 20 in 5 stages on 20 openings": Cell(partial(swiss, 20, 5, 20), 20),
    "newcomer after one pair": Cell(
        partial(static, round_robin(TRIO, 100), on_each([(0, 3)], 1)), 4, clubs=[TRIO], unknown=[3]
    ),
    "newcomer after eight pairs": Cell(
        partial(static, round_robin(TRIO, 100), on_each([(1, 3)], 8)), 4, clubs=[TRIO]
    ),
    "two clubs joined by one pair": Cell(
        partial(static, round_robin(TRIO, 100), round_robin(OTHERS, 100), on_each([(0, 3)], 1)),
        6,
        clubs=[TRIO, OTHERS],
    ),
}


class Simulation:
    """Draws the results of a cell, whose players' strengths are N(0, 150 Elo)."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.random = np.random.default_rng(0)
        self.strengths = self.random.normal(0, 150, cell.players)

    def expected(self) -> np.ndarray:
        """Each player's expected score against each other one, over both colours and openings."""
        steps, weights = np.polynomial.hermite_e.hermegauss(40)
        deviation = np.hypot(DEVIATION, np.sqrt(2) * self.cell.suits)
        ahead = self.strengths[:, None] - self.strengths
        first, second = (
            self.chances(ahead[..., None] + seat * ADVANTAGE + deviation * steps)
            for seat in (1, -1)
        )
        win, draw = (a + b for a, b in zip(first, second, strict=True))
        return (win + draw / 2) @ weights / weights.sum() / 2

    def chances(self, lead: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The chances of a win and of a draw with this lead in Elo (Davidson, 1970)."""
        win, loss, draw = 10 ** (lead / 800), 10 ** (-lead / 800), exp(self.cell.tie)
        return win / (win + loss + draw), draw / (win + loss + draw)

    def played(self) -> tuple[Counter[Seats], np.ndarray]:
        openings, points = 100, Counter[Seats]()
        self.worth = self.random.normal(ADVANTAGE, DEVIATION, openings)
        self.suit = self.random.normal(0, self.cell.suits, (self.cell.players, openings))
        met = np.zeros((self.cell.players, self.cell.players))
        schedule = self.cell.schedule()
        meetings = next(schedule)
        try:
            while True:
                one, other, opening = meetings.T
                there, back = self.halves(one, other, opening), self.halves(other, one, opening)
                for seats, halves in (((0, 1), there), ((1, 0), back)):
                    rows = np.column_stack([meetings[:, seats], opening]).astype(str).tolist()
                    points.update(
                        (first, second, start, half)
                        for (first, second, start), half in zip(rows, halves.tolist(), strict=True)
                    )
                np.add.at(met, (one, other), 1)
                np.add.at(met, (other, one), 1)
                meetings = schedule.send((there + 2 - back) / 4)
        except StopIteration:
            return points, met

    def halves(self, first: np.ndarray, second: np.ndarray, opening: np.ndarray) -> np.ndarray:
        ahead = self.strengths[first] - self.strengths[second] + self.worth[opening]
        ahead += self.suit[first, opening] - self.suit[second, opening]
        win, draw = self.chances(ahead)
        chance = self.random.random(len(ahead))
        return np.where(chance < win, 2, np.where(chance < win + draw, 1, 0))


def elo_of(scores: np.ndarray) -> np.ndarray:
    return np.vectorize(elo)(scores)


def coverage(cell: Cell, simulations: int) -> dict[str, float | np.ndarray]:
    simulation = Simulation(cell)
    expected = simulation.expected()
    names = [str(player) for player in range(cell.players)]
    clubs = cell.clubs or [range(cell.players)]
    home = [next((club for club in clubs if i in club), clubs[0]) for i in range(cell.players)]
    rating = [elo_of(expected[i, list(club)]).mean() for i, club in enumerate(home)]
    rated, known, standing = [], [], []
    for _ in range(simulations):
        points, met = simulation.played()
        found = rate(names, points).players
        low, high = np.array([(each.low, each.high) for each in found]).T
        rated.append((low <= rating) & (rating <= high))
        known.append(high - low < 2 * ELO_LIMIT - 1)
        low, high = score_ends(*by_opening(sample_of(names, points)))
        against = (met * expected).sum(axis=1) / met.sum(axis=1)
        standing.append((low <= against) & (against <= high))
    return {
        "ratings": float(np.mean(np.array(rated)[np.array(known)])),
        "standings": float(np.mean(standing)),
        "known": np.mean(known, axis=0),
    }


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("name", CELLS)
def test_the_intervals_hold_the_truth_as_often_as_they_say(name: str) -> None:
    cell = CELLS[name]
    simulations = cases(SIMULATIONS)
    found, error = coverage(cell, simulations), sqrt(0.95 * 0.05 / simulations)
    for kind in ("ratings", "standings"):
        assert found[kind] == pytest.approx(0.95, abs=0.0165 + 2 * error)
    assert list(found["known"]) == [player not in cell.unknown for player in range(cell.players)]
