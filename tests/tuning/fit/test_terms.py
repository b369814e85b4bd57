"""Coefficients of evaluations: those of ours, of made ones, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from twins.boards import random_cells

from arena import load_game
from arena.engine import Evaluation
from arena.errors import ConfigError
from arena.game import Position
from arena.games.gomoku import Gomoku
from arena.plugins.build import evaluation_of
from arena.plugins.load import Named
from arena.stats.score_scale import Floats
from arena.tuning.fit.terms import Linear, linear_terms, table_terms
from arena.tuning.space import Axis, Space, Values

GAME = Gomoku("gomoku", 9, 5, "freestyle")


def positions(count: int = 60, size: int = 9) -> list[Position]:
    return [
        Position(cells, 1 + n % 2, tuple(m for m, stone in enumerate(cells) if stone))
        for n in range(count)
        for cells in [random_cells(n, size, 1 + n % 40)]
    ]


def axis(name: str, default: float, low: float = 1, high: float = 1_000, **more: Any) -> Axis:
    return Axis(name, default, low, high, is_whole=True, step=1.0, **more)


def facts(p: Position) -> Floats:
    """Three numbers that tell positions apart: own stones less the other's in thirds of rows."""
    parts = np.array_split(np.frombuffer(p.cells, np.uint8), 3)
    return np.array([np.sum(part == p.turn) - np.sum(part == 3 - p.turn) for part in parts])


def made(value: Callable[[Floats, Values], float]) -> Callable[[Values], Evaluation]:
    return lambda values: lambda p: value(facts(p), values)


def terms_of(name: str, axes: Sequence[Axis], **parameters: Any) -> tuple[Linear, list[str]]:
    game, space = load_game("gomoku"), Space(tuple(axes))

    def evaluate(values: Values) -> Evaluation:
        found = evaluation_of(Named(name, space.merged(parameters, values)), game)
        assert found
        return found

    return linear_terms(evaluate, space, positions(100, 15), game)


SHAPES = [
    axis("five", 10_000, 1, 100_000, log=True),
    axis("live_three", 700, 10, 10_000),
    axis("rush_two", 29, 1, 10_000),
    axis("one", 3, 1, 1_000),
]
NARROW = [axis("one", 3, 1, 4), axis("rush_two", 29, 25, 30)]


@pytest.mark.parametrize(
    ("name", "axes", "parameters"),
    [
        ("five_tuple", [axis("three", 100), axis("other_four", 5_000, 1, 50_000)], {}),
        ("five_tuple", [axis("other_centred_three", 2_000, 1, 2_001)], {"search": "published"}),
        ("live_dead", SHAPES, {}),
        ("live_dead", NARROW, {}),
        ("live_dead", SHAPES, {"search": "selective", "initiative": 47}),
        ("balance", SHAPES, {"factor_low": 0.0, "factor_high": 0.0}),
        ("balance", SHAPES, {"factor_low": 0.0, "factor_high": 0.0, "search": "selective"}),
    ],
)
def test_with_any_weights_the_sum(name: str, axes: list[Axis], parameters: dict[str, Any]) -> None:
    linear, others = terms_of(name, axes, **parameters)
    assert not others
    assert linear.names == tuple(each.name for each in axes)
    assert linear.start.tolist() == [each.default for each in axes]
    tried = positions(100, 15)
    counts, values = linear.counts(tried), linear.values(tried)
    assert (abs(counts).max(axis=0).toarray() > 0.9).all(), "a weight that never counts"
    game, random = load_game("gomoku"), np.random.default_rng(1)
    for _ in range(5):
        weights = [round(random.uniform(each.low, each.high)) for each in axes]
        there = dict(zip(linear.names, weights, strict=True))
        own = evaluation_of(Named(name, {**parameters, **there}), game)
        assert own
        terms = counts @ (np.array(weights) - linear.start)
        bound = 1e-9 * np.abs(terms).max() + (5 if "search" in parameters else 0)
        assert np.abs(values + terms - [own(p) for p in tried]).max() <= bound


def test_with_its_factor_balance_is_linear_in_none_of_its_weights() -> None:
    _, others = terms_of("balance", SHAPES)
    assert others == [each.name for each in SHAPES]


def test_the_worth_of_a_move_is_left_out_where_it_multiplies_the_weights() -> None:
    axes = [axis("initiative", 60, 0, 200), *SHAPES]
    linear, others = terms_of("live_dead", axes, search="selective")
    assert others == ["initiative"]
    assert linear.names == tuple(each.name for each in SHAPES)


