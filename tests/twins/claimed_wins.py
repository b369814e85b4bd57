"""Wins and losses that an engine claims, each judged by the slow solver.

A win that the solver does not find by itself is played on: the player's own moves against every
legal defence, until the solver finds it. It is refuted where the other side wins for sure.

By hand: python tests/twins/claimed_wins.py balance --claims 2000
With --played, the claims are those of whole games, in which the engine keeps what it learnt.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))
from twins.boards import game_of, random_cells
from twins.solver import PROVEN, STEPS, Solving, defences, forget, new_solving, solved
from twins.threats import random_position

from arena.engine import Choice, Engine, Limit
from arena.engines.kit.shapes.table import Rule
from arena.game import Move, Position
from arena.games.gomoku import Gomoku
from arena.plugins import load

Verdict = Literal["holds", "refuted", "undecided"]

HALF_A_MINUTE = 9_000_000  # Steps of the solver in some 30 s
FIRST_STEPS = 30_000  # Steps before a win is played on


@dataclass(frozen=True)
class Claim:
    """A side that is said to win, and the move for it, if that side is to move."""

    winner: int
    move: Move | None


Claimant = Callable[[Position], Claim | None]
"""A player, or a search: its claim about a position, if it makes one."""


@dataclass
class Judge:
    """A judge of claims under one game's rules."""

    game: Gomoku
    claimant: Claimant
    allowed: int = HALF_A_MINUTE  # Steps of the solver for each claim
    solving: Solving = field(init=False)
    left: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.solving = new_solving(self.game)

    def verdict(self, p: Position, claim: Claim) -> Verdict:
        self.left = self.allowed
        forget(self.solving)
        found = self._played_on(p, claim, FIRST_STEPS)
        if found == "undecided" and self._is_won(p, claim.winner, self.left):
            return "holds"
        return found

    def _played_on(self, p: Position, claim: Claim, steps: int) -> Verdict:
        """The verdict after a short search, or else of the moves that follow."""
        winner, verdict = claim.winner, "holds"
        if self._is_won(p, winner, steps):
            return "holds"
        if self.left <= 0:
            return "undecided"
        if p.turn == winner:
            return self._after(p, claim.move, winner)
        for reply in defences(self.solving, self.game, p, winner):
            verdict = self._after(p, reply, winner)
            if verdict != "holds":
                break
        return verdict

    def _after(self, p: Position, move: Move | None, winner: int) -> Verdict:
        if move is None:
            return "undecided"
        q = self.game.play(p, move)
        if end := self.game.outcome(q):
            return "holds" if end.winner == winner else "refuted"
        if q.turn != winner:
            return self._played_on(q, Claim(winner, None), FIRST_STEPS)
        if self._is_won(q, winner, FIRST_STEPS):
            return "holds"
        claim = self.claimant(q)
        if claim is None or claim.winner != winner:
            return "refuted" if self._is_lost(q, winner) else "undecided"
        return self._played_on(q, claim, 0)

    def _is_won(self, p: Position, winner: int, steps: int) -> bool:
        steps = min(steps, max(0, self.left))
        won = solved(self.solving, self.game, p, winner, steps) == PROVEN
        self.left -= int(self.solving.numbers[STEPS])
        return won

    def _is_lost(self, p: Position, winner: int) -> bool:
        other = new_solving(self.game)
        return solved(other, self.game, p, 3 - winner, FIRST_STEPS) == PROVEN


def claims_of(engine: Engine, limit: Limit) -> Claimant:
    """The claims that an engine makes with nothing learnt before."""

    def claim(p: Position) -> Claim | None:
        engine.new_game(0)
        return claim_in(p, engine.choose(p, limit))

    return claim


def claim_in(p: Position, choice: Choice) -> Claim | None:
    """The claim in a choice that tells how many plies a proven win or loss takes."""
    plies = int(choice.info["proven"])
    return Claim(p.turn if plies > 0 else 3 - p.turn, choice.move) if plies else None


@dataclass(frozen=True)
class ClaimsInPlay:
    """The claims of a player that went through a whole game, and the side that won it."""

    claims: list[tuple[Position, Claim]]
    winner: int

    def is_kept(self) -> bool:
        """True unless the player said that it wins, and then did not."""
        return all(claim.winner in (self.winner, 3 - p.turn) for p, claim in self.claims)


def claims_in_play(
    game: Gomoku, engine: Engine, limit: Limit, rival: Engine, seed: int
) -> ClaimsInPlay:
    """The claims of an engine in a game, each made with what it learnt at the moves before.

    It plays one side, or both. Its rival plays one move of five at random, near the centre.
    """
    draw = Random(seed)
    p, sides, claims = drawn_opening(game, draw), ((1,), (2,), (1, 2))[seed % 3], []
    engine.new_game(seed)
    rival.new_game(seed)
    while not (end := game.outcome(p)):
        if p.turn in sides:
            choice = engine.choose(p, limit)
            if claim := claim_in(p, choice):
                claims.append((p, claim))
            move = choice.move
        else:
            move = rival.choose(p, Limit()).move if draw.random() < 0.8 else None
        p = game.play(p, move if move is not None else near(p, game, draw))
    return ClaimsInPlay(claims, end.winner or 0)


