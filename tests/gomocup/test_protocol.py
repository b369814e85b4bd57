"""The words of the Gomocup protocol."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from arena.engine import Conditions, Limit
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
from arena.gomocup.transcript import LONGEST_READ, split


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"7,7", "move"),
        (b"7 , 7", "move"),
        (b"-1,99", "move"),
        (b"OK", "ok"),
        (b"ok - everything is good", "ok"),
        (b"message 7,7", "words"),
        (b"DEBUG", "words"),
        (b"Suggest 7,7", "suggestion"),
        (b"ERROR no such rule", "refusal"),
        (b"unknown command", "refusal"),
        (b'name="mine", version="1"', "text"),
        (b"7,7 8,8", "move"),
        (b"10,10\tValue:0 Nodes:3", "move"),
        (b"3,3,3", "no move"),
        (b"+3,+2", "no move"),
        (b"3.0, 2.0", "no move"),
        (b"(7,7)", "no move"),
        (b"7;7", "no move"),
        (b"SWAP", "swap"),
        (b"3", "text"),
        (b"0 0 1 2", "text"),
        (b"0,0,1,2,0", "text"),
        (b"hello \xff\x00", "words"),
    ],
)
def test_a_line_is_known_by_its_first_word_in_any_case(line: bytes, kind: str) -> None:
    assert kind_of_line(line) == kind


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_line_ends_with_any_end_of_line(end: bytes) -> None:
    *lines, rest = split(b"", b"7," + b"7" + end + b"8,8" + end + b"9")
    assert [line for line in lines if line] == [b"7,7", b"8,8"]
    assert rest == b"9"


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
def test_info_has_a_key_of_one_word_and_a_value_of_one_line(
    key: str, value: str | int, is_right: bool
) -> None:
    assert (not list(info_mistakes({key: value}))) is is_right