A, B, C = axis("a", 10), axis("b", 20), Axis("c", 0.5, 0.0, 1.0)


def found_in(value: Callable[[Floats, Values], float], *axes: Axis) -> tuple[Linear, list[str]]:
    return linear_terms(made(value), Space(axes), positions(), GAME)


CROOKED: dict[str, tuple[Callable[[Floats, Any], float], list[str]]] = {
    "linear": (lambda x, w: w["a"] * x[0] + w["b"] * x[1] + w["c"] * x[2] + 7, []),
    "a square": (lambda x, w: w["a"] ** 2 * x[0] + w["b"] * x[1] + w["c"] * x[2], ["a"]),
    "a bound": (lambda x, w: min(w["a"], 500) * x[0] + w["b"] * x[1] + w["c"], ["a"]),
    "a bound below": (lambda x, w: max(w["a"], 10) * x[0] + w["b"] * x[1] + w["c"], ["a"]),
    "a factor": (lambda x, w: w["a"] * (w["b"] * x[0] + w["c"] * x[1]), ["a"]),
    "a product": (lambda x, w: w["a"] * w["b"] * x[0] + w["c"] * x[1], ["b"]),
    "all": (lambda x, w: (w["a"] + w["b"] + w["c"]) ** 2 * x[0], ["a", "b", "c"]),
    "rounded": (lambda x, w: int(w["a"] * x[0] * 0.37 + w["b"] * x[1] * 1.9), []),
}


@pytest.mark.parametrize("name", CROOKED)
def test_what_acts_otherwise_is_named(name: str) -> None:
    value, expected = CROOKED[name]
    linear, others = found_in(value, A, B, C)
    assert others == expected
    assert linear.names == tuple(each for each in "abc" if each not in expected)
    counts = linear.counts(positions())
    assert counts.shape == (60, len(linear.names))
    if not others:
        x = np.stack([facts(p) for p in positions()])
        exact = x * (0.37, 1.9, 0) if name == "rounded" else x
        assert np.abs(counts.toarray() - exact).max() < 5e-3


def test_small_whole_values_are_no_excuse_for_a_square() -> None:
    narrow = axis("a", 1, 1, 3)
    _, others = found_in(lambda x, w: w["a"] ** 2 * np.sign(x[0]) * 4, narrow)
    assert others == ["a"]


def test_choices_and_ranges_of_one_value_are_not_fitted() -> None:
    kind = Axis("kind", "x", choices=("x", "y"))
    fixed = Axis("b", 20, 20, 20.5, is_whole=True, step=1.0)
    linear, others = found_in(lambda x, w: w["a"] * x[0], A, kind, fixed)
    assert (linear.names, others) == (("a",), ["kind", "b"])


@pytest.mark.parametrize(
    ("each", "tried"),
    [
        (axis("a", 10, 1, 100), {100, 55, 10, 1}),
        (axis("a", 90, 1, 100), {1, 46, 45, 90, 100}),
        (axis("a", 1, 1, 100), {1, 50, 51, 100}),
        (Axis("a", 3, 1, 16, log=True, is_whole=True, step=1.0), {3, 9, 10, 16, 1}),
        (Axis("a", 4, 0, 11, is_whole=True, step=2.0), {4, 6, 8, 10, 0}),
    ],
)
def test_only_possible_values_are_tried(each: Axis, tried: set[float]) -> None:
    seen: set[float] = set()

    def evaluate(values: Values) -> Evaluation:
        assert isinstance(values["a"], int)
        seen.add(values["a"])
        return lambda p: float(values["a"]) * facts(p)[0]

    linear, others = linear_terms(evaluate, Space((each,)), positions(), GAME)
    linear.counts(positions())
    assert not others
    assert len(seen) == 3 + (each.default > each.low)
    assert seen <= tried


def test_a_position_that_is_no_sum_is_named_though_it_was_not_tried() -> None:
    rare = next(p for p in positions()[20:] if facts(p)[0])

    def evaluate(values: Values) -> Evaluation:
        return lambda p: float(values["a"]) ** (1 + (p == rare)) * facts(p)[0]

    others_than_it = [p for p in positions() if p != rare]
    linear, others = linear_terms(evaluate, Space((A,)), others_than_it, GAME)
    assert not others
    linear.counts(others_than_it)
    text = " ".join(map(GAME.text, rare.moves))
    with pytest.raises(ConfigError, match=f"no sum of its weights: off by .*, after {text}$"):
        linear.counts(positions())


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused_with_its_position(bad: float) -> None:
    last = positions()[-1]
    with pytest.raises(ConfigError, match=f"is {bad}, after .*{GAME.text(last.moves[-1])}$"):
        linear_terms(lambda _: lambda p: bad if p == last else 1.0, Space((A,)), positions(), GAME)


