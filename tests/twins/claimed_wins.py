"""Wins and losses that an engine claims near the end of games and on crowded boards, judged.

By hand: python tests/twins/claimed_wins.py balance --claims 2000
With --played, the claims are those of whole games, in which the engine keeps what it learnt.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))
from twins.boards import game_of
from twins.claims import (
    HALF_A_MINUTE,
    Claim,
    Judge,
    Verdict,
    claims_in_play,
    claims_of,
    crowded_positions,
    late_positions,
)

from arena.engine import Limit
from arena.engines.kit.shapes.table import Rule
from arena.game import Position
from arena.plugins import load


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
