"""Wins by fours, and by fours and threes: claims hold against every defence, and none is missed."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.samples import ROOT
from support.sweep import in_turn
from twins.boards import game_of
from twins.threats import (
    Attack,
    board_with,
    check_claim,
    check_line,
    check_win,
    random_position,
    twin_fours,
    twin_wins,
)

from arena.engine import Limit
from arena.engines import live_dead
from arena.engines.kit import forcing
from arena.engines.kit.clock import begin
from arena.engines.kit.forcing import ForcingSearch
from arena.engines.kit.shapes.board import count_of, first_of, key_after, play, put, undo
from arena.engines.kit.shapes.table import FOUR_AND_THREE, ONE_FIVE, ONE_FOUR, TWO_FOURS, Rule
from arena.engines.kit.threats.forced_wins import (
    has_fours,
    is_threatened,
    list_completing,
    list_defences,
    may_follow,
    shortest_win,
    win_by_fours,
    win_by_threats,
)
from arena.engines.kit.threats.prediction import MOST_MOVES
from arena.game import Game, Position
from arena.games import gomoku

RULES: list[Rule] = ["freestyle", "standard", "renju"]
NODES = 1_000_000


def board_of(game: Any) -> Any:
    return live_dead.engine(game, search="selective").board  # type: ignore[union-attr]


def plies_found(search: Callable[..., int], board: Any, p: Position, moves: int) -> int:
    """Plies of the win that a search finds; 0 if it finds none."""
    begin(board, Limit())
    put(board, p.cells, p.moves)
    board["root_player"], board["top"] = p.turn - 1, 0
    return int(search(board, p.turn - 1, moves, NODES))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("moves", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_wins_by_fours_and_threes_are_those_of_a_slow_twin(rule: Rule, moves: int) -> None:
    game = game_of(rule, 6)
    board, found = board_of(game), 0
    for seed in range(40):
        p = random_position(seed, game, random.Random(seed).randint(6, 18))
        plies = plies_found(win_by_threats, board, p, moves)
        # The last move before the five needs no search, and is not counted.
        is_won = twin_wins(game, p, plies // 2) if plies else twin_wins(game, p, moves)
        assert is_won == (plies > 0), (seed, p)
        found += plies > 1
    assert found > 2


@pytest.mark.parametrize("rule", RULES)
def test_a_win_by_fours_is_one_by_fours_and_threes(rule: Rule) -> None:
    game = game_of(rule, 9)
    board, found = board_of(game), 0
    for seed in range(60):
        p = random_position(seed, game, random.Random(seed).randint(8, 18))
        by_fours = plies_found(win_by_fours, board, p, 3)
        assert bool(by_fours) <= bool(plies_found(win_by_threats, board, p, 4)), (seed, p)
        found += by_fours > 1
    assert found > 2


@pytest.mark.parametrize("rule", RULES)
def test_a_four_can_be_made_on_two_cells_at_least(rule: Rule) -> None:
    """So none is overlooked where they are counted together, in any rule."""
    game = game_of(rule, 9)
    board, found = board_of(game), 0
    for seed in range(60):
        p = random_position(seed, game, random.Random(seed).randint(8, 30))
        put(board, p.cells, p.moves)
        for player in (0, 1):
            greater = count_of(board, player, ONE_FIVE) + count_of(board, player, TWO_FOURS)
            cells = count_of(board, player, ONE_FOUR) + count_of(board, player, FOUR_AND_THREE)
            assert greater > 0 or cells != 1, (seed, p)
            found += has_fours(board, player)
    assert found > 10


def cells_of(board: Any, player: int, *kinds: int) -> list[int]:
    classes = board["classes"].reshape(-1, 2)[:, player]
    return [cell for cell, kind in enumerate(classes) if kind in kinds and not board["cells"][cell]]


def boards(rule: Rule, stones: int, count: int) -> Iterator[tuple[Any, int]]:
    """Random boards with up to this number of stones, and each player in turn."""
    game = game_of(rule, 11)
    board = board_of(game)
    for seed in range(count):
        p = random_position(seed, game, random.Random(seed).randint(stones // 2, stones))
        put(board, p.cells, p.moves)
        yield board, 0
        yield board, 1


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_a_four_that_is_left_out_leads_to_no_two_fours(rule: Rule) -> None:
    """Most fours are left out where only one more move could follow."""
    left_out, followed, fours = 0, 0, 0
    for board, player in boards(rule, 40, 400):
        greater = count_of(board, player, ONE_FIVE) + count_of(board, player, TWO_FOURS)
        if greater:
            continue
        for cell in cells_of(board, player, ONE_FOUR, FOUR_AND_THREE):
            may = may_follow(board, cell, player)
            play(board, cell, player)
            play(board, first_of(board, player, ONE_FIVE), 1 - player)
            assert count_of(board, player, ONE_FIVE) == 0
            follows = count_of(board, player, TWO_FOURS) > 0
            undo(board)
            undo(board)
            assert may or not follows, (board["moves"][: board["stones"]], cell)
            fours, left_out, followed = fours + 1, left_out + (not may), followed + follows
    assert followed > 30
    assert 2 * left_out > fours


@pytest.mark.parametrize("rule", RULES)
def test_a_search_that_leaves_fours_out_finds_the_wins_of_a_complete_one(rule: Rule) -> None:
    found = 0
    for board, player in boards(rule, 40, 300):
        for fours in (2, 3):
            plies = []
            for complete in (0, 1):
                # Black's last four in renju is tried without `complete`, as if there were one more.
                more = int(complete and rule == "renju" and player == 0)
                begin(board, Limit())
                board["complete"], board["top"] = complete, 0
                board["salt"] += 1  # neither finds what the other has stored
                plies.append(int(win_by_fours(board, player, fours + more, NODES)))
            board["complete"] = 0
            if rule != "renju" or player == 0:
                assert plies[0] == plies[1], (board["moves"][: board["stones"]], fours)
            found += plies[0] > 3
    assert found > 30


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_the_cells_that_complete_fours_are_those_of_the_board_with_the_stone(rule: Rule) -> None:
    found = 0
    for board, player in boards(rule, 40, 200):
        if count_of(board, player, ONE_FIVE):
            continue
        for cell in cells_of(board, player, ONE_FOUR, FOUR_AND_THREE, TWO_FOURS):
            end = list_completing(board, cell, player)
            kept = board["stack"][board["top"] : end].tolist()
            key = key_after(board, cell, player)
            play(board, cell, player)
            assert board["key"] == key
            assert kept == [cell, *cells_of(board, player, ONE_FIVE)]
            undo(board)
            found += len(kept) > 2
    assert found > 30


@pytest.mark.parametrize("rule", RULES)
def test_a_threat_is_one_that_has_defences(rule: Rule) -> None:
    found = 0
    for board, player in boards(rule, 40, 200):
        if count_of(board, 1 - player, ONE_FIVE) == 0:
            threatened = is_threatened(board, player)
            assert list_defences(board, player) == threatened
            found += threatened
    assert found > 20


BOARDS = [(9, 12, 3), (8, 100, 4), (11, 20, 4), (15, 20, 3)]


def check_random_claims(game: Any, seeds: range, moves: int) -> list[int]:
    """Checks each win claimed; returns how many positions each met."""
    attack = Attack(game)
    met = []
    for seed in seeds:
        p = random_position(seed, game, random.Random(seed).randint(8, game.size * 2))
        line = attack.line(p, moves)
        if line:
            check_line(game, p, line)
            met.append(check_claim(game, p, moves, attack))
    return met


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("size", "boards", "moves", "rule"), in_turn((*each, rule) for each in BOARDS for rule in RULES)
)
def test_claims_hold_against_every_defence(size: int, boards: int, moves: int, rule: Rule) -> None:
    met = check_random_claims(game_of(rule, size), range(boards), moves)
    assert max(met) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("size", "moves"), [(6, 1), (6, 2)])
def test_attacks_are_those_of_a_slow_twin(rule: Rule, size: int, moves: int) -> None:
    """Won or not, with up to two moves before the five."""
    game = game_of(rule, size)
    attack = Attack(game)
    wins = 0
    for seed in range(24):
        p = random_position(seed, game, random.Random(seed).randint(6, size * 3))
        expected = twin_wins(game, p, moves)
        assert bool(attack.line(p, moves)) == expected, (seed, p)
        wins += expected
    assert wins > 2


def test_a_double_three_wins_in_two_moves_before_the_five() -> None:
    game = gomoku.game()
    p = board_with(game, "7,5 7,6 5,7 6,7", "0,0 0,2 0,12 0,14")
    attack = Attack(game)
    line = attack.line(p, 2)
    assert line[0] == game.parse("7,7")
    assert len(line) == 5
    assert not attack.line(p, 1)
    check_line(game, p, line)


def test_a_counter_four_delays_a_win_and_may_spoil_it() -> None:
    """White's three in a row gives a four, and the four a five or a block with gain."""
    game = gomoku.game()
    attack = Attack(game)
    delayed = board_with(game, "7,5 7,6 5,7 6,7 14,3", "0,0 14,4 14,5 14,6")
    assert not attack.line(delayed, 2)
    line = attack.line(delayed, 3)
    assert len(line) == 7
    check_line(game, delayed, line)
    spoilt = board_with(game, "7,5 7,6 5,7 6,7", "1,1 2,2 4,4 14,4 14,5 14,7 14,8")
    assert not attack.line(spoilt, MOST_MOVES)


