"""Simulated studies of Optuna's own: a bad trial ends early, and the strongest point is found."""

from __future__ import annotations

import pytest

from benchmarks.landscapes import GAP
from benchmarks.measures.pruners import found_row, pruner_row

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["MedianPruner", "WilcoxonPruner 0.03"])
def test_bad_trials_end_early_in_most_studies_and_good_ones_in_few(name: str) -> None:
    row = pruner_row(name, range(5))
    assert row["bad_ended"] >= 3
    assert row["good_ended"] <= 1
    assert row["bad_games"] < row["good_games"]


def test_the_strongest_point_is_found_as_by_our_own_method() -> None:
    row = found_row(range(3))
    assert row["loss"] < GAP / 2
    assert row["loss_of_tpe"] < GAP / 2
