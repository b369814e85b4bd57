"""The forcing search: known wins are found, and every line is forced by the referee's rules."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from support.samples import ROOT
from twins.boards import game_of
from twins.fours import check_win, twin_wins
from twins.threats import board_with, random_position

from arena.engine import Limit
from arena.engines.kit import forcing
from arena.engines.kit.forcing import MOST_FOURS, ForcingSearch
from arena.engines.kit.shapes.table import Rule
from arena.engines.kit.threats.forced_wins import shortest_win
from arena.game import Game, Position

DATA = json.loads((ROOT / "research/benchmarks/positions/vcf.json").read_text())
CASES = DATA["cases"]
RULES: list[Rule] = ["freestyle", "standard", "renju"]


def position(case: dict[str, Any], game: Game) -> Position:
    """A case's position; the file gives columns first."""
    p = game.start()
    for column, row in case["moves"]:
        p = game.play(p, row * game.size + column)
    assert p.turn == (1 if case["to_move"] == "black" else 2)
    return p


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_known_wins_are_found_at_their_length(case: dict[str, Any]) -> None:
    game = game_of(case["rule"])
    p = position(case, game)
    search = ForcingSearch(game)
    line = search.win(p, limit=Limit(nodes=10_000))  # some 10 ms
    assert len(line) // 2 == case["fours"]
    assert [line[0] % 15, line[0] // 15] in case["winning_first_moves_shortest"]
    check_win(game, p, line)
    assert (search.finding, search.is_decided) == ("win", True)
    assert not search.win(p, fours=case["fours"] - 1)
    assert (search.finding, search.is_decided) == ("more fours", False)
    assert search.win(p, fours=10**6) == line


def random_board(seed: int, game: Any) -> Position:
    """A board with more than the usual number of threats."""
    return random_position(seed, game, random.Random(seed).randint(10, game.size * 3))


def check_random_positions(seeds: range, rule: Rule) -> int:
    """Checks each win found; returns how many there were."""
    game = game_of(rule)
    search = ForcingSearch(game)
    found = 0
    for seed in seeds:
        p = random_board(seed, game)
        line = search.win(p, limit=Limit(nodes=100_000))
        if line:
            found += 1
            check_win(game, p, line)
    return found


@pytest.mark.parametrize("rule", RULES)
def test_no_false_win_on_some_random_positions(rule: Rule) -> None:
    assert check_random_positions(range(60), rule) > 5


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("part", range(4))
def test_no_false_win_on_a_thousand_random_positions(rule: Rule, part: int) -> None:
    assert check_random_positions(range(250 * part, 250 * (part + 1)), rule) > 25


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5, 7])
def test_search_equals_a_slow_twin(rule: Rule, size: int) -> None:
    """Wins of up to two fours, found or not, on boards full of edges."""
    game = game_of(rule, size)
    search = ForcingSearch(game)
    wins = 0
    for seed in range(40 if size == 7 else 80):
        p = random_board(seed, game)
        expected = twin_wins(game, p, 2)
        assert bool(search.win(p, fours=2)) == expected, (seed, p)
        wins += expected
        if search.finding == "no win":
            assert not twin_wins(game, p, 4), (seed, p)
    assert wins > 3


def test_a_four_that_only_a_forbidden_point_answers_wins_for_white() -> None:
    """7,7 is a double-three for Black: the line ends with that reply."""
    p = board_with(game_of("renju"), "7,6 7,8 6,7 8,7 6,6 12,12", "8,8 9,9 10,10 0,0 0,14", turn=2)
    game = game_of("renju")
    line = ForcingSearch(game).win(p)
    assert [game.text(move) for move in line] == ["11,11", "7,7"]
    check_win(game, p, line)
    assert not ForcingSearch(game_of("standard")).win(p)


def test_black_does_not_win_by_a_double_four() -> None:
    p = board_with(
        game_of("renju"), "7,4 7,5 7,6 4,7 5,7 6,7", "7,3 3,7 0,0 0,14 14,0 14,14", turn=1
    )
    standard = game_of("standard")
    assert standard.text(ForcingSearch(standard).win(p)[0]) == "7,7"
    assert not ForcingSearch(game_of("renju")).win(p)


def test_black_does_not_stop_a_five_with_a_double_four() -> None:
    """White's five on 7,7 must be stopped there; under standard, Black's stone there wins."""
    p = board_with(
        game_of("renju"), "7,4 7,5 7,6 4,7 5,7 6,7 12,12", "7,3 3,7 8,8 9,9 10,10 11,11", turn=1
    )
    assert ForcingSearch(game_of("standard")).win(p)
    assert not ForcingSearch(game_of("renju")).win(p)


def test_limits_end_the_search() -> None:
    game = game_of("freestyle")
    case = max(
        (case for case in CASES if case["rule"] == "freestyle"), key=lambda case: case["fours"]
    )
    p = position(case, game)
    search = ForcingSearch(game)
    for limit in (Limit(nodes=5), Limit(seconds=0), Limit(time_left=0)):
        assert search.win(p, limit=limit) == ()
        assert (search.finding, search.is_decided) == ("limit", False)
        assert search.nodes <= 6
    assert search.win(p, limit=Limit(seconds=5))
    assert search.win(game.start()) == ()
    assert (search.finding, search.is_decided) == ("no win", True)


def test_a_search_is_decided_by_itself_whatever_the_one_before_it_came_to() -> None:
    game = game_of("freestyle")
    four = "7,3 7,4 7,5 7,6"
    undecided = board_with(game, "7,4 7,5 7,6 4,7 5,7 6,7", "0,0 0,14")
    lost = board_with(game, "", four, turn=1)
    won = board_with(game, four, "", turn=1)
    search = ForcingSearch(game)
    for fours in (0, -1):
        assert search.win(undecided, fours) == ()
        assert search.finding == "more fours"
        assert search.win(lost, fours) == ()
        assert search.finding == "no win"
        assert len(search.win(won, fours, Limit(nodes=0))) == 1
        assert search.finding == "win"


def test_the_clock_begins_when_the_kernels_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the first call compiled for longer than the first search may take."""
    game, compiled = game_of("freestyle"), []

    def compiled_late(*values: Any) -> Any:
        if not compiled:
            time.sleep(0.2)
        compiled.append(values)
        return shortest_win(*values)

    monkeypatch.setattr(forcing, "shortest_win", compiled_late)
    search = ForcingSearch(game)
    assert search.nodes == 0
    p = board_with(game, "7,4 7,5 7,6 4,7 5,7 6,7", "0,0 0,14")
    assert search.win(p, limit=Limit(seconds=0.1))
    assert search.is_decided


def test_no_more_fours_are_looked_for_than_the_documentation_says() -> None:
    assert MOST_FOURS == 52
    for text in (ForcingSearch.win.__doc__, (ROOT / "docs/writing_engines.md").read_text("utf-8")):
        assert "52" in str(text)


THREES = "7,6 0,0 7,7 0,14 6,8 14,0 5,8 14,14"
"""Two open twos of the first player, which is to move: one point makes two threes of them."""


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_a_win_by_threes_is_seen_within_its_nodes(rule: Rule) -> None:
    game = game_of(rule)
    search, p = ForcingSearch(game), game.start()
    assert not search.wins_by_threats(p)
    for move in map(game.parse, THREES.split()):
        p = game.play(p, move)
    assert not search.win(p)
    assert search.wins_by_threats(p)
    assert not search.wins_by_threats(p, nodes=0)
    assert not search.wins_by_threats(game.play(p, game.parse("14,7")))
