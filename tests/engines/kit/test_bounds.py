"""Kinds of bound: the one that a search's result is, and the searches that it answers."""

from __future__ import annotations

from itertools import product
from typing import Any, cast

import pytest

from arena.engines.kit import bounds
from arena.engines.kit.bounds import AT_LEAST, AT_MOST, EXACTLY

bound_kind = cast(Any, bounds.bound_kind).py_func
settles = cast(Any, bounds.settles).py_func


@pytest.mark.parametrize(
    ("value", "kind"), [(1, AT_MOST), (2, AT_MOST), (3, EXACTLY), (4, AT_LEAST), (5, AT_LEAST)]
)
def test_a_result_is_exact_only_strictly_between_alpha_and_beta(value: int, kind: int) -> None:
    assert bound_kind(value, 2, 4) == kind


def test_a_stored_value_answers_a_search_only_if_no_true_value_could_tell_otherwise() -> None:
    """Of all true values that a bound allows, each leads to the same side of alpha and beta."""
    allowed = {EXACTLY: int.__eq__, AT_LEAST: int.__ge__, AT_MOST: int.__le__}
    for kind, value, alpha, beta in product(allowed, range(8), range(1, 7), range(1, 7)):
        true_values = [true for true in range(-9, 18) if allowed[kind](true, value)]
        alike = all(true >= beta for true in true_values)
        alike |= all(true <= alpha for true in true_values)
        if alpha < beta:
            assert settles(kind, value, alpha, beta) == (alike or kind == EXACTLY)


def test_an_entry_that_was_never_written_answers_nothing() -> None:
    assert not any(settles(0, value, -1, 1) for value in (-2, 0, 2))
