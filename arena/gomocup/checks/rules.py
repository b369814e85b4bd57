"""The rules that it plays."""

from __future__ import annotations

from functools import partial

from arena.gomocup.check import Check, Finding, Subject, UnmetError, Weight, random_positions
from arena.gomocup.protocol import RULES
from arena.gomocup.talk.checked_game import begun_game
from arena.gomocup.transcript import said

COMMON = ("freestyle", "standard", "renju")  # asked of every brain that claims none
PLAYED_UNTOLD = "freestyle"  # the rule of brains that know no INFO rule
SILENCE = "no answer to INFO"
SHARE_OF_POSITIONS = 10  # one in so many of the positions in which all moves must be legal


def checks(subject: Subject) -> tuple[Check, ...]:
    """A check for each rule: mandatory if it claims that, or if it is the rule of all checks."""
    asked = subject.claimed or COMMON
    return tuple(
        Check(f"INFO rule {number}, {rule}", _weight_of(rule, subject), partial(_plays, rule=rule))
        for rule, number in RULES.items()
        if rule in asked
    )


def _weight_of(rule: str, subject: Subject) -> Weight:
    return "mandatory" if rule in (*subject.claimed, subject.rule) else "optional"


def _plays(subject: Subject, rule: str) -> Finding:
    """Tell it the rule, and have it play; a rule that it does not claim it need not know."""
    try:
        return _played_by(subject, rule)
    except UnmetError as error:
        if error.lack in ("refusal", "forbidden") and rule not in subject.claimed:
            return error.finding("not supported")
        raise


def _played_by(subject: Subject, rule: str) -> Finding:
    """Begin a game by the rule, and move in some positions."""
    with begun_game(subject, rule=rule) as talk:
        talk.say(f"INFO rule {RULES[rule]}")
        if "refusal" in talk.unasked(subject.allowance.quiet, SILENCE):
            if rule != PLAYED_UNTOLD:
                raise talk.unmet("refusal", SILENCE)
            talk.remarks[SILENCE] = said(talk.process.transcript)
        talk.move("BEGIN")
        talk.turns(2)
        number = max(1, subject.allowance.positions // SHARE_OF_POSITIONS)
        for position in talk.each_of(random_positions(talk.game, number)):
            talk.board(position)
        return talk.finding()
