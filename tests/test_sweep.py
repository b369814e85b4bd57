"""The cases of sweeps that a landing tries."""

from __future__ import annotations

from itertools import chain

import pytest
from support import sweep


def test_a_whole_sweep_takes_all_cases_at_any_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "step", sweep.WHOLE)
    monkeypatch.setattr(sweep, "turn", 7)
    assert sweep.in_turn("abc", 5) == ["a", "b", "c"]
    assert sweep.cases(20) == 20


@pytest.mark.parametrize("count", [1, 3, 6, 9, 10, 18, 46])
def test_forty_commits_run_each_case_of_each_test(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "step", sweep.TENTH)
    run = set[int]()
    for turn in range(1000, 1040):
        monkeypatch.setattr(sweep, "turn", turn)
        found = sweep.in_turn(range(count))
        assert 1 <= len(found) <= -(-count // sweep.TENTH)
        run.update(i for i in found if sweep.is_quarter_in_turn(f"test[{i}]"))
    assert run == {*range(count)}


def test_four_commits_run_each_test_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [f"tests/test_{i}.py::test_it" for i in range(180)]
    quarters = []
    for turn in range(7, 11):
        monkeypatch.setattr(sweep, "turn", turn)
        quarters.append([*filter(sweep.is_quarter_in_turn, tests)])
    assert sorted(chain(*quarters)) == sorted(tests)
    assert min(map(len, quarters)) >= 30
