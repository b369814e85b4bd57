"""The cases of sweeps that a landing tries."""

from __future__ import annotations

import pytest
from support import sweep


@pytest.mark.parametrize("count", [1, 3, 7, 10, 18, 46])
def test_ten_turns_one_after_the_other_take_every_case(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "step", sweep.TENTH)
    taken = set[int]()
    for turn in range(123, 133):
        monkeypatch.setattr(sweep, "turn", turn)
        found = sweep.in_turn(range(count))
        assert 1 <= len(found) <= -(-count // sweep.TENTH)
        taken.update(found)
    assert taken == {*range(count)}


def test_a_whole_sweep_takes_all_cases_at_any_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "step", sweep.WHOLE)
    monkeypatch.setattr(sweep, "turn", 7)
    assert sweep.in_turn("abc", 5) == ["a", "b", "c"]
    assert sweep.cases(20) == 20