def test_what_an_engine_raises_is_shown() -> None:
    with pytest.raises(ConfigError, match="KeyError: 'x'"):
        found_in(lambda x, w: w["x"], A)  # type: ignore[arg-type, return-value]


@dataclass(frozen=True)
class Table:
    """Weights of stones by row; `wrong` are counts that go to no weight."""

    size: int = 9
    start: Floats = field(default_factory=lambda: np.arange(0.0, 90.0, 10.0))
    wrong: int = 0

    def of(self, p: Position) -> tuple[Any, Any]:
        rows = np.frombuffer(p.cells, np.uint8).reshape(9, 9)
        counts = (rows == p.turn).sum(1) - (rows == 3 - p.turn).sum(1).astype(float)
        indices = np.flatnonzero(counts)
        return indices + self.wrong, counts[indices]

    def value(self, p: Position) -> float:
        rows = np.frombuffer(p.cells, np.uint8).reshape(9, 9)
        signs = np.where(rows == 0, 0.0, np.where(rows == p.turn, 1.0, -1.0))
        return float(self.start @ signs.sum(1))


@pytest.mark.parametrize("is_told", [True, False])
def test_tables_say_their_counts(is_told: bool) -> None:
    table = Table()
    linear = table_terms(table, table.value if is_told else None, GAME)
    counts, values = linear.counts(positions()), linear.values(positions())
    assert linear.names == tuple("012345678")
    assert counts.shape == (60, 9)
    assert counts @ table.start == pytest.approx(values)
    assert values.tolist() == [table.value(p) for p in positions()]
    assert linear.counts([]).shape == (0, 9)


def test_sums_in_another_order_are_equal() -> None:
    """An error of floating point is left where large terms cancel out."""
    weights = np.random.default_rng(1).uniform(1e8, 1e9, 9) / 3
    table = Table(start=weights)

    def value(p: Position) -> float:
        indices, counts = table.of(p)
        return float(sum(weights[i] * n for i, n in reversed([*zip(indices, counts, strict=True)])))

    tried = positions()
    linear = table_terms(table, value, GAME)
    assert (linear.counts(tried) @ weights != linear.values(tried)).any()


def test_tables_that_are_not_what_the_engine_plays_by_are_refused() -> None:
    last = positions()[-1]
    linear = table_terms(Table(), lambda p: Table().value(p) + (p == last), GAME)
    with pytest.raises(ConfigError, match=r"off by 1\.0, after .*" + GAME.text(last.moves[-1])):
        linear.counts(positions())


def test_the_position_in_which_no_weight_counts_is_named() -> None:
    tried = [Position(bytes(move) + b"\1" + bytes(80 - move), 1, (move,)) for move in (0, 75, 80)]
    with pytest.raises(ConfigError, match=r"there is no weight 9, after 8,3$"):
        table_terms(Table(wrong=1), Table().value, GAME).counts(tried)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (Table(size=8), "start must be 8 finite numbers"),
        (Table(start=np.full(9, np.nan)), "start must be 9 finite numbers"),
        (Table(start=np.zeros(9)), "start is all 0"),
        (Table(start=["a"] * 9), r"features\(\): ValueError: could not convert"),  # type: ignore[arg-type]
        (Table(size=9.0), r"features\(\): TypeError: 'float' object"),  # type: ignore[arg-type]
        (Table(wrong=-1), "there is no weight -1, after "),
    ],
)
def test_tables_of_another_size_are_refused(table: Table, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        table_terms(table, Table().value, GAME).counts(positions())


@dataclass(frozen=True)
class Broken(Table):
    """Tables whose answer is wrong in the last position."""

    answer: Any = None

    def of(self, p: Position) -> tuple[Any, Any]:
        return self.answer if p == positions()[-1] else super().of(p)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, r"features\(\): TypeError: cannot unpack"),
        (([1, 2], [1.0]), "2 weights count, and there are 1 counts, after "),
        (([1.5], [1.0]), "the numbers of the weights must be whole, after "),
        (([1], [float("nan")]), "the count of weight 1 is nan, after "),
    ],
)
def test_a_wrong_answer_of_tables_is_told(answer: Any, words: str) -> None:
    for value in (Table().value, None):
        linear = table_terms(Broken(answer=answer), value, GAME)
        with pytest.raises(ConfigError, match=words):
            linear.counts(positions())
