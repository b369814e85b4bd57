"""Wins by fours, and by fours and threes: what is found is there, and what is there is found."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from twins.boards import game_of
from twins.threats import random_position, twin_wins

from arena.engine import Limit
from arena.engines import live_dead
from arena.engines.kit.clock import begin
from arena.engines.kit.shapes.board import count_of, first_of, key_after, play, put, undo
from arena.engines.kit.shapes.table import FOUR_AND_THREE, ONE_FIVE, ONE_FOUR, TWO_FOURS, Rule
from arena.engines.kit.threats.forced_wins import (
    has_fours,
    is_threatened,
    list_completing,
    list_defences,
    may_follow,
    win_by_fours,
    win_by_threats,
)
from arena.game import Position

RULES: list[Rule] = ["freestyle", "standard", "renju"]
NODES = 1_000_000


def board_of(game: Any) -> Any:
    """The board of a selective player."""
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
    """The empty cells of these classes, in order."""
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
def test_the_cells_that_complete_fours_are_those_of_the_board_where_the_stone_is_played(
    rule: Rule,
) -> None:
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
