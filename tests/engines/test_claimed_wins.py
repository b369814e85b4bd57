"""Wins and losses that the selective searches claim hold against every defence."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from twins.boards import game_of
from twins.claimed_wins import judged
from twins.claims import Claim, Judge
from twins.solver import PROVEN, solved
from twins.solver_board import is_denied, new_solving, place, show
from twins.threats import board_with, legal, random_position

from arena.bench.measures.search import (
    SEARCHED,
    VCF_NODES,
    Solvable,
    known_fours,
    reached,
    searched,
    searcher,
)
from arena.engine import Engine, Limit
from arena.game import Game, Position
from arena.games.gomoku import Gomoku
from arena.games.renju import Renju
from engines.kit.shapes.table import Rule

RULES: list[Rule] = ["freestyle", "standard", "renju"]
CASES = known_fours()


def rules_of(case: Solvable) -> Gomoku:
    """The game that a case is of."""
    return game_of("renju" if case.rule == "renju" else "freestyle")


@cache
def sides_that_can_win(game: Game, p: Position) -> int:
    """The side that wins whatever the other does, 0 if neither can: by trying everything."""
    if end := game.outcome(p):
        return end.winner or 0
    found = [
        sides_that_can_win(game, Position(q.cells, q.turn, q.moves[-1:])) for q in after(game, p)
    ]
    return p.turn if p.turn in found else 0 if 0 in found or not found else 3 - p.turn


def after(game: Game, p: Position) -> list[Position]:
    """The positions one move later."""
    return [game.play(p, move) for move in legal(p)]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5, 6])
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


def test_the_solver_forbids_what_the_referee_forbids() -> None:
    game = Renju(15)
    solving, found = new_solving(game), 0
    for seed in range(60):
        p = random_position(seed, game, Random(seed).randint(10, 60), turn=1)
        show(solving, game, p)
        for move in legal(p):
            cell = place(*divmod(move, game.size), solving.stride)
            is_forbidden = game.forbidden(p, move) is not None
            assert is_denied(solving, cell, 1) == is_forbidden, (seed, game.text(move))
            found += is_forbidden
    assert found > 30


@pytest.mark.parametrize("case", CASES[::5])
def test_the_solver_finds_known_wins(case: Solvable) -> None:
    game = rules_of(case)
    p = reached(game, case.moves)
    assert solved(new_solving(game), game, p, p.turn, 10_000) == PROVEN


def test_the_solver_judges_every_defence_of_an_open_three() -> None:
    """Two threes that cross win; one of them alone does not, nor if White has a four first."""
    game = game_of("freestyle")
    crossing = board_with(game, "7,7 7,8 8,6 9,6", "0,0 0,2 14,14 14,12", turn=1)
    alone = board_with(game, "7,7 7,8", "0,0 0,2", turn=1)
    first = board_with(game, "7,7 7,8 8,6 9,6 14,4", "0,0 0,1 0,2 14,14 14,12", turn=2)
    solving = new_solving(game)
    assert solved(solving, game, crossing, 1, 100_000) == PROVEN
    assert solved(solving, game, alone, 1, 10_000) != PROVEN
    assert solved(solving, game, first, 1, 10_000) != PROVEN
    assert solved(solving, game, alone, 2, 10_000) != PROVEN


def check_claims(engine: str, nodes: int, seeds: range, rule: Rule = "freestyle") -> int:
    """Checks that all claims hold, but for 2 of 100 that stay undecided; returns their number."""
    verdicts = Counter[str]()
    for each in judged(engine, nodes, iter(seeds), rule, 1_000_000):
        assert each.verdict != "refuted", each
        verdicts[each.verdict] += 1
    assert verdicts["undecided"] <= 0.02 * verdicts.total(), verdicts
    return verdicts.total()


@pytest.mark.parametrize("engine", SEARCHED)
def test_some_claims_hold(engine: str) -> None:
    assert check_claims(engine, 2_000, range(2)) > 4


@pytest.mark.slow
@pytest.mark.parametrize("engine", SEARCHED)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("nodes", [1_000, 20_000])
def test_many_claims_hold(engine: str, rule: Rule, nodes: int) -> None:
    assert check_claims(engine, nodes, range(100, 110), rule) > 20


def test_a_claim_that_does_not_hold_is_refuted() -> None:
    """White is said to win in spite of Black's open four, Black of White's."""
    game = game_of("freestyle")
    p = board_with(game, "7,5 7,6 7,7 7,8", "0,0 0,2 0,4 14,0", turn=2)
    judge = Judge(game, lambda _: None)
    assert judge.verdict(p, Claim(2, game.parse("7,4"))) == "refuted"
    assert judge.verdict(p, Claim(1, None)) == "holds"
    assert judge.verdict(game.start(), Claim(1, game.parse("7,7"))) == "undecided"


@cache
def selective(engine: str, rule: str) -> tuple[Game, Engine]:
    """A selective searcher, which is built once."""
    return searcher(engine, {"search": "selective"}, rule)


@pytest.mark.parametrize("engine", SEARCHED)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{len(case.moves)}")
def test_known_wins_by_fours_are_seen_within_some_20_ms(case: Solvable, engine: str) -> None:
    """By a move known to win, or by another, after which every defence fails."""
    game, player = selective(engine, case.rule)
    p = reached(game, case.moves)
    choice = searched(player, p, Limit(nodes=VCF_NODES)).choice
    assert int(choice.info["proven"]) > 0
    assert choice.move is not None
    if choice.move not in case.best:
        q = game.play(p, choice.move)
        assert solved(new_solving(rules_of(case)), rules_of(case), q, p.turn, 100_000) == PROVEN
