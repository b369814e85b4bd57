"""shape_table: the codes, crossings, potential and prediction that decide, and its tables."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest
from support.sweep import sampled
from twins.threats import Attack, board_with, check_line, legal, random_position

from arena import load_game
from arena.engine import Choice, Limit
from arena.engines import shape_table
from arena.engines.kit import benchmarks
from arena.engines.kit.threats.prediction import VERDICTS
from arena.game import Position
from arena.games import gomoku

GAME: Any = gomoku.game()


def choose(p: Any, game: Any = GAME, limit: Limit | None = None, **parameters: Any) -> Choice:
    return shape_table.engine(game, **parameters).choose(p, limit or Limit())


def move_text(choice: Choice) -> str:
    assert choice.move is not None
    return GAME.text(choice.move)


def test_codes_of_both_sides_add_up() -> None:
    """Black's live three is no own shape of White's, but counts."""
    p = board_with(GAME, "7,5 7,6 7,7", "3,3 11,11 12,3", turn=2)
    assert move_text(choose(p, prediction=0)) in ("7,4", "7,8")
    assert move_text(choose(p, prediction=0, defence=0)) not in ("7,4", "7,8")


def test_the_greater_code_goes_first() -> None:
    """A rush four has the document's 20 and a live three 15; exchanged, so is the choice."""
    p = board_with(GAME, "4,4 4,5 12,1 12,2 12,3", "12,0 8,13 2,12 14,9 10,8")
    fours, threes = {"12,4", "12,5"}, {"4,2", "4,3", "4,6", "4,7"}
    assert move_text(choose(p, prediction=0)) in fours
    assert move_text(choose(p, prediction=0, rush_four=15, live_three=20)) in threes


CROSSED = "3,2 3,4 2,3 4,3  3,12 3,13 3,14 2,11 4,11  11,4 11,5 11,6 12,7 13,7 14,7"
CROSSINGS = {"double_three": "3,3", "three_and_four": "3,11", "double_four": "11,7"}


@pytest.mark.parametrize("crossing", CROSSINGS)
def test_two_codes_at_one_point_combine(crossing: str) -> None:
    """The points added there decide; by default two fours are worth most."""
    p = board_with(GAME, CROSSED, "11,3")
    added = dict.fromkeys(CROSSINGS, 0) | {crossing: 100}
    assert move_text(choose(p, prediction=0, **added)) == CROSSINGS[crossing]
    assert move_text(choose(p, prediction=0)) == CROSSINGS["double_four"]


def test_among_equals_the_point_decides_that_more_stones_see_from_nearby() -> None:
    """Up to three cells from a lone stone a second makes a live two; the nearest see it best."""
    p = board_with(GAME, "4,4", "")
    assert move_text(choose(p, prediction=0)) == "5,5"
    crossed = board_with(GAME, "4,4", "5,2 7,3")
    assert move_text(choose(crossed, prediction=0, defence=0)) == "5,3"


def test_remote_points_come_last() -> None:
    """On the empty board all points are equal, and the centre is nearest to all."""
    assert move_text(choose(GAME.start())) == "7,7"


def test_prediction_finds_a_point_that_wins() -> None:
    """The fourth own move makes two fours; the codes alone, or three moves, do not see it."""
    p = board_with(GAME, "5,2 7,4 7,5 9,8 9,9", "6,7 6,9 8,12 11,6 12,3")
    won = choose(p)
    assert (won.info["prediction"], move_text(won), won.depth) == ("won", "8,5", 9)
    assert len(won.pv) == 9
    check_line(GAME, p, won.pv)
    for fewer in (0, 3):
        other = choose(p, prediction=fewer)
        assert other.info["prediction"] == "quiet"
        assert move_text(other) == "9,6"


def test_prediction_takes_the_other_sides_point_away() -> None:
    """Black would win from 8,11, and does if White goes where the codes say."""
    p = board_with(GAME, "6,11 7,10 8,3 9,11 10,9", "4,2 5,8 6,5 12,8", turn=2)
    attack, codes = Attack(GAME), choose(p, prediction=0)
    assert move_text(codes) == "9,8"
    assert attack.line(GAME.play(p, codes.move), 5)
    assert attack.line(Position(p.cells, 1), 4)[0] == GAME.parse("8,11")
    parried = choose(p)
    assert (parried.info["prediction"], move_text(parried)) == ("parried", "8,11")
    assert not attack.line(GAME.play(p, parried.move), 5)


def test_a_five_is_made_before_one_is_stopped() -> None:
    black, white = "7,3 7,4 7,5 7,6", "7,2 9,3 9,4 9,5 9,6 9,2"
    made = choose(board_with(GAME, black, white))
    assert (move_text(made), len(made.pv)) == ("7,7", 1)
    stopped = choose(board_with(GAME, "7,4 7,5 7,6", "7,3 9,3 9,4 9,5 9,6 8,1 10,7"))
    assert (move_text(stopped), stopped.info["prediction"]) == ("9,2", "lost")


def verdict_holds(p: Position, choice: Choice, attack: Attack, moves: int) -> bool:
    assert choice.move is not None
    other = Position(p.cells, 3 - p.turn)
    after = GAME.play(p, choice.move)
    if choice.info["prediction"] == "won":
        check_line(GAME, p, choice.pv)
        return bool(attack.line(p, moves))
    if choice.info["prediction"] == "quiet":
        return not attack.line(p, moves) and not attack.line(other, moves)
    if choice.info["prediction"] == "parried":
        blocks = attack.line(other, 0) or not attack.line(after, moves)
        return bool(attack.line(other, moves) and blocks and not attack.line(p, moves))
    return all(attack.line(GAME.play(p, move), moves + 1) for move in legal(p))


