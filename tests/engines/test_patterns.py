"""patterns: its evaluation equals the twin's, kept from move to move; strong plays its games."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.samples import ROOT
from twins.boards import game_of, kept_state, random_cells
from twins.patterns import counted_weights, pattern_numbers_at
from twins.search import LiveDeadTwin, SelectiveTwin
from twins.threats import random_position, winning_moves

from arena.config.reader import read_config
from arena.engine import Choice, Engine, Limit
from arena.engines import balance, patterns
from arena.engines.kit.benchmarks import positions
from arena.engines.kit.bounds import INFINITY
from arena.engines.kit.clock import begin
from arena.engines.kit.pattern_tables import (
    FITTED,
    FITTED_MOVES,
    OTHER,
    OWN,
    POINTS,
    SEARCH,
    move_weights_in,
    weights_in,
)
from arena.engines.kit.record import new_board
from arena.engines.kit.selective.moves import find_near
from arena.engines.kit.selective.parameters import constants
from arena.engines.kit.selective.positions import static_value
from arena.engines.kit.selective.search import begin_moves, next_move
from arena.engines.kit.shapes.board import play, point_value, put, undo
from arena.engines.kit.shapes.codes import (
    MARKS,
    MOVE_WEIGHTS,
    PATTERNS,
    WEIGHTS,
    Tables,
    move_worth,
    pattern_numbers,
)
from arena.engines.kit.shapes.table import RANKS, Rule, cell_of
from arena.engines.kit.threats.forced_wins import win_by_fours
from arena.engines.strong import NODES, UNHURRIED, engine as strong
from arena.errors import ConfigError
from arena.game import Game, Move, Position
from arena.games.gomoku import Gomoku
from arena.plugins.build import load_engine
from arena.plugins.parameters import parameters
from fit_moves.pattern_moves import pattern_moves

RULES: list[Rule] = ["freestyle", "standard", "renju"]
SIDES = {"freestyle": 1, "standard": 1, "renju": 2}


def random_weights(rule: Rule, seed: int = 1) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Weights of which hardly two are alike, for one mover or each of two."""
    return np.random.default_rng(seed).integers(-30_000, 30_000, SIDES[rule] * WEIGHTS)


def saved(folder: Path, **arrays: Any) -> str:
    np.savez(folder / "tables.npz", **arrays)
    return str(folder / "tables.npz")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [9, 11])
def test_the_weights_that_count_are_the_twins(rule: Rule, size: int, tmp_path: Path) -> None:
    game, weights = game_of(rule, size), random_weights(rule)
    tables = saved(tmp_path, weights=weights)
    features = patterns.features(game, tables=tables, threats=True)
    value = patterns.evaluate(game, tables=tables, threats=True)
    for seed in range(4):
        cells, player = random_cells(seed, size, 5 + 7 * seed), seed % 2
        twin = counted_weights(cells, size, player, rule)
        first = player * WEIGHTS if rule == "renju" else 0
        indices, counts = features.of(Position(cells, player + 1))
        found = zip(indices, counts, strict=True)
        assert dict(found) == {first + place: count for place, count in twin.items()}
        total = sum(count * weights[first + place] for place, count in twin.items())
        assert value(Position(cells, player + 1)) == total


@pytest.mark.parametrize("rule", RULES)
def test_the_moves_that_are_sorted_are_those_near_stones_with_the_patterns_of_their_points(
    rule: Rule, tmp_path: Path
) -> None:
    game, size = game_of(rule, 11), 11
    worths = np.random.default_rng(2).integers(-5_000, 5_000, MOVE_WEIGHTS)
    moves = saved(tmp_path, worths=worths)
    features = pattern_moves(game, moves=moves, fitted_moves=True)
    board = patterns.engine(game, moves=moves).board
    assert features.start.tolist() == worths.tolist()
    sorted_at = 0
    for seed in range(12):
        cells, player = random_cells(seed, size, 8), seed % 2
        found, rows = features.of(Position(cells, player + 1))
        put(board, cells, ())
        scorer = LiveDeadTwin(size, rule, {})
        near = SelectiveTwin(scorer, player).near(cells) & {*scorer.allowed(cells, player)}
        assert {*found} in (set(), near)
        for move, row in zip(found, rows, strict=True):
            assert row.tolist() == [*pattern_numbers_at(cells, size, move, player, rule)]
            assert worths[row].sum() == move_worth(board, cell_of(move, size), player)
        sorted_at += bool(found)
    assert sorted_at > 5


