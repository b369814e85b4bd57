"""Wins and losses that the selective searches claim hold against every defence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from random import Random

import pytest
from support.sweep import cases, in_turn, sampled
from twins.boards import game_of
from twins.claimed_wins import Claim, Judge, Judged, judged, judged_in_play
from twins.solver import PROVEN, is_denied, new_solving, place, show, solved
from twins.threats import board_with, legal, random_position

from arena.engine import Limit
from arena.engines.kit.shapes.table import Rule
from arena.game import Game, Position
from arena.games.renju import Renju
from benchmarks.measures.search import SEARCHED, VCF_NODES, known_fours, reached, searched, searcher

RULES: list[Rule] = ["freestyle", "standard", "renju"]
CASES = known_fours()
JUDGED = [(judged, 1_000), (judged, 20_000), (judged_in_play, 5_000)]
Judging = Callable[[str, int, Iterator[int], Rule, int], Iterator[Judged]]


@cache
def sides_that_can_win(game: Game, p: Position) -> int:
    """The side that wins against any play, 0 if neither can: by trying everything."""
    if end := game.outcome(p):
        return end.winner or 0
    found = [
        sides_that_can_win(game, Position(q.cells, q.turn, q.moves[-1:])) for q in after(game, p)
    ]
    return p.turn if p.turn in found else 0 if 0 in found or not found else 3 - p.turn


def after(game: Game, p: Position) -> list[Position]:
    return [game.play(p, move) for move in legal(p)]


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("size", "rule"), in_turn((size, rule) for size in (5, 6) for rule in RULES)
)
def test_the_solver_shows_no_win_where_trying_everything_shows_none(rule: Rule, size: int) -> None:
    """Either side attacks, and either is to move, on boards with seven empty points."""
    game = game_of(rule, size)
    solving, shown, wins = new_solving(game), 0, 0
    for seed in range(20):
        p = random_position(seed, game, size * size - 7)
        for attacker in (1, 2):
            is_won = sides_that_can_win(game, p) == attacker
            is_shown = solved(solving, game, p, attacker, 10_000) == PROVEN
            assert is_won or not is_shown, (seed, p)
            shown, wins = shown + is_shown, wins + is_won
    assert shown > 1
    assert shown > 0.9 * wins


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(20), range(20, 60)], ids=["few", "more"])
def test_the_solver_forbids_what_the_referee_forbids(seeds: Sequence[int]) -> None:
    game = Renju(15)
    solving, found = new_solving(game), 0
    for seed in seeds:
        p = random_position(seed, game, Random(seed).randint(10, 60), turn=1)
        show(solving, game, p)
        for move in legal(p):
            cell = place(*divmod(move, game.size), solving.stride)
            is_forbidden = game.forbidden(p, move) is not None
            assert is_denied(solving, cell, 1) == is_forbidden, (seed, game.text(move))
            found += is_forbidden
    assert found > 10


def check_claims(
    judging: Judging, engine: str, nodes: int, seeds: Iterable[int], rule: Rule = "freestyle"
) -> int:
    """Check that claims hold, where one and 2 % may stay undecided, and return their number."""
    verdicts = Counter[str]()
    for each in judging(engine, nodes, iter(seeds), rule, 1_000_000):
        assert each.verdict != "refuted", each
        verdicts[each.verdict] += 1
    assert verdicts["undecided"] <= 1 + 0.02 * verdicts.total(), verdicts
    return verdicts.total()


@pytest.mark.slow
@pytest.mark.parametrize("judging", [judged, judged_in_play])
@pytest.mark.parametrize("engine", SEARCHED)
def test_some_claims_hold(engine: str, judging: Judging) -> None:
    assert check_claims(judging, engine, 2_000, range(2)) > 2


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("engine", "rule", "judging", "nodes"),
    in_turn((engine, rule, *how) for how in JUDGED for rule in RULES for engine in SEARCHED),
)
def test_many_claims_hold(engine: str, rule: Rule, nodes: int, judging: Judging) -> None:
    assert check_claims(judging, engine, nodes, sampled(range(100, 110)), rule) >= cases(20)


@pytest.mark.slow
def test_a_claim_that_does_not_hold_is_refuted() -> None:
    """White is said to win in spite of Black's open four, Black of White's."""
    game = game_of("freestyle")
    p = board_with(game, "7,5 7,6 7,7 7,8", "0,0 0,2 0,4 14,0", turn=2)
    judge = Judge(game, lambda _: None)
    assert judge.verdict(p, Claim(2, game.parse("7,4"))) == "refuted"
    assert judge.verdict(p, Claim(1, None)) == "holds"
    assert judge.verdict(game.start(), Claim(1, game.parse("7,7"))) == "undecided"


@pytest.mark.slow
@pytest.mark.parametrize("engine", SEARCHED)
def test_known_wins_by_fours_are_seen_within_some_20_ms(engine: str) -> None:
    """By a move known to win, or by another, after which every defence fails."""
    players = {rule: searcher(engine, {"search": "selective"}, rule) for rule in RULES}
    for case in CASES:
        game, player = players[case.rule]
        p = reached(game, case.moves)
        choice = searched(player, p, Limit(nodes=VCF_NODES)).choice
        assert int(choice.info["proven"]) > 0, case
        assert choice.move is not None
        if choice.move not in case.best:
            q = game.play(p, choice.move)
            assert solved(new_solving(game), game, q, p.turn, 100_000) == PROVEN, case
        for move in choice.pv:
            assert game.outcome(p) is None, case
            assert game.is_legal(p, move), case
            p = game.play(p, move)
