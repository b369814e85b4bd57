"""A talk with a brain as text, and the lines of it that are told with a fault."""

from __future__ import annotations

import pytest

from arena.gomocup.transcript import MOST_KEPT, Entry, Transcript, folded


def talk(*said: str) -> str:
    """The text of what was said, each with its mark before it."""
    return folded(Entry(each[0], each[2:].encode()) for each in said)


def test_each_thing_said_is_a_line() -> None:
    said = ("> START 15", "< OK", "> BEGIN", "! thinking", "< 7,7")
    assert talk(*said) == "\n".join(said)


def test_infos_that_were_sent_at_once_are_one_line_and_a_board_is() -> None:
    told = talk("> INFO rule 0\nINFO timeout_turn 100\nBOARD\n7,7,1\n8,8,2\nDONE\n")
    assert told == "> INFO rule 0, timeout_turn 100\n> BOARD 7,7,1 8,8,2 DONE"


def test_a_long_run_of_one_kind_is_folded_and_what_differs_stands() -> None:
    told = talk("> BEGIN", *(f"< row {i}" for i in range(9)), "< ERROR lost", "< 7,7")
    assert told.split("\n") == [
        "> BEGIN",
        *("< row 0", "< row 1", "... 5 more lines ...", "< row 7", "< row 8"),
        *("< ERROR lost", "< 7,7"),
    ]


def test_lines_that_alternate_for_long_are_folded() -> None:
    told = talk("> BEGIN", *["< MESSAGE lost", "< -4,-4"] * 100).split("\n")
    assert len(told) == 14
    assert told[7] == "... 188 more lines ..."


def test_a_flood_is_its_last_line_and_the_number_of_all() -> None:
    flood = Entry("<", b"MESSAGE depth 9", 40)
    assert folded([flood]) == "< MESSAGE depth 9 (the last of 40 such lines)"


def test_of_many_games_the_first_and_the_last_stand() -> None:
    games = [("> RESTART", "< OK", "> BEGIN", f"< {i},7") for i in range(5)]
    told = talk("> START 15", "< OK", *(line for game in games for line in game))
    assert told.split("\n") == [
        *("> START 15", "< OK"),
        "... 4 more games, each after RESTART or START ...",
        *("> RESTART", "< OK", "> BEGIN", "< 4,7"),
    ]


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
    assert said.explained("was late").startswith("wrote an error (KeyError: 7), and was late [")


STACKS = """
/b.js:2
function think(){ return board.cells; }
                               ^
=> TypeError: board is null
    at think (/b.js:2:32)
    at Module._compile (node:internal:15:1) {
  code: 'ERR'
}
Node.js v20.1.0
--
Exception in thread "main" java.lang.RuntimeException: no move
	at A.main(A.java:1)
=> Caused by: java.lang.ArithmeticException: / by zero
	... 1 more
--
=> Error: Could not find or load main class Brain
--
=> thread 'main' (7) panicked at src/main.rs:1:9:
=> index out of bounds: the len is 0
stack backtrace:
   0: rust_begin_unwind
--
=> terminate called after throwing an instance of 'std::bad_alloc'
=>   what():  std::bad_alloc
--
=> brain: brain.cpp:2: int main(): Assertion `depth > 3' failed.
--
=> free(): invalid pointer
--
=> panic: index out of range [1]

goroutine 1 [running]:
exit status 2
--
=> ./brain.sh: 2: gomoku: not found
--
=> brain.sh: line 2: gomoku: command not found
bye
--
=> ./brain: error while loading shared libraries: libx.so: cannot open
--
  File "brain.py", line 2
    x = = 3
=> SyntaxError: invalid syntax
"""


@pytest.mark.parametrize("stack", STACKS.split("\n--\n"))
def test_the_cause_of_an_error_is_told_first(stack: str) -> None:
    lines = stack.strip("\n").split("\n")
    causes = [line.removeprefix("=> ") for line in lines if line.startswith("=> ")]
    cause = " ".join([causes[0], *map(str.strip, causes[1:])])
    more = [f"depth {number}" for number in range(9)]
    written = [f"! {line.removeprefix('=> ')}" for line in [*lines, *more]]
    said = transcript("> TURN 1,1", *written)
    assert said.explained("ended").startswith(f"wrote an error ({cause}), and ended [")


@pytest.mark.parametrize(
    "line", ["depth 3", "no Error here", "Error rate 0.3", "    at f (/b.js:2:3)", "info: found 3"]
)
def test_other_words_are_no_error(line: str) -> None:
    assert transcript(f"! {line}").explained("ended").startswith("ended [")
