"""How often a match between equal players ends with a claim, and how often a real lead is seen.

Rows of `looks once` play the planned games and read the verdict. Rows of `follows the advice` go
on: as long as the verdict is undecided and names a number of games to plan for, they play that many
on new openings, at most MAX_GAMES. A row of equal players of which one crashes counts claims that
either is better. `claims` is the share of matches in which a player is better, `at_most` the upper
end of its exact 95 % interval, `before` the share by the rule before faults were judged: the 95 %
interval of the played games leaves out 0. Rows of tests have the shares of decisions, of which one
is `wrong`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import cast

from arena.bench.timing import Measurement
from arena.format import MANY_FAULTS, Field, Pairing
from arena.formats import sprt
from arena.game import Outcome
from arena.match.game_row import row_of
from arena.match.pairs import PairResult, Results
from arena.match.record import HALF_POINTS, GameRecord, Job, at_fault, record
from arena.plugins.load import Named
from arena.report.facts import Extras, RunFacts
from arena.report.standings import Tally
from arena.report.verdict import Conclusion, PlayedRuns, verdict_of
from arena.stats.elo import expected_score
from arena.stats.ratings import Ratings

MATCHES = 1_000
MAX_PAIRS = 3_000
MAX_GAMES = 10_000
"""Games at which a follower of the advice gives up."""
PLAN = re.compile(r"Plan for ([\d,]+) games")


@dataclass(frozen=True)
class World:
    """Two players: how their games end."""

    name: str
    draws: float = 0.0
    """Share of drawn games."""
    bias: float = 0.0
    """Standard deviation, in Elo, of the first player's advantage on an opening."""
    lead: float = 0.0
    """Elo of `a` over `b`."""
    crashes: float = 0.0
    """Share of games that `b` loses by a crash."""

    def pair(self, source: Random, number: int) -> Iterator[GameRecord]:
        """The two games of a pair on an opening of its own."""
        advantage = source.gauss(0.0, self.bias)
        for first, second in ("ab", "ba"):
            lead = self.lead if first == "a" else -self.lead
            winner: int | None = 1 if source.random() < expected_score(lead + advantage) else 2
            winner = None if source.random() < self.draws else winner
            crashed = source.random() < self.crashes
            winner = (1 if second == "b" else 2) if crashed else winner
            outcome = Outcome(winner, "crash" if crashed else "line")
            yield record(Job(first, second, str(number)), outcome, "", f"{number} {first}")


TOSS = World("toss")
PLAYS = (TOSS, World("openings of 350 Elo", bias=350), World("60 % draws", draws=0.6))


class Match:
    """A match that can be extended: its games, and how often it was over before."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.source = world, Random(f"{world.name} {seed}")
        self.tally, self.pairs, self.plans = Tally(["a", "b"]), 0, 0

    def play(self, pairs: int) -> Conclusion:
        """The verdict after so many pairs in all."""
        while self.pairs < pairs:
            for game in self.world.pair(self.source, self.pairs):
                self.tally.add([row_of(game)])
            self.pairs += 1
        self.plans += 1
        run = RunFacts("m", Named("gomoku"), Named("couples"), "", 2 * pairs, True, self.plans - 1)
        standings = self.tally.standings()
        return verdict_of(PlayedRuns(self.tally, standings, Ratings([], 0, 0), Extras(runs=[run])))

    def followed(self, pairs: int) -> Conclusion:
        """The verdict once there is a claim, or no plan that is worth its games."""
        verdict = self.play(pairs)
        while plan := PLAN.search(verdict.next_step):
            games = int(plan[1].replace(",", ""))
            if games > MAX_GAMES:
                return verdict
            verdict = self.play(max((games + 1) // 2, self.pairs + 1))
        return verdict


def rows(_: int) -> Iterator[Measurement]:
    """One row for each world and way of looking."""
    for world in PLAYS:
        yield row(world, 50, follows=True)
    for share in (0.02, 0.05, 0.1):
        for pairs in (50, 500):
            yield row(World(f"b crashes in {share:.0%}", crashes=share), pairs, follows=False)
        yield row(World(f"b crashes in {share:.0%}", crashes=share), 50, follows=True)
    for share in (0.02, 0.05, 0.1):
        crash = f"crashes in {share:.0%}"
        yield sprt_row(World(f"test of equals, b {crash}", crashes=share), "H1")
        yield sprt_row(
            World(f"test of +50 Elo, a {crash}", lead=-50, crashes=share), "H0", ("b", "a")
        )
    for lead in (50, 100):
        for world in PLAYS:
            yield row(replace(world, name=f"+{lead} Elo, {world.name}", lead=lead), 200, False)


class MadePairs:
    """The results of a test's pairs, each made up when it is asked for."""

    def __init__(self, world: World, seed: int, players: tuple[str, str]) -> None:
        self.world, self.source, self.players = world, Random(f"{world.name} {seed}"), players

    def get(self, pairing: Pairing) -> PairResult:
        """The result of a pairing; each is asked for once."""
        points, faults, (one, _) = 0, [0, 0], self.players
        for game in self.world.pair(self.source, 0):
            own = HALF_POINTS[game.winner]
            points += own if game.first == one else 2 - own
            if loser := at_fault(game):
                faults[loser != one] += 1
        return PairResult(points, int(pairing.opening) + 1, (faults[0], faults[1]))


def sprt_row(world: World, wrong: str, players: tuple[str, str] = ("a", "b")) -> Measurement:
    """The share of tests of [0, 50] Elo that accept the wrong hypothesis."""
    from scipy.stats import binomtest

    field = Field(players, [str(i) for i in range(MAX_PAIRS)], 1)
    design = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}
    decisions = Counter[str]()
    for seed in range(MATCHES):
        test = sprt.Test(field, [players], **design, pairs=MAX_PAIRS)
        test.take(cast(Results, MadePairs(world, seed, players)), MAX_PAIRS)
        decisions[test.decision] += 1
    ends = binomtest(decisions[wrong], MATCHES).proportion_ci(method="exact")
    shares = {name: round(decisions[name] / MATCHES, 3) for name in ("H0", "H1", MANY_FAULTS)}
    return {"name": world.name, "wrong": wrong, **shares, "at_most": round(ends.high, 3)}


def row(world: World, pairs: int, follows: bool) -> Measurement:
    """The shares of claims in a world."""
    from scipy.stats import binomtest

    claims = before = 0
    for seed in range(MATCHES):
        match = Match(world, seed)
        verdict = match.followed(pairs) if follows else match.play(pairs)
        claims += " is better than " in verdict.text
        best = max(match.tally.standings(), key=lambda each: each.elo)
        before += best.elo_low > 0
    ends = binomtest(claims, MATCHES).proportion_ci(method="exact")
    return {
        "name": world.name,
        "looks": "follows the advice" if follows else "once",
        "pairs": pairs,
        "claims": round(claims / MATCHES, 3),
        "at_most": round(ends.high, 3),
        "before": round(before / MATCHES, 3),
    }
