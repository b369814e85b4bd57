"""Runs that are made up, and the claims that the product's own code makes on them.

What a folder keeps of a run is made in one place, `facts_of`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arena.comparison.compare import ComparedRun, Comparison
from arena.comparison.comparison_answer import comparison_verdict
from arena.match.game_row import GameResult, GameRow
from arena.plugins.load import IMPORTED, Named
from arena.ratings.rating_answer import ratings_answer
from arena.ratings.rating_list import RatedPlayer, RatedRun, rated_pool
from arena.report.standings import Tally, tally_of
from arena.report.verdict import Conclusion, Extras, PlayedRuns, RunFacts, verdict_of
from arena.stats.leads import joined_looks
from arena.stats.ratings import Ratings, rate_with_faults
from arena.storage.database import Games
from arena.storage.folder import BEGUN, last_looks, looks_of

Halves = NDArray[np.int8]
GAME, FORMAT = Named("gomoku"), Named("round_robin")
POOL = "gomoku", "depth 1"
CLAIM = re.compile(r" is better than | leads(?!.* so far)")
"""What users read as a claim, whatever its tone."""
OPEN = Conclusion("not asked")


@dataclass(frozen=True, slots=True)
class World:
    """Two players: how their games end."""

    name: str
    draws: float = 0.0
    """Share of drawn games."""
    bias: float = 0.0
    """Standard deviation, in Elo, of the first move's advantage on an opening."""
    lead: float = 0.0
    """Elo of the first player over the second."""
    crashes: float = 0.0
    """Share of games that the second player loses by a crash."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A number of pairs of each pairing that a run was to have, and was begun with."""

    pairs: int
    is_over: bool = True
    """True if all of them were played, so that a verdict was shown."""


def facts_of(plans: Sequence[Plan], pairings: int = 1) -> RunFacts:
    """The facts of a run with these plans; the last is the one that its config has now. Of games
    that were imported no plan is known."""
    if not plans:
        return RunFacts("run", GAME, Named(IMPORTED), "", None, True)
    total = 2 * plans[-1].pairs * pairings
    looks = looks_of(kept_facts(plans), total)
    return RunFacts("run", GAME, FORMAT, "", total, plans[-1].is_over, looks)


def kept_facts(plans: Sequence[Plan]) -> dict[str, list[list[int | bool]]]:
    """What a folder keeps of these plans."""
    return {BEGUN: [[each.pairs, each.is_over] for each in plans]}


class MadePairs:
    """The games of one pairing, each pair on an opening of its own."""

    def __init__(self, world: World, source: np.random.Generator, pairs: int) -> None:
        seats, shape = np.array([1, -1]), (pairs, 2)
        leads = world.lead + source.normal(0, 1, pairs)[:, None] * world.bias * seats
        is_won = source.random(shape) < 1 / (1 + 10 ** (-leads / 400))
        is_drawn, chance = source.random(shape) < world.draws, source.random(shape)
        halves = np.where(is_drawn, 1, 2 * is_won)
        self.crashed = chance < world.crashes
        self.halves: Halves = np.where(self.crashed, 2, halves).astype(np.int8)
        """Half points of the first player in both games of each pair."""

    def rows(self, names: tuple[str, str], numbers: range, pairs: range) -> list[GameRow]:
        """The games of some pairs, whose identities come from `numbers`."""
        one, two = names
        found = []
        for pair, number in zip(pairs, numbers, strict=True):
            for turn in (0, 1):
                half, crashed = int(self.halves[pair, turn]), bool(self.crashed[pair, turn])
                winner = None if half == 1 else 1 if (half == 2) != turn else 2
                seats = (one, two) if turn == 0 else (two, one)
                result = GameResult(*seats, winner, "crash" if crashed else "line")
                key = 2 * number + turn
                found.append(GameRow(0, result, key, pair + 1, key, "", False))
        return found


@dataclass(eq=False)
class MadeRun:
    """A run that was made up: all its games, and those that count so far."""

    names: Sequence[str]
    pairings: Mapping[tuple[str, str], MadePairs]
    number: int = 0
    """The number of the run, of those whose games are read together."""
    pairs: int = 0
    """Pairs of each pairing that count."""
    rows: list[GameRow] = field(default_factory=list)
    tally: Tally = field(init=False)

    def __post_init__(self) -> None:
        self.tally = Tally(self.names)
        self.tally.add(self.rows)

    def at(self, pairs: int) -> MadeRun:
        """The run after so many pairs of each pairing; itself, if it has no more already."""
        run = self
        if pairs < self.pairs:
            run = MadeRun(self.names, self.pairings, self.number)
        new = list[GameRow]()
        for place, (names, made) in enumerate(self.pairings.items()):
            first = 1_000_000 * self.number + 10_000 * place
            numbers = range(first + run.pairs, first + pairs)
            new += made.rows(names, numbers, range(run.pairs, pairs))
        if self.number:  # another run has other openings
            new = [row._replace(cluster=row.cluster + 1_000_000 * self.number) for row in new]
        run.tally.add(new)
        run.rows += new
        run.pairs = pairs
        return run