@pytest.mark.parametrize("rule", RULES)
def test_where_moves_are_forced_none_are_sorted(rule: Rule) -> None:
    game = game_of(rule)
    features = pattern_moves(game, moves="", fitted_moves=True)
    p = game.start()
    lengths = []
    for move in (112, 0, 113, 14, 114, 210, 115):
        p = game.play(p, move)
        lengths.append(len(features.of(p)[0]))
    # Quiet moves; then Black has a live three, which White must answer; then fives are at hand.
    assert all(lengths[:4])
    assert lengths[4:] == [0, 0, 0]


@pytest.mark.parametrize("rule", RULES)
def test_moves_are_tried_in_the_order_of_their_worth(rule: Rule, tmp_path: Path) -> None:
    game = game_of(rule)
    worths = np.random.default_rng(3).integers(-5_000, 5_000, MOVE_WEIGHTS)
    board = patterns.engine(game, moves=saved(tmp_path, worths=worths), breadth=625).board
    p = Position(random_cells(5, 15, 6), 1)
    put(board, p.cells, ())
    begin(board, Limit())
    find_near(board)
    board["top"] = 0
    begin_moves(board, 0, 3, 0, 0, False)
    order = []
    while cell := next_move(board, 0, 3, 0, -INFINITY, -INFINITY, True):
        order.append(move_worth(board, cell, 0))
        board["node_tried"][0] += 1
    assert len(order) > 20
    assert order == sorted(order, reverse=True)


@pytest.mark.parametrize("rule", RULES)
def test_totals_kept_from_move_to_move_are_those_found_anew(rule: Rule) -> None:
    size, rng, weights = 15, random.Random(4), random_weights(rule)
    tables = Tables(weights, np.zeros(MOVE_WEIGHTS, np.int64))
    boards = [new_board(size, rule, (0,) * RANKS, tables, with_classes=True) for _ in range(2)]
    board, other = boards
    cells = bytearray(random_cells(1, size, 24))
    for each in boards:
        put(each, bytes(cells), ())
    start, played = pattern_state(board), []
    for ply in range(30):
        played.append(rng.choice([m for m, stone in enumerate(cells) if not stone]))
        cells[played[-1]] = 1 + ply % 2
        play(board, cell_of(played[-1], size), ply % 2)
        put(other, bytes(cells), played)
        assert pattern_state(board) == pattern_state(other)
    for _ in played:
        undo(board)
    assert pattern_state(board) == start


@pytest.mark.parametrize("rule", RULES)
def test_points_are_worth_as_much_as_where_values_are_kept(rule: Rule) -> None:
    size, weights = 15, (0, 11, 11, 101, 1_019, 1_013, 10_037, 10_007, 100_003, 1_000_000)
    tables = Tables(random_weights(rule), np.zeros(MOVE_WEIGHTS, np.int64))
    board, other = (
        new_board(size, rule, weights, *each, with_classes=True) for each in ((tables,), ())
    )
    for seed in range(3):
        cells = random_cells(seed, size, 40)
        put(board, cells, ())
        put(other, cells, ())
        for cell in (cell_of(move, size) for move, stone in enumerate(cells) if not stone):
            assert point_value(board, cell) == other["values"][cell]


def pattern_state(board: Any) -> Any:
    classes = board["classes"].reshape(-1, 2)[board["cells"] == 0].tolist()
    return board["pattern_totals"].tolist(), classes, kept_state(board)


