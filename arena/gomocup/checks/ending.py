"""The end: END, a closed pipe, and nothing left."""

from __future__ import annotations

from arena.gomocup.check import Check, Finding, Subject, random_positions
from arena.gomocup.protocol import board, kind_of_line
from arena.gomocup.talk.checked_game import CheckedGame, begun_game

IN_MID_GAME = 8
BEFORE_END = 0.2  # seconds of a move before END comes


def checks(_: Subject) -> tuple[Check, ...]:
    return (
        Check("END", "optional", _ended),
        Check("END in its move", "optional", _ended_in_a_move),
        Check("a closed pipe ends it", "optional", _closed),
        Check("no process left after END", "optional", _nothing_left),
    )


def _ended(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.process.stage = "after END"
        talk.say("END")
        return _end_of_talk(talk)


def _ended_in_a_move(subject: Subject) -> Finding:
    """Tell it END while it thinks, if it does; its move may still come."""
    with begun_game(subject, turn=2 * subject.allowance.answer) as talk:
        position = random_positions(talk.game, IN_MID_GAME)[-1]
        talk.say(board(position, talk.game.size))
        talk.listen(BEFORE_END, "a move, or nothing yet")
        talk.process.stage = "after END in its move"
        talk.say("END")
        return _end_of_talk(talk)


def _closed(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.process.stage = "after its input was closed"
        talk.end_input()
        return _end_of_talk(talk)


def _nothing_left(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.say("END")
        words = talk.end_within(subject.allowance.brief)
        if words is None:
            return talk.finding("its end, to see what it leaves", "it did not end")
        if "it left" in words:
            raise talk.unmet("answer", "that no process is left", words)
        return talk.finding()


def _end_of_talk(talk: CheckedGame) -> Finding:
    """The finding on an end that should come now, without a word, and by itself."""
    expected = f"its end within {talk.allowance.brief:g} s, with exit code 0"
    words = talk.end_within(talk.allowance.brief)
    if words is None:
        raise talk.unmet("silence", expected, f"still there after {talk.allowance.brief:g} s")
    if {kind_of_line(line) for line in talk.process.lines} - {"words", "move"}:
        raise talk.unmet("answer", "no answer to END")
    return talk.finding() if "exit code 0" in words else talk.finding(expected, words)