def late_positions(game: Gomoku, engine: Engine, seed: int, last: int = 10) -> Iterator[Position]:
    """The positions before the last moves of a game that an engine plays against itself.

    The engine plays one move of five at random, near the centre.
    """
    draw = Random(seed)
    p = drawn_opening(game, draw)
    engine.new_game(seed)
    positions = list[Position]()
    while not game.outcome(p):
        positions.append(p)
        move = engine.choose(p, Limit()).move if draw.random() < 0.8 else near(p, game, draw)
        p = game.play(p, move if move is not None else near(p, game, draw))
    yield from positions[-last:]


def crowded_positions(game: Gomoku, seed: int, count: int = 5) -> Iterator[Position]:
    """Boards of stones at random, most of them near the centre: threats of both sides all over."""
    for number in range(count):
        draw = Random(1000 * seed + number)
        yield random_position(draw.getrandbits(20), game, draw.randrange(12, 50))


def drawn_opening(game: Gomoku, draw: Random) -> Position:
    p = game.start()
    for _ in range(draw.randrange(4, 8)):
        p = game.play(p, near(p, game, draw))
    return p


def near(p: Position, game: Gomoku, draw: Random) -> Move:
    while True:
        cells = random_cells(draw.getrandbits(32), game.size, 1)
        move = max(range(len(cells)), key=cells.__getitem__)
        if not p.cells[move]:
            return move


class Judged(NamedTuple):
    """A claim about a position, and the truth."""

    seed: int
    position: Position
    claim: Claim
    verdict: Verdict


def judged(
    engine: str, nodes: int, seeds: Iterator[int], rule: Rule = "freestyle", allowed: int = 0
) -> Iterator[Judged]:
    """The claims that a selective search of this number of nodes makes in games by these seeds."""
    game = game_of(rule)
    factory = load.factory("engine", engine)
    claimant = claims_of(factory(game, search="selective"), Limit(nodes=nodes))
    judge = Judge(game, claimant, allowed or HALF_A_MINUTE)
    player = load.factory("engine", "live_dead")(game, depth=2)
    for seed in seeds:
        for p in (*late_positions(game, player, seed), *crowded_positions(game, seed)):
            if claim := claimant(p):
                yield Judged(seed, p, claim, judge.verdict(p, claim))


def judged_in_play(
    engine: str, nodes: int, seeds: Iterator[int], rule: Rule = "freestyle", allowed: int = 0
) -> Iterator[Judged]:
    """The claims of such a search in games that it plays, with all that it learnt in them.

    A win that it says it has, and does not bring home, is refuted too.
    """
    game = game_of(rule)
    factory = load.factory("engine", engine)
    player, anew = (factory(game, search="selective") for _ in range(2))
    judge = Judge(game, claims_of(anew, Limit(nodes=nodes)), allowed or HALF_A_MINUTE)
    rival = load.factory("engine", "live_dead")(game, depth=2)
    for seed in seeds:
        played = claims_in_play(game, player, Limit(nodes=nodes), rival, seed)
        for p, claim in played.claims:
            verdict = judge.verdict(p, claim) if played.is_kept() else "refuted"
            yield Judged(seed, p, claim, verdict)


def main() -> None:
    """Judge as many claims as are asked for, and print those that do not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=("balance", "live_dead"))
    parser.add_argument("--claims", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="the first game's")
    parser.add_argument("--played", action="store_true", help="in games, with what is kept")
    parser.add_argument("--rule", choices=("freestyle", "standard", "renju"), default="freestyle")
    given = parser.parse_args()
    verdicts, slowest = Counter[str](), 0.0
    seeds = iter(range(given.seed, sys.maxsize))
    began = time.process_time()
    judging = judged_in_play if given.played else judged
    for each in judging(given.engine, given.nodes, seeds, given.rule):
        verdicts[each.verdict] += 1
        slowest, began = max(slowest, time.process_time() - began), time.process_time()
        print(f"game {each.seed}: {dict(verdicts)}, {slowest:.1f} s", end="\r", file=sys.stderr)
        if each.verdict != "holds":
            print(each.verdict, each.claim, "seed", each.seed, each.position, flush=True)
        if verdicts.total() >= given.claims:
            break
    print(dict(verdicts), f"the slowest in {slowest:.0f} s of CPU time, to game {each.seed}")


if __name__ == "__main__":
    main()