def test_stones_played_while_patterns_rest_are_taken_back_too() -> None:
    board = patterns.engine(game_of("freestyle")).board
    cells = random_cells(3, 15, 20)
    put(board, cells, ())
    start, states = pattern_state(board), []
    free = [cell_of(move, 15) for move, stone in enumerate(cells) if not stone]
    for index, cell in enumerate(free[60:80]):
        states.append(pattern_state(board))
        board["with_patterns"] = index % 2
        play(board, cell, index % 2)
    board["with_patterns"] = 1
    while states:
        undo(board)
        state = states.pop()
        assert pattern_state(board)[1:] == state[1:]
    assert pattern_state(board) == start


def test_a_search_for_fours_leaves_patterns_as_it_found_them() -> None:
    game = game_of("freestyle")
    player = patterns.engine(game, inner_fours=20)
    for _, p in positions(game):
        player.choose(p, Limit(nodes=3_000))
        board = player.board
        assert board["with_patterns"] == 1
        after = static_value(board, p.turn - 1)
        begin(board, Limit())
        win_by_fours(board, p.turn - 1, 20, 1_000)
        put(board, p.cells, p.moves)
        assert static_value(board, p.turn - 1) == after


def test_sums_of_marks_tell_all_patterns_apart() -> None:
    numbers = pattern_numbers()
    assert sorted(numbers[numbers >= 0]) == [*range(715)] == [*range(PATTERNS)]
    assert numbers[4 * MARKS[-1]] == 714


