"""The selective player: its limits, what it keeps in a game, and what it forgets between games."""

from __future__ import annotations

import time
from typing import Any

import pytest
from support.samples import ROOT
from twins.boards import game_of

from arena.config.reader import read_config
from arena.engine import MATE, Limit
from arena.engines import balance, live_dead
from arena.engines.kit.benchmarks import positions
from arena.engines.kit.selective.parameters import constants
from arena.engines.kit.selective.player import SelectivePlayer
from arena.engines.kit.shapes.player import ShapePlayer
from arena.game import Position
from arena.games import gomoku
from arena.plugins.build import load_engine
from arena.plugins.parameters import parameters

ENGINES = {"balance": balance, "live_dead": live_dead}
NAMES = sorted(ENGINES)
GAME = gomoku.game()
MIDGAMES = dict(positions(GAME))


def build(name: str, **options: Any) -> SelectivePlayer:
    player = ENGINES[name].engine(GAME, search="selective", **options)
    assert isinstance(player, SelectivePlayer)
    return player


def after(text: str) -> Position:
    """The position after these moves."""
    p = GAME.start()
    for move in text.split():
        p = GAME.play(p, GAME.parse(move))
    return p


def game_of_its_own(player: SelectivePlayer, plies: int) -> list[object]:
    """The choices of a game that it plays with itself."""
    p, choices = after("7,7 8,8 6,8"), []
    player.new_game(0)
    while not GAME.outcome(p) and len(p.moves) < plies:
        choices.append(player.choose(p, Limit(nodes=2_000)))
        p = GAME.play(p, choices[-1].move)
    return [*choices]


@pytest.mark.parametrize(("share", "wins"), [(1_000, True), (0, False)])
def test_without_a_share_of_the_nodes_no_wins_by_threes_are_looked_for_at_the_root(
    share: int, wins: bool
) -> None:
    few = {"depth": 2, "leaf_fours": 0, "inner_fours": 0, "horizon": 0}
    player = build("balance", root_share=share, **few)
    by_threes = after("7,7 0,0 7,8 0,14 8,7 14,0 9,9 14,14")
    assert (player.choose(by_threes, Limit()).score > MATE // 2) == wins
    assert (player.board["forced_nodes"] > 0) == wins


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_exact_stays_the_default(name: str) -> None:
    assert isinstance(ENGINES[name].engine(GAME), ShapePlayer)


@pytest.mark.parametrize("name", NAMES)
def test_every_constant_is_a_parameter_with_a_range_and_a_phrase(name: str) -> None:
    known = {each.name: each for each in parameters(ENGINES[name].engine)}
    assert known["search"].choices == ("exact", "selective")
    for constant, default in constants().items():
        low, high = known[constant].range.low, known[constant].range.high
        assert low <= default <= high
        assert known[constant].about


@pytest.mark.parametrize("search", ["exact", "selective"])
@pytest.mark.parametrize("wrong", ["dpeth", "nodes", "board"])
def test_a_name_that_is_no_parameter_is_refused(search: str, wrong: str) -> None:
    with pytest.raises(TypeError, match=wrong):
        balance.engine(GAME, search=search, **{wrong: 3})


def test_the_smallest_window_widens_too() -> None:
    player = build("live_dead", window=1, live_three=1)
    assert player.choose(MIDGAMES["midgame-1"], Limit(depth=5, nodes=20_000)).depth == 5


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_kept_from_one_game_to_the_next(name: str) -> None:
    player = build(name)
    first = game_of_its_own(player, 12)
    assert game_of_its_own(player, 12) == first == game_of_its_own(build(name), 12)


def test_the_smallest_table_is_emptied_too() -> None:
    player, limit = build("live_dead", position_bits=1), Limit(depth=4)
    p = MIDGAMES["midgame-1"]
    first = player.choose(p, limit)
    player.new_game(0)
    assert player.choose(p, limit) == first


def test_a_board_that_was_set_up_is_no_start_of_another() -> None:
    player, limit = build("live_dead"), Limit(nodes=3_000)
    one, other = MIDGAMES["midgame-1"], MIDGAMES["midgame-2"]
    player.choose(Position(one.cells, one.turn), limit)
    anew = build("live_dead").choose(other, limit)
    assert player.choose(other, limit) == anew


def test_the_same_stones_in_another_order_are_another_game() -> None:
    player, limit = build("live_dead"), Limit(nodes=3_000)
    player.choose(after("7,7 8,8 6,8"), limit)
    other = after("6,8 8,8 7,7 9,9 7,8")
    assert player.choose(other, limit) == build("live_dead").choose(other, limit)


def test_a_position_of_another_game_is_searched_as_by_a_new_player() -> None:
    player, limit = build("live_dead"), Limit(nodes=3_000)
    for p in MIDGAMES.values():
        assert player.choose(p, limit) == build("live_dead").choose(p, limit)


def test_what_was_learnt_helps_at_the_next_move_of_the_game() -> None:
    p = MIDGAMES["midgame-1"]
    player, limit = build("live_dead"), Limit(depth=6, nodes=10**9)
    first = player.choose(p, limit)
    p = GAME.play(GAME.play(p, first.pv[0]), first.pv[1])
    again, anew = player.choose(p, limit), build("live_dead").choose(p, limit)
    assert again.nodes < anew.nodes


@pytest.mark.parametrize("name", NAMES)
def test_nodes_are_limited_and_counted_the_same_every_time(name: str) -> None:
    p = MIDGAMES["midgame-2"]
    for nodes in (1_000, 5_000):
        limit = Limit(nodes=nodes)
        first, again = build(name).choose(p, limit), build(name).choose(p, limit)
        assert first == again
        assert first.nodes <= nodes
        assert 0 < first.info["first_cutoffs"] <= first.info["cutoffs"]
        assert 0 <= first.info["forced_nodes"] < first.nodes


def test_a_limit_of_depth_holds_and_alone_needs_no_other() -> None:
    p = MIDGAMES["midgame-1"]
    assert build("live_dead").choose(p, Limit()).depth == 3
    assert build("live_dead", depth=5).choose(p, Limit()).depth == 5
    assert build("live_dead").choose(p, Limit(depth=2)).depth == 2
    assert build("live_dead").choose(p, Limit(depth=4)).depth == 4, "the default is 3"
    assert build("live_dead", deepest=4).choose(p, Limit(depth=5)).depth == 4
    assert build("live_dead", deepest=4).choose(p, Limit(nodes=10**9)).depth == 4


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(seconds=0.0), Limit(time_left=0.0)])
def test_even_the_first_depth_stops_and_gives_a_sensible_move(name: str, limit: Limit) -> None:
    player = build(name)
    choice = player.choose(MIDGAMES["midgame-1"], limit)
    assert (choice.depth, choice.nodes) in ((0, 0), (0, 1))
    assert choice.pv == (choice.move,)
    for moves, wanted in (
        ("7,7 0,0 7,8 0,2 7,9 7,6 7,10 0,4", {"7,11"}),  # a five
        ("7,7 0,0 7,8 0,2 7,9 7,6 7,10", {"7,11"}),  # stops a five
        ("7,7 0,0 7,8 0,2 7,9 0,4", {"7,6", "7,10"}),  # an open four
        ("7,7 0,0 7,8 0,2 7,9", {"7,5", "7,6", "7,10", "7,11"}),  # stops an open four
    ):
        choice = player.choose(after(moves), limit)
        assert GAME.text(choice.move) in wanted


