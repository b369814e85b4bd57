"""The commands that refusals are about."""

from __future__ import annotations

import pytest

from arena.gomocup.talk.listening import refused

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
def test_a_refusal_is_about_the_part_of_the_command_that_it_quotes(
    line: bytes, command: bytes, subject: str
) -> None:
    assert refused(line, command) == subject