def test_a_live_three_that_only_forbidden_points_answer_wins_for_white() -> None:
    """Black would make six in a row at either end of it."""
    game = game_of("renju", 15)
    black = "4,4 5,4 6,4 8,4 9,4 4,8 5,8 6,8 8,8 9,8"
    p = board_with(game, black, "7,5 7,6 3,4 10,4 3,8 10,8", turn=2)
    line = Attack(game).line(p, 2)
    assert line[0] == game.parse("7,7")
    check_line(game, p, line)
    assert not Attack(game_of("freestyle", 15)).line(p, 2)


def test_nodes_end_an_attack() -> None:
    game = gomoku.game()
    p = board_with(game, "7,5 7,6 5,7 6,7 14,3", "0,0 14,4 14,5 14,6")
    assert not Attack(game, nodes=2).line(p, MOST_MOVES)
    assert Attack(game, nodes=100).line(p, MOST_MOVES)


DATA = json.loads((ROOT / "research/benchmarks/positions/vcf.json").read_text())
CASES = DATA["cases"]


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
        expected = twin_fours(game, p, 2)
        assert bool(search.win(p, fours=2)) == expected, (seed, p)
        wins += expected
        if search.finding == "no win":
            assert not twin_fours(game, p, 4), (seed, p)
    assert wins > 3