@pytest.mark.parametrize("rule", RULES)
def test_the_search_sees_at_leaves_what_the_tables_say(rule: Rule, tmp_path: Path) -> None:
    game = game_of(rule)
    tables = saved(tmp_path, weights=random_weights(rule) // 100)
    player = patterns.engine(game, tables=tables)
    value = patterns.evaluate(game, tables=tables, threats=True)
    for seed in range(20):
        p = Position(random_cells(seed, 15, 3 * seed), 1 + seed % 2)
        put(player.board, p.cells, ())
        assert static_value(player.board, p.turn - 1) == value(p)


def test_what_being_on_the_move_is_worth_is_added_to_each_value(tmp_path: Path) -> None:
    game, weights = game_of("freestyle"), random_weights("freestyle") // 2
    p = Position(random_cells(3, 15, 20), 1)
    plain = patterns.evaluate(game, tables=saved(tmp_path, weights=weights), threats=True)(p)
    tables = saved(tmp_path, weights=weights, to_move=77.2)
    assert patterns.evaluate(game, tables=tables, threats=True)(p) == plain + 77


def test_in_renju_weights_of_one_mover_are_those_of_both(tmp_path: Path) -> None:
    game, weights = game_of("renju"), random_weights("freestyle")
    features = patterns.features(game, tables=saved(tmp_path, weights=weights), threats=True)
    assert features.start.tolist() == [*weights, *weights]


def test_without_threats_masks_are_worth_nothing(tmp_path: Path) -> None:
    game, weights = game_of("freestyle"), random_weights("freestyle")
    tables = saved(tmp_path, weights=weights)
    features = patterns.features(game, tables=tables, threats=False)
    assert (features.start[2 * PATTERNS : -1] == 0).all()
    assert features.start[:PATTERNS].tolist() == weights[:PATTERNS].tolist()
    assert features.start[-1] == weights[-1]


ZEROS, MOVE_ZEROS = np.zeros(WEIGHTS), np.zeros(MOVE_WEIGHTS)


@pytest.mark.parametrize(
    ("key", "arrays", "fault"),
    [
        ("tables", {"weights": np.zeros(7)}, "`weights` must be 1943 finite numbers"),
        ("tables", {"weights": np.zeros(2 * WEIGHTS)}, "`weights` must be 1943 finite"),  # renju's
        ("tables", {"other": ZEROS}, "holds no weights"),
        ("tables", {"weights": ZEROS + np.nan}, "`weights` must be 1943 finite numbers"),
        ("tables", {"weights": ZEROS, "to_move": np.nan}, "`to_move` must be a finite number"),
        ("tables", {"weights": ZEROS, "to_move": [0, 0]}, "`to_move` must be a finite number"),
        ("moves", {"weights": MOVE_ZEROS}, "holds no worths"),
        ("moves", {"worths": ZEROS}, "`worths` must be 1430 finite numbers"),
        ("moves", {"worths": MOVE_ZEROS + np.inf}, "`worths` must be 1430 finite numbers"),
        ("moves", {"worths": MOVE_ZEROS, "rule": "renju"}, "holds worths for renju"),
    ],
)
def test_a_file_of_other_arrays_is_refused(
    key: str, arrays: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=rf"tables\.npz.*{fault}"):
        load_engine(f"patterns:{key}={saved(tmp_path, **arrays)}", game_of("freestyle"))


@pytest.mark.parametrize("content", [b"", b"weights", b"PK\x03\x04 and no more", None])
def test_a_file_not_of_numpy_is_refused(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "mine.npz"
    with file.open("wb") as opened:
        np.save(opened, ZEROS)  # one array, which is no archive
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"mine\.npz holds no weights: ."):
        load_engine(f"patterns:tables={file}", game_of("freestyle"))


@pytest.mark.parametrize("mask", [0x01, 0xFF])
def test_a_file_damaged_anywhere_is_refused_with_its_name(mask: int, tmp_path: Path) -> None:
    """Exceptions of zipfile, zlib and numpy are ConfigErrors; some damage is harmless."""
    file, faults = tmp_path / "damaged.npz", list[str]()
    np.savez_compressed(file, weights=random_weights("freestyle"))
    intact = file.read_bytes()
    for place in (*range(mask % 4, 200, 4), *range(mask % 4 - 120, 0, 4)):
        damaged = bytearray(intact)
        damaged[place] ^= mask
        file.write_bytes(damaged)
        try:
            load_engine(f"patterns:tables={file}", game_of("freestyle"))
        except ConfigError as error:
            faults.append(str(error))
    assert len(faults) > 40
    assert all(f"{file} holds no weights: " in each for each in faults)


@pytest.mark.parametrize("rule", RULES)
def test_a_file_that_names_another_rule_is_refused_by_place(rule: Rule, tmp_path: Path) -> None:
    saved(tmp_path, weights=np.zeros(WEIGHTS), rule=np.array(rule))
    for other in RULES:
        game = "renju" if other == "renju" else f"{{gomoku: {{rule: {other}}}}}"
        config = tmp_path / f"{other}.yaml"
        config.write_text(
            f"game: {game}\nengines:\n- {{name: own, engine: random_mover}}\n"
            "- {name: fitted, engine: patterns,\n   tables: tables.npz}\n"
        )
        if other == rule:
            read_config(config)
            continue
        with pytest.raises(
            ConfigError, match=rf"npz holds weights for {rule}, and .* {other}"
        ) as e:
            read_config(config)
        assert str(e.value).startswith(f"{config}:5:12: ")
        with pytest.raises(ConfigError, match=f"holds weights for {rule}"):
            load_engine(f"patterns:tables={tmp_path / 'tables.npz'}", game_of(other))


def test_initiative_is_no_parameter_and_all_other_constants_are() -> None:
    known = {each.name for each in parameters(patterns.engine)}
    assert {*constants()} - known == {"initiative"}
    with pytest.raises(TypeError, match="initiative"):
        patterns.engine(game_of("freestyle"), initiative=3)


@pytest.mark.parametrize("rule", RULES)
def test_weights_made_by_hand_are_sums_of_the_directions(rule: Rule) -> None:
    weights = weights_in(game_of(rule), fitted=False).reshape(SIDES[rule], WEIGHTS)
    for mover in weights:
        for place, ranks in ((0, (0, 0, 0, 0)), (PATTERNS - 1, (9, 9, 9, 9)), (1, (0, 0, 0, 1))):
            assert mover[place] == sum(OWN[rank] for rank in ranks)
            assert mover[PATTERNS + place] == sum(OTHER[rank] for rank in ranks)


@pytest.mark.parametrize("rule", RULES)
def test_the_tables_that_it_comes_with_are_those_of_freestyle_in_each_rule(rule: Rule) -> None:
    game, freestyle = game_of(rule), weights_in(game_of("freestyle"))
    fitted, by_hand = (weights_in(game, fitted=given) for given in (True, False))
    assert fitted.shape == by_hand.shape == (SIDES[rule] * WEIGHTS,)
    assert (fitted.reshape(-1, WEIGHTS) == freestyle).all()
    assert (fitted != by_hand).sum() > 400 * SIDES[rule]


def test_worths_made_by_hand_are_the_shapes_of_both_sides_and_the_fitted_ones_are_others() -> None:
    game, numbers = game_of("freestyle"), pattern_numbers()
    by_hand, fitted = (move_weights_in(game, fitted=given) for given in (False, True))
    player = patterns.engine(game, fitted_moves=False)
    for ranks in ((0, 0, 0, 0), (1, 1, 2, 4), (3, 6, 6, 8)):
        number = numbers[sum(int(MARKS[rank]) for rank in ranks)]
        worth = sum(POINTS[rank] for rank in ranks)
        assert by_hand[[number, PATTERNS + number]].tolist() == [worth * 110 // 100, worth]
        sums = player.board["move_worths"][[MARKS[[*ranks]].sum()]]
        assert sums.tolist() == [by_hand[number]]
    assert fitted.shape == by_hand.shape == (MOVE_WEIGHTS,)
    assert (fitted != by_hand).sum() > 400


def test_its_search_has_constants_of_its_own_which_can_be_given() -> None:
    game = game_of("freestyle")
    defaults = {each.name: each.default for each in parameters(patterns.engine)}
    usual = {each.name: each.default for each in parameters(balance.engine)}
    assert {n: defaults[n] for n in constants() if defaults.get(n, usual[n]) != usual[n]} == SEARCH
    for given, expected in (({}, SEARCH), ({name: usual[name] for name in SEARCH},) * 2):
        board = patterns.engine(game, **given).board
        assert {name: board[name] for name in SEARCH} == expected


def test_the_files_that_it_comes_with_are_the_only_ones_and_name_their_rule() -> None:
    assert {*FITTED.parent.iterdir()} == {FITTED, FITTED_MOVES}
    assert {str(np.load(file)["rule"]) for file in (FITTED, FITTED_MOVES)} == {"freestyle"}


def test_of_a_game_with_a_fault_a_file_of_tables_is_no_second_one(tmp_path: Path) -> None:
    saved(tmp_path, weights=np.zeros(WEIGHTS), rule=np.array("standard"))
    config = tmp_path / "round.yaml"
    config.write_text(
        "game: {gomoku: {size: 99}}\nengines:\n- {name: own, engine: random_mover}\n"
        "- {name: fitted, engine: patterns, tables: tables.npz}\n"
    )
    with pytest.raises(ConfigError) as error:
        read_config(config)
    (fault,) = error.value.faults
    assert fault.place == f"{config}:1:23"


LEVELS = range(1, 10)
GAME = game_of("freestyle")
FIRST, *_ = (p for _, p in positions(GAME))
FEW, MANY = 15, 40
"""Positions with a five to make, and with a five to prevent, at each level and by each rule."""


def choices_of(player: Engine, game: Game, opening: str, limit: Limit) -> list[Choice]:
    player.new_game(0)
    p, found = game.start(), list[Choice]()
    for move in map(game.parse, opening.split()):
        p = game.play(p, move)
    while not game.outcome(p) and p.ply < 40:
        found.append(player.choose(p, limit))
        assert found[-1].move is not None
        p = game.play(p, found[-1].move)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_it_plays_the_games_of_patterns(rule: Rule) -> None:
    game = game_of(rule)
    own, other = load_engine("strong", game), load_engine("patterns", game)
    for opening, nodes in (("7,7 8,8 6,8", 3_000), ("7,7 5,8 3,6 8,5", 20_000), ("", 700)):
        limit = Limit(nodes=nodes)
        assert choices_of(own, game, opening, limit) == choices_of(other, game, opening, limit)


def searched(limit: Limit, **parameters: int) -> Choice:
    return strong(GAME, **parameters).choose(FIRST, limit)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_a_number_of_nodes_that_a_limit_can_only_lower(level: int) -> None:
    whole = searched(Limit(), level=level)
    assert whole == searched(Limit(nodes=NODES[level]))
    assert whole == searched(Limit(nodes=NODES[level] + 1, seconds=3600.0), level=level)
    assert searched(Limit(nodes=7), level=level).nodes == min(7, NODES[level])


def test_levels_have_more_and_more_nodes() -> None:
    assert len(NODES) - 1 == LEVELS[-1]
    assert all(fewer < more for fewer, more in pairwise(NODES))


@pytest.mark.slow
def test_without_a_level_only_limits_end_a_search_and_without_any_it_ends_too() -> None:
    assert searched(Limit(nodes=NODES[9] + 1000)).nodes == NODES[9] + 1000
    assert searched(Limit()).nodes == searched(Limit(depth=60)).nodes == UNHURRIED


def test_depth_is_the_most_that_is_searched() -> None:
    assert searched(Limit(), depth=5).depth == 5
    assert searched(Limit(depth=3), depth=5).depth == 3


@pytest.mark.parametrize(
    ("limit", "least"), [(Limit(seconds=0.4), 0.35), (Limit(time_left=20.0), 0.3)]
)
def test_it_uses_the_time_that_it_has(limit: Limit, least: float) -> None:
    player = strong(GAME)
    began = time.monotonic()
    choice = player.choose(FIRST, limit)
    assert least < time.monotonic() - began < 10
    assert choice.depth > 3


def decided(game: Gomoku, is_own: bool, count: int) -> Iterator[tuple[Position, list[Move]]]:
    """Positions where the side to move can win at once, or else must prevent that, and how."""
    found = 0
    for seed in range(100_000):
        p = random_position(seed, game, 20 + seed % 20)
        own, other = (winning_moves(game, p, player) for player in (p.turn, 3 - p.turn))
        answers = own if is_own else [] if own or len(other) > 1 else other
        if game.rule == "renju" and p.turn == 1:
            answers = [move for move in answers if not game.forbidden(p, move)]
        if answers:
            yield p, answers
            found += 1
        if found == count:
            return


@pytest.mark.parametrize("is_own", [True, False], ids=["own", "other"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("levels", "count"),
    [(LEVELS[:1], FEW), pytest.param(LEVELS, MANY, marks=pytest.mark.slow)],
    ids=["weakest", "all"],
)
def test_every_level_makes_its_five_and_answers_a_four(
    levels: Sequence[int], count: int, rule: Rule, is_own: bool
) -> None:
    game = game_of(rule)
    cases = list(decided(game, is_own, count))
    assert len(cases) == count
    for level in levels:
        player = strong(game, level=level)
        for p, answers in cases:
            player.new_game(0)
            assert player.choose(p, Limit()).move in answers, (level, p)


def test_the_page_and_the_config_have_its_levels() -> None:
    page = (ROOT / "docs/strength.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| ([\d ]+) \|", page, re.MULTILINE)
    assert rows == [(str(level), f"{NODES[level]:,}".replace(",", " ")) for level in LEVELS]
    config = read_config(ROOT / "configs/levels.yaml")
    assert [player.engine.name for player in config.players] == ["strong"] * len(LEVELS)
    assert [player.engine.parameters["level"] for player in config.players] == [*LEVELS]
    names = [player.name for player in config.players]
    assert config.format.parameters["of"] == [[more, less] for less, more in pairwise(names)]
    assert len(config.openings) == 100
