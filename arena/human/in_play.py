"""A game with persons in play: begun, gone on with, taken back, and its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.engine import Remark
from arena.game import Move
from arena.human.setup import Setup
from arena.match.opening import spelt
from arena.match.play import GameInPlay
from arena.match.record import GameRecord, Job
from arena.match.terms import Clock


@dataclass(slots=True)
class Help:
    """A count of the help that persons have taken in a game."""

    take_backs: int = 0
    hints: int = 0

    @property
    def words(self) -> str:
        """The take-backs and hints, for the record."""
        counts = (self.take_backs, "take-back"), (self.hints, "hint")
        return ", ".join(f"{n} {word}{'s' * (n > 1)}" for n, word in counts if n)


def game_after(setup: Setup, answers: Sequence[tuple[Move, Remark]] = ()) -> GameInPlay:
    """The game after these answers; without the last of them if that has ended it."""
    job = Job(*setup.names, opening=spelt(setup.game, setup.opening), seed=setup.terms.seed)
    clocks = [Clock(limit, setup.terms.margin) for limit in setup.limits]
    play = GameInPlay(setup.game, job, clocks, setup.terms)
    for n, (move, said) in enumerate(answers):
        play.answered(move, said)
        if play.outcome:
            return game_after(setup, answers[:n])
    return play


def taken_back(setup: Setup, play: GameInPlay) -> GameInPlay | None:
    """The game before the last move of a person; None if there is none to take back."""
    answers = play.answers
    for n in reversed(range(len(answers))):
        if answers[n][1].seat in setup.persons:
            return game_after(setup, answers[:n])
    return None


def answer(play: GameInPlay, move: Move | None, seconds: float) -> None:
    """Take the answer of the person to move; None resigns."""
    play.answered(move, Remark(play.p.turn, seconds))


def record_of(play: GameInPlay, taken: Help) -> GameRecord:
    """The record of a game that is over, as if nothing had been taken back but for a word."""
    found = play.record()
    return replace(found, detail="; ".join(filter(None, (found.detail, taken.words))))
