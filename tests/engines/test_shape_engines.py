"""balance and live_dead against their slow twins, and within their limits."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import count, islice
from typing import Any

import pytest
from support.sweep import in_turn
from twins.boards import game_of, random_cells
from twins.search import BalanceTwin, LiveDeadTwin, Twin, defaults_of, edges

from arena.engine import Limit
from arena.engines import balance, live_dead
from arena.engines.kit import benchmarks
from arena.engines.kit.bounds import INFINITY
from arena.engines.kit.clock import begin
from arena.engines.kit.record import RECORD
from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.evaluation import is_known, move_rank, remember
from arena.engines.kit.shapes.search import search
from arena.engines.kit.shapes.table import FIVE, RUSH_FOUR, Rule, cell_of
from arena.game import Game, Move, Position
from arena.games import gomoku
from arena.games.renju import Renju

ENGINES = {"balance": (balance, BalanceTwin), "live_dead": (live_dead, LiveDeadTwin)}
NAMES = sorted(ENGINES)


def build(name: str, game: Game, **parameters: Any) -> Any:
    return ENGINES[name][0].engine(game, **parameters)


def twin_of(name: str, game: Any, **parameters: Any) -> Twin:
    rule: Rule = game.rule
    return ENGINES[name][1](game.size, rule, defaults_of(ENGINES[name][0].engine) | parameters)


def random_position(seed: int, game: Game, stones: int) -> Position:
    """Moves in turn, mostly near the centre, until a player has won."""
    rng = random.Random(seed)
    cells = random_cells(seed, game.size, stones)
    sides = [[m for m, stone in enumerate(cells) if stone == player + 1] for player in range(2)]
    for side in sides:
        rng.shuffle(side)
    p = game.start()
    while sides[p.turn - 1] and not game.outcome(p):
        p = game.play(p, sides[p.turn - 1].pop())
    return p if not game.outcome(p) else random_position(seed + 1000, game, stones)


def five_at_hand(game: Game, p: Position) -> bool:
    """True if the side to move can win at once, by the referee's rules."""
    outcomes = (game.outcome(game.play(p, move)) for move in game.moves(p))
    return any(outcome and outcome.winner == p.turn for outcome in outcomes)


CASES = [
    ("balance", 1, {}),
    ("balance", 2, {"max_points": 9, "extension_max": 2}),
    ("balance", 3, {"max_points": 5, "range": 2, "extension_max": 2}),
    ("balance", 3, {"max_points": 4, "table": 0, "extension_max": 0}),
    ("balance", 2, {"table": 0, "range": 1, "denominator": 200, "extension_max": 0}),
    ("live_dead", 1, {}),
    ("live_dead", 2, {}),
    ("live_dead", 3, {"width": 6}),
    ("live_dead", 2, {"defence": 0, "width": 9}),
    ("live_dead", 2, {"threshold": 30}),
]


@pytest.mark.parametrize("rule", ["freestyle", pytest.param("standard", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "depth", "parameters"), CASES)
def test_it_equals_the_twin(name: str, depth: int, parameters: dict[str, Any], rule: Rule) -> None:
    """Move and value, the extension included."""
    for size, stones, positions in ((5, 12, 3), (9, 16, 3), (15, 20, 1)):
        game = game_of(rule, size)
        engine = build(name, game, depth=depth, **parameters)
        twin = twin_of(name, game, depth=depth, **parameters)
        for seed in range(positions):
            check_against_twin(engine, twin, game, random_position(seed, game, stones + seed))


def check_against_twin(engine: Any, twin: Twin, game: Game, p: Position) -> None:
    """One position; where five is at hand, it must be played."""
    choice = engine.choose(p, Limit())
    if five_at_hand(game, p):
        outcome = game.outcome(game.play(p, choice.move))
        assert outcome
        assert outcome.winner == p.turn
        return
    assert (choice.move, choice.score) == twin.search(p.cells, p.moves, p.turn - 1)
    assert choice.pv[0] == choice.move


def forbidden_at_hand(game: Renju, stones: int) -> Iterator[Position]:
    """Positions where Black may not play everywhere, and those before White's last move."""
    for seed in count():
        p = random_position(seed, game, stones)
        if any(game.forbidden(p, move) for move in game.moves(p)):
            yield p
            yield replay(game, p.moves[:-1])


def replay(game: Game, moves: Sequence[Move]) -> Position:
    return reduce(game.play, moves, game.start())


def check_forbidden_points(
    name: str, depth: int, parameters: dict[str, Any], size: int, positions: int
) -> None:
    """None is played, or expected of Black; without the rule, some would be."""
    game, standard = Renju(size), game_of("standard", size)
    engine = build(name, game, depth=depth, **parameters)
    careless = build(name, standard, depth=depth, **parameters)
    twin = twin_of(name, game, depth=depth, **parameters)
    tempting = 0
    for p in islice(forbidden_at_hand(game, 2 * size), positions):
        check_against_twin(engine, twin, game, p)
        outcome = game.outcome(replay(game, p.moves + engine.choose(p, Limit()).pv))
        assert outcome is None or outcome.reason != "forbidden"
        tempting += bool(game.forbidden(p, careless.choose(p, Limit()).move))
    assert tempting > 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "parameters"), CASES)
def test_forbidden_points_are_left_out(name: str, depth: int, parameters: dict[str, Any]) -> None:
    check_forbidden_points(name, depth, parameters, size=9, positions=16)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("name", "depth", "parameters"), in_turn(CASES))
