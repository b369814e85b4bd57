"""The figures in the messages of brains."""

from __future__ import annotations

import re

import pytest

from arena.engine import MATE
from arena.gomocup.talk.player import Figures, figures


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
        (
            "MESSAGE depth 9-17 ev 23 n 1250k n/ms 890 tm 1403 pv h8",
            Figures(9, 1_250_000, 23, (112,)),
        ),
        ("MESSAGE depth 9 n/ms 890 tm 1403", Figures(9, 890 * 1403)),
        ("MESSAGE depth 9 | nps 1.5M | time 2s", Figures(9, 3_000_000)),
        ("MESSAGE depth 9 nodes/s 500k time 1500ms", Figures(9, 750_000)),
        ("MESSAGE depth 9 speed 890 tm 1403", Figures(9)),  # a second, or a millisecond?
        ("MESSAGE depth 9 n/ms 890", Figures(9)),
        ("MESSAGE n/ms 999999999999999999 tm 999999999999999999", Figures()),
    ],
)
def test_figures_are_read_out_of_known_shapes(message: str, found: Figures) -> None:
    assert figures([message], cell, None) == found


RAPFI = [
    "MESSAGE OptiTime 423ms | MaxTime 470ms",
    "MESSAGE Depth 15-33 | Eval 112 | Time 272ms | F8 F7 H9 H7",
    "MESSAGE Depth 16-27 | Eval 149 | Time 423ms | G7 I9 F7 H7",
    "MESSAGE Speed 465K | Depth 16-27 | Eval 149 | Node 196K | Time 423ms",
]
RAPFI_WINS = [
    "MESSAGE Depth 26-2 | Eval +M3 | Time 0ms | E5",
    "MESSAGE Speed 50000 | Depth 26-2 | Eval +M3 | Node 50 | Time 0ms",
]
PENTAZEN = ["MESSAGE dep 13-24 ev 113 nd 381k tm 452 sp 845"]
PENTAZEN_LOSES = ["MESSAGE dep 1-1 ev -v4 nd 4 tm 1 sp 4"]
CARBON = [
    "DEBUG eval 12, depth 8, nodes 91234, speed 712",
    "MESSAGE eval 15, depth 9, nodes 240567, speed 801",
]
CARBON_CUT_OFF = [*CARBON, "MESSAGE eval 15, depth 0, nodes 1201, speed 790"]


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        (RAPFI, Figures(16, 196_000, 149, (96, 128, 95, 97))),
        (RAPFI_WINS, Figures(26, 50, MATE - 3, (64,))),
        (PENTAZEN, Figures(13, 381_000, 113)),
        (PENTAZEN_LOSES, Figures(1, 4, 4 - MATE)),
        (CARBON, Figures(9, 240_567, 15)),
        (CARBON_CUT_OFF, Figures(9, 1201, 15)),
    ],
)
def test_figures_are_read_out_of_what_known_brains_say(messages: list[str], found: Figures) -> None:
    assert figures(messages, cell, None) == found


def test_a_later_message_takes_the_place_of_an_earlier() -> None:
    found = figures(["MESSAGE depth 3 n 10", "MESSAGE depth 4"], cell, None)
    assert found == Figures(4, 10)


def test_a_pattern_of_the_users_own_counts_alone() -> None:
    pattern = re.compile(r"D(?P<depth>\d+) S(?P<score>\S+) (?P<line>.*)")
    found = figures(["MESSAGE depth 9", "MESSAGE D4 S-7 7,7 8,8"], cell, pattern)
    assert found == Figures(4, 0, -7, (112, 128))
