"""Other commands, known and unknown, and the ends of their lines."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from arena.gomocup.check import OTHER_NEWLINE, Check, Finding, Subject, UnmetError, random_position
from arena.gomocup.protocol import ABOUT_PART, kind_of_line
from arena.gomocup.talk.checked_game import CheckedGame, begun_game, launched_for
from arena.gomocup.transcript import said, shown

LONG_LINE = 5000
NEWLINES = {
    b"\r\n": ("CR LF", "a CR is kept: strip it. Gomocup and Piskvork send it, so it fails there"),
    b"\n": ("LF", "let LF alone end a line, as c-gomoku-cli and tournaments on Linux send it"),
}
"""Ends of lines by name, and what to do where they are not understood."""
ONLY_ANSWERS = (
    "moves as x,y and no other lines but MESSAGE and DEBUG. A tournament here passes over the"
    " rest; of other managers Piskvork stops at such lines, and c-gomoku-cli at words behind a move"
)

UNENDED = (
    "an end of line behind its answer. A tournament here waits until the brain is idle, but others"
    " take what follows for the same line"
)

READ_ON = (
    "take what arrives right after its answer. A tournament here asks ABOUT before it goes on, but"
    " other managers do not"
)


def checks(subject: Subject) -> tuple[Check, ...]:
    other = OTHER_NEWLINE[subject.newline]
    return (
        Check("speaks only when asked", "mandatory", _is_asked),
        Check("INFO with unknown keys", "optional", _unknown_infos),
        Check("unknown command", "optional", _unknown_command),
        Check("lines that end with CR", "optional", _ended_by_cr, may_lack=True),
        Check("ABOUT", "optional", _about_itself, may_lack=True),
        Check("empty and long lines", "optional", _strange_lines),
        Check(
            f"lines that end with {NEWLINES[other][0]}", "advice", partial(_ended_by, newline=other)
        ),
        Check("nothing but answers", "advice", _plain_answers),
        Check("a command right after its answer", "advice", _at_once),
    )


def _is_asked(subject: Subject) -> Finding:
    quiet, one = subject.allowance.quiet, "one answer to each command, and nothing else"
    with launched_for(subject) as talk:
        talk.start()
        _stay_silent(talk, quiet, "nothing after OK")
        talk.tell()
        _stay_silent(talk, quiet, "no answer to INFO")
        talk.move("BEGIN")
        for _ in range(3):
            _stay_silent(talk, quiet, one)
            talk.turns(1)
        _stay_silent(talk, quiet, one)
        return talk.finding()


def _stay_silent(talk: CheckedGame, seconds: float, expected: str) -> None:
    """Listen, and hear no move; of other lines that are an answer there is a remark."""
    kinds = talk.unasked(seconds, expected)
    if kinds & {"move", "suggestion"}:
        raise talk.unmet("answer", expected)
    if kinds & {"ok", "refusal"}:
        talk.remarks[expected] = said(talk.process.transcript)


def _unknown_infos(subject: Subject) -> Finding:
    expected = "no answer to INFO"
    with begun_game(subject) as talk:
        talk.say("INFO no_such_key 7\nINFO evaluate 3,3")
        kinds = talk.unasked(subject.allowance.quiet, expected)
        if kinds - {"refusal"}:
            raise talk.unmet("answer", expected)
        finding = talk.finding(expected if kinds else "")
        talk.move("BEGIN")
        return finding


def _unknown_command(subject: Subject) -> Finding:
    expected = "UNKNOWN, and then it goes on"
    with begun_game(subject) as talk:
        talk.say("NO_SUCH_COMMAND 1,2", expected)
        line = talk.next_line(time.monotonic() + subject.allowance.brief, expected) or b""
        if kind_of_line(line) in ("move", "ok", "suggestion"):
            raise talk.unmet("answer", expected)
        finding = talk.finding("" if line.upper().startswith(b"UNKNOWN") else expected)
        talk.move("BEGIN")
        return finding


def _ended_by(subject: Subject, newline: bytes) -> Finding:
    """Play with all lines ended like this, TURN, RESTART and BOARD among them."""
    try:
        with begun_game(replace(subject, newline=newline)) as talk:
            talk.move("BEGIN")
            talk.turns(1)
            talk.board(random_position(talk.game, 4, seed=4))
            return talk.finding()
    except UnmetError as error:
        return error.finding("fail", NEWLINES[newline][1])


def _ended_by_cr(subject: Subject) -> Finding:
    """Play with lines that end with CR alone, which no manager sends."""
    with begun_game(subject) as talk:
        talk.process.newline = b"\r"
        talk.move("BEGIN", subject.allowance.brief)
        talk.turns(1)
        return talk.finding()


def _plain_answers(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.turns(3)
        talk.listen(subject.allowance.settle, "nothing after its move")
        return talk.plain_finding(ONLY_ANSWERS)


def _about_itself(subject: Subject) -> Finding:
    expected = 'one line such as name="mine", version="1.0", author="me", country="CZ"'
    with launched_for(subject) as talk:
        talk.start()
        talk.say("ABOUT", expected)
        words = shown(talk.answer(expected, "text", seconds=subject.allowance.answer), 1000)
        talk.listen(subject.allowance.settle, expected)
        is_one = not talk.process.lines and dict(ABOUT_PART.findall(words)).get("name")
        if talk.process.has_unended:
            return talk.finding(UNENDED, words)
        return talk.finding("" if is_one else expected)


def _strange_lines(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        talk.process.push(b"\n \n".replace(b"\n", subject.newline), 0)
        talk.say("INFO no_such_key " + "x" * LONG_LINE)
        talk.move("BEGIN")
        return talk.finding()


def _at_once(subject: Subject) -> Finding:
    """Send the next command without a pause, as managers do."""
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.settle = 0
        try:
            talk.turns(3)
        except UnmetError as error:
            return error.finding("fail", READ_ON)
        return talk.finding()