def test_a_four_that_only_a_forbidden_point_answers_wins_for_white() -> None:
    """7,7 is a double-three for Black: the line ends with that reply."""
    p = board_with(game_of("renju"), "7,6 7,8 6,7 8,7 6,6 12,12", "8,8 9,9 10,10 0,0 0,14", turn=2)
    game = game_of("renju")
    line = ForcingSearch(game).win(p)
    assert [game.text(move) for move in line] == ["11,11", "7,7"]
    check_win(game, p, line)
    assert not ForcingSearch(game_of("standard")).win(p)


@pytest.mark.parametrize(
    ("black", "white", "move"),
    [
        ("7,4 7,5 7,6 4,7 5,7 6,7", "7,3 3,7 0,0 0,14 14,0 14,14", "7,7"),
        # White's five on 7,7 must be stopped there; under standard, Black's stone there wins.
        ("7,4 7,5 7,6 4,7 5,7 6,7 12,12", "7,3 3,7 8,8 9,9 10,10 11,11", "7,7"),
    ],
)
def test_black_neither_wins_nor_stops_a_five_by_a_double_four(
    black: str, white: str, move: str
) -> None:
    renju, standard = game_of("renju"), game_of("standard")
    p = board_with(renju, black, white, turn=1)
    assert standard.text(ForcingSearch(standard).win(p)[0]) == move
    assert not ForcingSearch(renju).win(p)


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