def test_what_a_prediction_says_is_what_both_sides_attacks_say() -> None:
    engine, attack = shape_table.engine(GAME, prediction=3), Attack(GAME)
    seen = []
    for seed in range(120):
        p = random_position(seed, GAME, 12 + seed % 6)
        choice = engine.choose(p, Limit())
        assert verdict_holds(p, choice, attack, 3), (seed, choice)
        seen.append(choice.info["prediction"])
    assert min(seen.count(verdict) for verdict in VERDICTS) > 3


@pytest.mark.parametrize("seed", [6, 22])
def test_nothing_is_lost_before_the_last_point_is_tried(seed: int) -> None:
    p = random_position(seed, GAME, 12 + seed % 6)
    lost = choose(p, prediction=3)
    assert lost.info["prediction"] == "lost"
    cut = choose(p, prediction=3, limit=Limit(nodes=lost.nodes - 1))
    assert cut.info["prediction"] == "parried"
    assert cut.depth == lost.depth - 2


def test_depth_and_its_own_budget_are_limits() -> None:
    p = dict(benchmarks.positions(GAME))["midgame-3"]
    for depth in range(1, 8):
        assert choose(p, prediction=20, limit=Limit(depth=depth)).depth <= depth
    assert choose(p, prediction=20, budget=700).nodes <= 700


RENJU: Any = load_game("renju")


def test_black_crosses_a_three_and_a_four_where_double_fours_are_forbidden() -> None:
    p = board_with(RENJU, CROSSED, "11,3")
    for crossing in ("double_three", "double_four"):
        assert RENJU.forbidden(p, RENJU.parse(CROSSINGS[crossing]))
    added = {"double_three": 1000, "double_four": 1000}
    assert move_text(choose(p, RENJU, prediction=0, **added)) == CROSSINGS["three_and_four"]


FORBIDDEN = "7,8 7,9 5,7 6,7"  # Black's two threes cross on 7,7


def test_white_wins_by_a_four_that_only_a_forbidden_point_answers() -> None:
    black, white = f"{FORBIDDEN} 12,2", "8,6 9,5 11,3 2,12"
    p = board_with(RENJU, black, white, turn=2)
    assert RENJU.forbidden(Position(p.cells, 1), RENJU.parse("7,7")) == "double-three"
    won = choose(p, RENJU, prediction=1)
    assert [RENJU.text(move) for move in won.pv] == ["10,4", "7,7"]
    check_line(RENJU, p, won.pv)
    assert choose(p, prediction=1).info["prediction"] == "quiet"


def test_white_aims_at_forbidden_points() -> None:
    """A two of White's is worth more on a line with a point forbidden to Black."""
    p = board_with(RENJU, FORBIDDEN, "9,9 2,12 2,2", turn=2)
    worths = {"prediction": 0, "defence": 0}
    assert move_text(choose(p, RENJU, aim=5, **worths)) == "8,8"
    assert move_text(choose(p, RENJU, aim=0, **worths)) == "6,12"


def test_black_does_not_stop_a_five_on_a_forbidden_point() -> None:
    p = board_with(RENJU, f"{FORBIDDEN} 12,2", "8,6 9,5 10,4 11,3")
    choice = choose(p, RENJU)
    assert choice.info["prediction"] == "lost"
    assert not RENJU.forbidden(p, choice.move)


@pytest.mark.parametrize(
    ("white", "moves", "nodes", "verdict"),
    [("8,6 9,5 6,6 5,5", 2, 20, "parried"), ("8,6 9,5 10,4", 1, 50_000, "lost")],
)
def test_black_takes_no_forbidden_point_away(
    white: str, moves: int, nodes: int, verdict: str
) -> None:
    """White makes two live threes there, and a limit comes before an answer is found; or a live
    four, which nothing answers."""
    p = board_with(RENJU, f"{FORBIDDEN} 12,2", white)
    assert RENJU.text(Attack(RENJU).line(Position(p.cells, 2), moves)[0]) == "7,7"
    choice = choose(p, RENJU, limit=Limit(nodes=nodes))
    assert choice.info["prediction"] == verdict
    assert not RENJU.forbidden(p, choice.move)


def check_renju_games(seeds: Iterable[int]) -> None:
    """Play games against itself from random starts; none ends by a forbidden move."""
    engine = shape_table.engine(RENJU, prediction=2)
    for seed in seeds:
        p, rng = RENJU.start(), random.Random(seed)
        for _ in range(6):
            p = RENJU.play(p, rng.choice([m for m in legal(p) if not RENJU.forbidden(p, m)]))
        while not RENJU.outcome(p):
            choice = engine.choose(p, Limit(nodes=500))
            if choice.move is None:
                assert all(RENJU.forbidden(p, move) for move in legal(p))
                break
            p = RENJU.play(p, choice.move)
        end = RENJU.outcome(p)
        assert not end or end.reason != "forbidden"


def test_nobody_loses_a_game_by_a_forbidden_point() -> None:
    check_renju_games(range(5))


@pytest.mark.slow
@pytest.mark.sweep
def test_nobody_loses_a_hundred_games_by_a_forbidden_point() -> None:
    check_renju_games(sampled(range(5, 105)))


def test_black_resigns_where_all_points_are_forbidden() -> None:
    """Among white stones one point is left, and makes seven."""
    cells = bytearray(b"\2" * 225)
    cells[7 * 15 : 7 * 15 + 7] = b"\1\1\1\0\1\1\1"
    p = Position(bytes(cells), 1)
    assert RENJU.forbidden(p, RENJU.parse("7,3")) == "overline"
    assert choose(p, RENJU).move is None