@dataclass(frozen=True)
class Read:
    """A run as it is read: its games that count, and its plans."""

    run: MadeRun
    plans: Sequence[Plan]

    @property
    def facts(self) -> RunFacts:
        return facts_of(self.plans, len(self.run.pairings))

    @property
    def games(self) -> Games:
        rows = self.run.rows
        return Games(rows, range(1, len(rows) + 1))

    def without_faults(self) -> Read:
        """The run without the pairs in which a fault ended a game."""
        faulty = {row.pair for row in self.run.rows if row.result.loser_by_fault}
        return self._of([row for row in self.run.rows if row.pair not in faulty])

    def with_faults_drawn(self) -> Read:
        """The run with the games that a fault ended as draws."""
        return self._of(
            [_drawn(row) if row.result.loser_by_fault else row for row in self.run.rows]
        )

    def _of(self, rows: list[GameRow]) -> Read:
        run = self.run
        return Read(MadeRun(run.names, run.pairings, run.number, run.pairs, rows), self.plans)


def _drawn(row: GameRow) -> GameRow:
    return row._replace(result=row.result._replace(winner=None, reason="full board"))


def made_run(world: World, seed: Sequence[int], pairs: int, number: int = 0) -> MadeRun:
    """A run of two players."""
    return round_robin("ab", lambda *_: world, [*seed, number], pairs)


def is_claim(found: Conclusion) -> bool:
    """True if a user reads that a player is better, or worse."""
    return found.tone in ("good", "bad") or bool(CLAIM.search(found.text))


def favoured_by(found: Conclusion) -> str:
    """The player that a verdict claims to be better, or the one that lost with a minus before it;
    empty if it claims nothing."""
    if not is_claim(found):
        return ""
    name, verb, *_ = found.text.split()
    return f"-{name}" if verb == "lost" else name


def played(*read: Read) -> PlayedRuns:
    """The runs, as their verdict is asked for."""
    if len(read) == 1:
        tally = read[0].run.tally
    else:
        games = {f"run {number}": each.games for number, each in enumerate(read)}
        tally = tally_of(read[0].run.names, games)
    extras = Extras(runs=[each.facts for each in read])
    is_match = len(tally.names) == 2
    # The verdict on a match asks for no ratings.
    ratings = Ratings([], 0, 0) if is_match else rate_with_faults(tally.names, tally.evidence_views)
    return PlayedRuns(tally, tally.standings(), ratings, extras)


def reported(*read: Read) -> Conclusion:
    """The verdict of `arena report` on these runs together."""
    return verdict_of(played(*read))


def rated(*read: Read) -> Conclusion:
    """The verdict of `arena ratings` on these runs."""
    runs = []
    for number, each in enumerate(read, start=1):
        players = {name: RatedPlayer(name, "") for name in each.run.names}
        looks = last_looks(kept_facts(each.plans), len(each.run.rows))
        runs.append(
            RatedRun(f"run {number}", POOL, players, each.games, number, number, looks=looks)
        )
    return ratings_answer(rated_pool(POOL, runs)).verdict or OPEN


def compared(before: Read, after: Read) -> Conclusion:
    """The verdict of `arena compare` on two runs."""
    sides = []
    for read in (before, after):
        # Neither standings nor ratings are asked for, which take most of the time.
        facts = Extras(runs=[read.facts])
        runs = PlayedRuns(read.run.tally, [], Ratings([], 0, 0), facts)
        sides.append(ComparedRun("run", {"engines": {}}, runs, OPEN))
    return comparison_verdict(Comparison(*sides))


def tail_of(*runs: Sequence[Plan], is_rated: bool = False) -> float:
    """The chance of a wrong claim, on either side, that a verdict on runs with these plans may
    spend: what the product says of the facts alone."""
    looks = joined_looks(
        last_looks(kept_facts(plans), 0) if is_rated else facts_of(plans).looks for plans in runs
    )
    return looks.tail(sum(plans[-1].pairs for plans in runs if plans))


def round_robin(
    names: str, world_of: Callable[[str, str], World], seed: Sequence[int], pairs: int
) -> MadeRun:
    """A run of several players, whose names are letters; a world for each pairing."""
    source = np.random.default_rng(seed)
    both = list(combinations(names, 2))
    made = {each: MadePairs(world_of(*each), source, pairs) for each in both}
    return MadeRun(list(names), made, number=seed[-1])
