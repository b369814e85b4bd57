"""The figures in the messages of brains."""

from __future__ import annotations

import re

import pytest

from engines.kit.brain.messages import MATE, Figures, figures


def cell(column: int, row: int) -> int | None:
    return row * 15 + column if 0 <= column < 15 and 0 <= row < 15 else None


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("MESSAGE depth 8-14 ev 35 n 120K n/ms 500 pv H8 I9", Figures(8, 120_000, 35, (112, 128))),
        (
            "MESSAGE Depth 7-12 | Eval -35 | Node 1.5M | Time 12ms | 7,7 8,8",
            Figures(7, 1_500_000, -35, (112, 128)),
        ),
        ("MESSAGE DEPTH: 3 VALUE: +12 NODES: 99", Figures(3, 99, 12)),
        ("MESSAGE depth=5, score=+M3, nodes=10", Figures(5, 10, MATE - 3)),
        ("message eval -M4", Figures(score=4 - MATE)),
        ("MESSAGE bestline [7,7] [8,8]", Figures(line=(112, 128))),
        ("MESSAGE good luck, 7 of 7", Figures()),
        ("MESSAGE depth 99999999999999999999999999", Figures()),
        ("MESSAGE pv z9 Z99", Figures()),
    ],
)
def test_figures_are_read_out_of_known_shapes(message: str, found: Figures) -> None:
    assert figures([message], cell, None) == found


def test_a_later_message_takes_the_place_of_an_earlier() -> None:
    found = figures(["MESSAGE depth 3 n 10", "MESSAGE depth 4"], cell, None)
    assert found == Figures(4, 10)


def test_a_pattern_of_the_users_own_counts_alone() -> None:
    pattern = re.compile(r"D(?P<depth>\d+) S(?P<score>\S+) (?P<line>.*)")
    found = figures(["MESSAGE depth 9", "MESSAGE D4 S-7 7,7 8,8"], cell, pattern)
    assert found == Figures(4, 0, -7, (112, 128))
