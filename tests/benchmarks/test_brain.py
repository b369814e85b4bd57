"""The benchmark of brains: what it measures, and what it says where it cannot."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.measures import brain

NO_COMPILER = not any(map(shutil.which, brain.COMPILERS))


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    (row,) = brain.rows(1)
    assert row == {"name": "brain", "not_measured": "no C compiler here (cc, gcc, clang)"}


@pytest.mark.slow
@pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler")
def test_the_parts_are_those_of_the_whole() -> None:
    whole, parts = brain.rows(1, games=40)
    assert sum(map(float, list(parts.values())[1:])) == pytest.approx(
        whole["microseconds_per_ply"], rel=0.5
    )
    assert whole["ping_pong"] < whole["microseconds_per_ply"]
    assert whole["ratio"] > 1
    assert whole["spread"] > whole["ping_pong"]
    assert whole["speed_up_ratio"] > 0.3
