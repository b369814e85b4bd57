"""The rules that it plays."""

from __future__ import annotations

from functools import partial

from arena.gomocup.check import Check, Finding, Subject, UnmetError
from arena.gomocup.checked_game import begun_game
from arena.gomocup.positions import random_positions
from arena.gomocup.protocol import RULES

COMMON = ("freestyle", "standard", "renju")
"""Rules that every brain is asked about, unless it claims some."""
SHARE_OF_POSITIONS = 10
"""The positions of a rule are this part of those in which all moves must be legal."""


def checks() -> tuple[Check, ...]:
    """A check for each rule; if it claims some, for those alone."""
    return tuple(
        Check(
            f"INFO rule {number}, {rule}",
            "mandatory",
            partial(plays, rule=rule),
            applies=partial(is_asked_about, rule=rule),
        )
        for rule, number in RULES.items()
    )


def is_asked_about(subject: Subject, rule: str) -> bool:
    """True for the rules that it claims; for the common ones, if it claims none."""
    return rule in (subject.claimed or COMMON)


def plays(subject: Subject, rule: str) -> Finding:
    """Tell it the rule, and have it play; a rule that it does not claim it need not know."""
    try:
        return played_by(subject, rule)
    except UnmetError as error:
        if error.lack in ("refusal", "forbidden") and rule not in subject.claimed:
            return error.finding("not supported")
        raise


def played_by(subject: Subject, rule: str) -> Finding:
    """Begin a game by the rule, and move in some positions."""
    with begun_game(subject, rule=rule) as talk:
        if "refusal" in talk.unasked(subject.allowance.quiet, "no answer to INFO"):
            raise talk.unmet("refusal", "no answer to INFO")
        talk.move("BEGIN")
        talk.turns(2)
        number = max(1, subject.allowance.positions // SHARE_OF_POSITIONS)
        for position in random_positions(talk.game, number):
            talk.board(position)
        return talk.finding()