def test_more_forbidden_points_are_left_out(
    name: str, depth: int, parameters: dict[str, Any]
) -> None:
    check_forbidden_points(name, depth, parameters, size=15, positions=40)


OVERLINE = ["111011100", "012120000", "021210000", *["000000000"] * 6]
"""Black's stone on 0,3 would be the seventh in a row."""


def test_where_all_near_points_are_forbidden_any_other_is_a_candidate() -> None:
    game = Renju(9)
    cells = bytes(int(stone) for row in OVERLINE for stone in row)
    p = Position(cells, 1, (game.parse("1,2"), game.parse("1,3")))
    parameters = {"depth": 1, "range": 1, "live_three": 1_000_000, "max_points": 99}
    parameters["extension_max"] = 0
    engine, twin = build("balance", game, **parameters), twin_of("balance", game, **parameters)
    assert engine.choose(p, Limit()).nodes == len(twin.allowed(cells, 0)) == cells.count(0) - 1
    check_against_twin(engine, twin, game, p)


@pytest.mark.parametrize("name", NAMES)
def test_values_equal_the_twin_with_a_five_at_hand(name: str) -> None:
    """The search itself, below the rule that a five is played at once."""
    game = gomoku.game(size=9)
    parameters = {"depth": 1} | ({"extension_max": 0} if name == "balance" else {})
    engine = build(name, game, **parameters)
    found = 0
    for seed in range(60):
        p = random_position(seed, game, 26)
        if five_at_hand(game, p):
            found += 1
            choice = engine.choose(p, Limit())
            twin = twin_of(name, game, **parameters)
            assert choice.score == twin.search(p.cells, p.moves, p.turn - 1)[1]
    assert found > 3


def test_extensions_are_counted_and_equal_the_twin() -> None:
    game = gomoku.game(size=9)
    engine = build("balance", game, depth=2, max_points=4)
    twin = twin_of("balance", game, depth=2, max_points=4)
    extensions = 0
    for seed in range(12):
        p = random_position(seed, game, 22)
        check_against_twin(engine, twin, game, p)
        extensions += engine.choose(p, Limit()).info["extensions"]
    assert extensions > 5


@pytest.mark.parametrize(
    ("stones", "move", "rank"),
    [
        ((36, 37, 38), 39, RUSH_FOUR),
        ((36, 37, 38), 40, RUSH_FOUR),
        ((36, 37, 38, 40), 41, 0),  # the same cell completes
        ((36, 37, 38, 39, 40), 42, 0),  # beside a made five
        ((36, 37, 38, 40), 39, FIVE),
    ],
)
def test_a_four_has_a_new_completing_cell(stones: tuple[int, ...], move: int, rank: int) -> None:
    """Freestyle, a row at the edge; also positions after the end."""
    engine = build("balance", gomoku.game(size=9))
    put(engine.board, bytes(1 if m in stones else 0 for m in range(81)), ())
    assert move_rank(engine.board, cell_of(move, 9), 0) == rank


@pytest.mark.parametrize("name", sorted(benchmarks.MIDGAMES))
def test_zobrist_table_is_hit_and_changes_nothing(name: str) -> None:
    game = gomoku.game()
    p = dict(benchmarks.positions(game))[name]
    answers = []
    for table in (0, 14, 18):
        engine = build("balance", game, depth=8, extension_max=0, table=table)
        answers.append(engine.choose(p, Limit()))
    assert len({(a.move, a.score) for a in answers}) == 1
    assert answers[0].info["hit_rate"] == 0
    assert min(a.info["hit_rate"] for a in answers[1:]) > 0
    rates = [a.info["search_hit_rate"] for a in answers]
    assert rates[0] == 0 < min(rates[1:])
    assert answers[0].nodes > answers[1].nodes >= answers[2].nodes


@pytest.mark.parametrize(
    ("value", "kind"), [(19, "lower"), (20, "lower"), (15, "exact"), (10, "upper"), (11, "upper")]
)
def test_zobrist_table_knows_what_a_search_between_11_and_19_said(value: int, kind: str) -> None:
    board = build("balance", gomoku.game()).board
    board["table_bits"] = 10
    remember(board, 5, value, 11, 19)
    windows = {"all": (-100, 100), "below": (-100, value), "above": (value, 100)}
    known = {name for name, window in windows.items() if is_known(board, 5, *window)}
    expected = {"exact": {"all", "below", "above"}, "lower": {"below"}, "upper": {"above"}}
    assert known == expected[kind]
    assert board["known"] == value
    assert not is_known(board, 6, -100, value)


def test_zobrist_table_never_takes_a_bound_for_the_value() -> None:
    game, bounds = gomoku.game(size=9), 0
    board = build("balance", game, max_points=6).board

    def search_on(alpha: int, beta: int) -> int:
        """Below the root and its moves, where the table is looked into."""
        return int(search(board, p.turn - 1, 3, alpha, beta, 2, 0))

    def search_anew(alpha: int, beta: int) -> int:
        board["salt"] += 1
        return search_on(alpha, beta)

    for seed in range(6):
        p = random_position(seed, game, 12)
        put(board, p.cells, p.moves)
        begin(board)
        board["root_player"], board["table_bits"] = p.turn - 1, 0
        value = search_on(-INFINITY, INFINITY)
        board["table_bits"] = 10
        for alpha, beta in edges(search_anew, value, INFINITY):
            bounds += search_anew(alpha, beta) in {alpha, beta} - {value}
            assert search_on(-INFINITY, INFINITY) == value
    assert bounds >= 5, "a search said what its window ends at, and was asked for more"


def test_records_start_on_whole_words() -> None:
    assert RECORD.isalignedstruct
