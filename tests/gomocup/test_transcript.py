"""The lines that are told with a program's fault."""

from __future__ import annotations

from arena.gomocup.transcript import MOST_KEPT, Transcript


def transcript(*lines: str) -> Transcript:
    """A talk: `>` before what the program is told, `!` before a line of its standard error."""
    kept = Transcript()
    take = {">": kept.tell, "<": kept.hear, "!": kept.hear_error}
    for line in lines:
        take[line[0]](line[2:].encode())
    return kept


def test_a_fault_is_told_with_the_last_lines() -> None:
    said = transcript(*(f"< {number}" for number in range(9)))
    assert said.explained("ended") == "ended [< 3 | < 4 | < 5 | < 6 | < 7 | < 8]"
    assert Transcript().explained("ended") == "ended"


def test_the_last_command_is_among_them_whatever_came_after_it() -> None:
    after = (f"! {number}" for number in range(2 * MOST_KEPT))
    said = transcript("> TURN 1,1", "< 2,2", "> TURN 3,3", *after)
    assert said.explained("ended").startswith("ended [> TURN 3,3 | ! 31 | ")


def test_messages_in_a_row_are_one_entry_with_their_number() -> None:
    several = ["< DEBUG x", "< debug y", "< MESSAGE z", "< 1,1", "< DEBUG x"]
    said = transcript("> BEGIN", *several)
    assert said.explained("ended") == (
        "ended [> BEGIN | < DEBUG ... (2 lines) | < MESSAGE z | < 1,1 | < DEBUG x]"
    )
    assert [*said][1:3] == [("<", b"debug y", 2), ("<", b"MESSAGE z", 1)]


def test_a_traceback_is_told_first() -> None:
    said = transcript(
        "! Exception in thread Thread-1:",
        "! Traceback (most recent call last):",
        '!   File "brain.py", line 3, in think',
        "!     raise KeyError(7)",
        "! KeyError: 7",
        "! and more words",
    )
    assert said.explained("was late").startswith("wrote a traceback (KeyError: 7), and was late [")
    assert transcript("! KeyError: 7").explained("was late") == "was late [! KeyError: 7]"
