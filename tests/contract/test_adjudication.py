"""Laws of every rule that ends games early, put to each file in arena/match/adjudication."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from arena import load_game
from arena.engine import Choice, Limit, Remark
from arena.game import REASONS, Game, Position
from arena.match.adjudication import Rule, draw_after, rules_of
from arena.match.play import place_opening, play_game
from arena.match.record import GameRecord, Job
from arena.match.terms import Terms
from arena.plugins.load import Named, factory, module, names
from arena.plugins.parameters import fit, parameters

NAMES = names("adjudication")
GAME = load_game("gomoku:size=7")
OFTEN: dict[str, dict[str, Any]] = {
    "resign": {"score": 50, "moves": 1},
    "draw": {"score": 60, "moves": 1, "after": 6},
    "draw_at_empty": {"draw_at_empty": 30},
    "proof": {"fours": 10, "nodes": 1000},
}
"""Values at which random games are ended."""


def rules(name: str) -> list[Rule]:
    return rules_of(GAME, [Named(name, OFTEN[name])])


class Told:
    def __init__(self, moves: list[int], scores: list[int | None]) -> None:
        self._moves = moves
        self._scores = scores

    def new_game(self, seed: int) -> None:
        pass

    def choose(self, p: Position, limit: Limit) -> Choice:
        return Choice(self._moves[p.ply], score=self._scores[p.ply])

    def close(self) -> None:
        pass


SCORES = st.lists(
    st.one_of(st.none(), st.sampled_from([-60, -50, 0, 50, 60])), min_size=49, max_size=49
)
CELLS = st.permutations(range(49))


def played(
    moves: list[int], scores: list[int | None], wanted: tuple[Named, ...], opening: str = ""
) -> GameRecord:
    told = Told(moves, scores)
    terms = Terms(game=Named("gomoku"), adjudication=wanted)
    return play_game(GAME, (told, told), Job("one", "two", opening), terms=terms)


@pytest.mark.parametrize("name", NAMES)
def test_its_parameters_have_ranges_and_phrases_and_no_key_of_the_terms(name: str) -> None:
    for parameter in parameters(factory("adjudication", name)):
        assert parameter.range
        assert parameter.about
    assert not fit(factory("adjudication", name), OFTEN[name])[1]
    assert not {name} & {*Terms.__dataclass_fields__}


def test_no_two_are_at_the_same_place_in_the_order() -> None:
    assert len({module("adjudication", name).ORDER for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
@given(CELLS, SCORES)
@settings(max_examples=40)
def test_games_are_as_without_it(name: str, moves: list[int], scores: list[int | None]) -> None:
    whole, ended = (played(moves, scores, wanted) for wanted in ((), (Named(name, OFTEN[name]),)))
    assert whole.moves.split()[: ended.plies] == ended.moves.split()
    assert whole.scores.split()[: ended.plies] == ended.scores.split()
    acts = ended.plies < whole.plies or ended.reason != whole.reason
    (rule,) = rules(name)
    remarks = [None, *(Remark(ply % 2 + 1, score=score) for ply, score in enumerate(scores))]
    for p, said in zip(positions(GAME, ended), remarks, strict=False):
        outcome = rule.outcome(p, said)
        assert bool(outcome) == (acts and p.ply == ended.plies) or GAME.outcome(p)
    if acts:
        assert outcome
        assert (outcome.winner, outcome.reason) == (ended.winner, ended.reason)
        assert ended.reason in REASONS
    else:
        assert (ended.winner, ended.reason) == (whole.winner, whole.reason)


def positions(game: Game, record: GameRecord) -> list[Position]:
    moves = [game.parse(text) for text in record.moves.split()]
    return list(accumulate(moves, game.play, initial=game.start()))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "proof"])
@given(CELLS, SCORES, st.integers(0, 6))
@settings(max_examples=20)
def test_openings_are_silent(
    name: str, moves: list[int], scores: list[int | None], plies: int
) -> None:
    opening = " ".join(map(GAME.text, moves[:plies]))
    if GAME.outcome(place_opening(GAME, opening)):
        return
    silent = [*[None] * plies, *scores[plies:]]
    wanted = (Named(name, OFTEN[name]),)
    with_opening, without = played(moves, scores, wanted, opening), played(moves, silent, wanted)
    assert (with_opening.moves, with_opening.reason) == (without.moves, without.reason)


@pytest.mark.parametrize("name", NAMES)
def test_each_game_has_a_rule_of_its_own(name: str) -> None:
    terms = Terms(game=Named("gomoku"), adjudication=(Named(name, OFTEN[name]),))
    start = GAME.start()
    assert draw_after(GAME, start, terms) == draw_after(GAME, start, terms) is None
    assert rules(name) != rules(name)