def test_no_loss_is_claimed_where_the_nodes_end_before_all_answers_were_tried() -> None:
    p = after("7,7 7,5 5,7 8,6 9,8 8,5 8,7 9,7 10,8 7,6 8,8 11,9 6,10")
    player = build("balance")
    for nodes in (300, 600):
        player.new_game(0)
        assert player.choose(p, Limit(nodes=nodes)).info["proven"] == 0


def test_a_win_that_is_only_believed_is_scored_by_its_plies_too() -> None:
    moves = "7,5 13,0 8,10 6,6 6,11 10,3 14,4 8,6 8,9 7,6 5,6 8,5 6,7 7,8 7,10 9,8 8,7"
    fitted = read_config(ROOT / "research/configs/ladder.yaml").players[0].engine
    choice = load_engine(fitted, GAME).choose(after(moves), Limit(nodes=2_000))
    assert (choice.score, choice.info["proven"]) == (MATE - 9, 0)


def test_time_runs_out_within_milliseconds_and_the_move_is_the_best_known() -> None:
    player, p = build("balance"), MIDGAMES["midgame-1"]
    began = time.monotonic()
    choice = player.choose(p, Limit(seconds=0.05))
    assert time.monotonic() - began < 0.5
    assert choice.depth > 1
    assert GAME.is_legal(p, choice.move)


def test_a_forced_move_takes_no_time_of_the_clock() -> None:
    p, player = after("7,7 0,0 7,8 0,2 7,9 7,6 7,10"), build("balance")
    began = time.monotonic()
    choice = player.choose(p, Limit(time_left=100.0))
    assert GAME.text(choice.move) == "7,11"
    assert time.monotonic() - began < 1.0


def test_a_move_takes_no_more_of_the_clock_than_its_parameters_allow() -> None:
    """100 s leave a share of 4 s."""
    for changed, most in (
        ({}, 8.0),
        ({"share_most": 150}, 6.0),
        ({"share_most": 500, "clock_most": 10}, 10.0),
        ({"clock_most": 1}, 4.0),
    ):
        player = build("balance", **changed)
        player.choose(after("7,7 0,0 7,8 0,2 7,9 7,6 7,10"), Limit(time_left=100.0))
        time_given = player.board["deadline"] - player.board["begun"]
        assert 1e-9 * time_given == pytest.approx(most, abs=0.1)


def test_a_five_is_played_and_the_first_stone_goes_to_the_centre() -> None:
    player = build("balance")
    assert player.choose(GAME.start(), Limit(nodes=100)).move == 7 * 15 + 7
    p = after("7,7 0,0 7,8 0,2 7,9 7,6 7,10 0,4")
    choice = player.choose(p, Limit(nodes=100))
    assert GAME.text(choice.move) == "7,11"
    assert choice.info["proven"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_black_resigns_where_every_point_is_forbidden(name: str) -> None:
    game = game_of("renju", 9)
    stripes = ("112" * 3, "221" * 3)
    cells = bytearray(int(stone) for row in range(9) for stone in stripes[row // 2 % 2])
    cells[:9] = bytes(int(stone) for stone in "111011122")
    player = ENGINES[name].engine(game, search="selective")
    assert player.choose(Position(bytes(cells), 1), Limit(nodes=100)).move is None


@pytest.mark.parametrize("name", NAMES)
def test_black_plays_no_forbidden_point(name: str) -> None:
    game: Any = game_of("renju", 15)
    player = ENGINES[name].engine(game, search="selective")
    p = game.start()
    player.new_game(0)
    while not game.outcome(p):
        p = game.play(p, player.choose(p, Limit(nodes=500)).move)
    assert game.outcome(p).reason != "forbidden"
