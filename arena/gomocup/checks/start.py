"""START, again and again, and at all sizes; and the first move."""

from __future__ import annotations

from contextlib import suppress

from arena.gomocup.check import Check, Finding, Subject, UnmetError
from arena.gomocup.checked_game import CheckedGame, begun_game, launched_for
from arena.gomocup.protocol import coordinates


def checks() -> tuple[Check, ...]:
    """START at the usual sizes, at all, and in a second process; all that begins a game."""
    return (
        Check("START 15", "mandatory", lambda subject: started(subject, 15), is_vital=True),
        Check("START in a second process", "mandatory", started_again, is_vital=True),
        Check("BEGIN", "mandatory", begun, is_vital=True),
        Check("START 20", "mandatory", lambda subject: started(subject, 20), applies=plays_on_20),
        Check("START 5 to 25", "mandatory", all_sizes),
        Check("RESTART", "optional", restarted, may_lack=True),
        Check("RECTSTART", "optional", rectangle, may_lack=True),
    )


def plays_on_20(subject: Subject) -> bool:
    """True unless it claims only rules that are played on 15 x 15."""
    return not subject.claimed or "freestyle" in subject.claimed


def started(subject: Subject, size: int) -> Finding:
    """Start one process."""
    with launched_for(subject) as talk:
        talk.start(size)
        return talk.finding()


def started_again(subject: Subject) -> Finding:
    """Start a process in the folder where others were."""
    return started(subject, 15)


def begun(subject: Subject) -> Finding:
    """Ask for the first move of a game."""
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        return talk.finding()


def all_sizes(subject: Subject) -> Finding:
    """Ask for each size, and for a move where it says OK; ERROR is an answer, too.

    One process is asked about one size after the other; where it does not do well, a new one is.
    """
    doubtful = list(subject.allowance.sizes)
    with suppress(UnmetError), launched_for(subject) as talk:
        for size in reversed(subject.allowance.sizes):
            begin_at(talk, size)
            doubtful.remove(size)
    refused = []
    for size in doubtful:
        try:
            with launched_for(subject) as talk:
                begin_at(talk, size)
        except UnmetError as error:
            if error.lack != "refusal":
                error.sent = f"START {size}\n{error.sent}".removesuffix(f"\nSTART {size}")
                raise
            refused.append(size)
    return Finding(said=f"ERROR at {', '.join(map(str, refused))}" if refused else "")


def begin_at(talk: CheckedGame, size: int) -> None:
    """Start at a size, and hear a move."""
    talk.start(size)
    if not talk.is_told:
        talk.tell(talk.allowance.turn)
    talk.move("BEGIN")


def restarted(subject: Subject) -> Finding:
    """Play a little, tell it RESTART, and begin anew."""
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.turns(1)
        talk.say("RESTART", "OK")
        talk.answer("OK, or UNKNOWN", "ok", seconds=talk.allowance.answer)
        talk.position = talk.game.start()
        talk.move("BEGIN")
        talk.turns(2)
        return talk.finding()


def rectangle(subject: Subject) -> Finding:
    """Ask for a board that is no square, and for a move on it."""
    with launched_for(subject) as talk:
        talk.start()
        talk.say("RECTSTART 20,15", "OK, or ERROR")
        talk.answer("OK, or ERROR", "ok", seconds=subject.allowance.brief)
        talk.tell(subject.allowance.turn)
        expected = "a move on 20 columns and 15 rows"
        talk.say("BEGIN", expected)
        column, row = coordinates(talk.answer(expected, "move"))
        if not (0 <= column < 20 and 0 <= row < 15):
            raise talk.unmet("answer", expected)
        return talk.finding()
