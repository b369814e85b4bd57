"""The words of the Gomocup protocol: lines, figures in messages, and what refusals are about."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from arena.engine import MATE, Conditions, Limit
from arena.game import Position
from arena.gomocup.process import MOST_LOGGED, BrainProcess
from arena.gomocup.protocol import (
    about_text,
    board,
    first_infos,
    game_infos,
    info_mistakes,
    kind_of_line,
    limit_infos,
    time_left,
)
from arena.gomocup.talk.listening import refused
from arena.gomocup.talk.player import Figures, figures
from arena.gomocup.transcript import LONGEST_READ, split


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"7;7", "no move"),
        (b"0 0 1 2", "text"),
        (b"0,0,1,2,0", "text"),
        (b"10,10\tValue:0 Nodes:3", "move"),
        (b"hello \xff\x00", "words"),
    ],
)
def test_a_line_is_known_by_its_form(line: bytes, kind: str) -> None:
    assert kind_of_line(line) == kind


def test_a_line_without_an_end_takes_no_memory() -> None:
    rest = b""
    for _ in range(100):
        (rest,) = split(rest, b"x" * 65536)
    assert rest == b"x" * LONGEST_READ
    assert split(rest, b"x\n7,7\n")[1:] == [b"7,7", b""]


def test_a_board_has_the_stones_in_their_order_and_the_last_is_the_opponents() -> None:
    cells = bytearray(25)
    cells[7], cells[11], cells[12] = 1, 2, 1
    p = Position(bytes(cells), 2, (7, 11, 12))
    assert board(p, 5) == b"BOARD\n2,1,2\n1,2,1\n2,2,2\nDONE\n"


@pytest.mark.parametrize(
    ("limit", "lines"),
    [
        (Limit(seconds=0.5), ["timeout_turn 500", "timeout_match 0", "time_left 2147483647"]),
        (Limit(time_left=60), ["timeout_turn 60000", "timeout_match 60000", "time_left 60000"]),
        (
            Limit(seconds=2, time_left=60, increment=0.5),
            ["timeout_turn 2000", "timeout_match 60000", "time_left 60000", "time_increment 500"],
        ),
        (
            Limit(depth=4, nodes=1000),
            [
                "timeout_turn 8000",
                "hang 10000",
                "timeout_match 0",
                "time_left 2147483647",
                "max_depth 4",
                "max_node 1000",
            ],
        ),
    ],
)
def test_a_limit_is_told_in_milliseconds(limit: Limit, lines: list[str]) -> None:
    assert limit_infos(limit, hang=10).decode().splitlines() == [f"INFO {line}" for line in lines]


def test_a_program_is_called_by_its_name_and_version() -> None:
    assert about_text('name="Mine", version="2.1", author="me"') == "Mine 2.1"
    assert about_text("an old brain") == "an old brain"


def test_the_log_has_the_first_lines_of_a_program_and_says_that_there_were_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    quiet = SimpleNamespace(logged=0, name="brain")
    with caplog.at_level("INFO"):
        for number in range(2 * MOST_LOGGED):
            BrainProcess.log(quiet, b"line %d" % number, "stderr: ")  # type: ignore[arg-type]
    *lines, last = (each.getMessage() for each in caplog.records)
    assert lines == [f"brain: stderr: line {number}" for number in range(MOST_LOGGED - 1)]
    assert last == f"brain: more lines than {MOST_LOGGED}; the rest is left out"


def test_no_key_that_the_referee_sends_can_be_sent_beside_it() -> None:
    limits = [
        Limit(),
        Limit(seconds=1),
        Limit(depth=3, nodes=100),
        Limit(time_left=10, increment=1, seconds=2),
    ]
    sent = first_infos(Conditions()) + time_left(Limit())
    sent += b"".join(game_infos(4, limit, 60) for limit in limits)
    keys = {line.split()[1] for line in sent.decode().splitlines()}
    assert {"timeout_turn", "max_memory", "rule", "hang"} <= keys
    for key in keys:
        for spelling in (key, key.upper()):
            ((_, message),) = info_mistakes({spelling: 1})
            assert f"INFO {spelling} is sent by the referee" in message


@pytest.mark.parametrize(
    ("key", "value", "is_right"),
    [
        ("thread_num", 4, True),
        ("folder", "/home/ä b", True),
        ("hash size", 1, False),
        ("", 1, False),
        ("a\tb", 1, False),
        ("a\nSTART", 1, False),
        ("book", "x\nINFO rule 4", False),
        ("book", "x\r", False),
        ("book", "\x1b[2J", False),
        ("book", "\udc80", False),
    ],
)
def test_info_is_a_word_and_a_line(key: str, value: str | int, is_right: bool) -> None:
    assert (not list(info_mistakes({key: value}))) is is_right


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
        (["MESSAGE depth 3 n 10", "MESSAGE depth 4"], Figures(4, 10)),
    ],
)
def test_figures_are_read_out_of_what_known_brains_say(messages: list[str], found: Figures) -> None:
    assert figures(messages, cell, None) == found


def test_a_pattern_of_the_users_own_counts_alone() -> None:
    pattern = re.compile(r"D(?P<depth>\d+) S(?P<score>\S+) (?P<line>.*)")
    found = figures(["MESSAGE depth 9", "MESSAGE D4 S-7 7,7 8,8"], cell, pattern)
    assert found == Figures(4, 0, -7, (112, 128))


TURN, CLOCK = b"TURN 9,4\n", b"INFO time_left 900\nTURN 9,4\n"
BOARD = b"BOARD\r\n7,7,1\r\n8,8,2\r\nDONE\r\n"


@pytest.mark.parametrize(
    ("line", "command", "subject"),
    [
        (b"ERROR Unknown command: 9,4", TURN, "end of command"),
        (b"unknown '9,4'", TURN, "end of command"),
        (b"UNKNOWN TURN 9,4", TURN, "something"),
        (b"ERROR I am lost", TURN, "something"),
        (b"ERROR 9,5", TURN, "something"),
        (b"ERROR Unknown command: TIME_LEFT", CLOCK, "end of INFO"),
        (b"UNKNOWN INFO time_left", CLOCK, "INFO"),
        (b"ERROR Unknown command: 9,4", CLOCK, "end of command"),
        (b"ERROR Unknown command: 8,8,2", BOARD, "end of command"),
        (b"ERROR Unknown command: DONE", BOARD, "end of command"),
        (b"ERROR no DONE after BOARD", BOARD, "something"),
        (b"UNKNOWN command BEGIN", b"BEGIN\n", "something"),
    ],
)
def test_a_refusal_is_about_the_part_that_it_quotes(
    line: bytes, command: bytes, subject: str
) -> None:
    assert refused(line, command) == subject
