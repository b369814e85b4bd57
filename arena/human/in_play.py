"""A game with persons in play: begun, gone on with, taken back, and its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.engine import Remark
from arena.game import Move
from arena.human.setup import Setup
from arena.match.opening import spelt
from arena.match.opening_rules import answer_by, opening_seconds
from arena.match.play import GameInPlay
from arena.match.record import GameRecord, Job, job_of, swapped
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


def first_job(setup: Setup) -> Job:
    """The game before anything was answered in it."""
    return job_of((*setup.names, spelt(setup.game, setup.opening), 1), setup.terms.seed)


def persons_at(setup: Setup, job: Job) -> list[int]:
    """The seats at the board, 1 or 2, where persons sit by now."""
    return [swapped(job, seat) for seat in setup.persons]


def game_after(
    setup: Setup, answers: Sequence[tuple[Move, Remark]] = (), job: Job | None = None
) -> GameInPlay:
    """The game after these answers; without the last of them if that has ended it.

    Where the players make the opening, the `job` has what they have made of it.
    """
    job = job or first_job(setup)
    clocks = [Clock(setup.limits[swapped(job, seat) - 1], setup.terms.margin) for seat in (1, 2)]
    proposer = job.made.proposer if job.made else 1
    for place, seconds in enumerate(opening_seconds(job), start=proposer - 1):
        clocks[place % 2] = clocks[place % 2].after(seconds)
    play = GameInPlay(setup.game, job, clocks, setup.terms)
    for n, (move, said) in enumerate(answers):
        play.answered(move, said)
        if play.outcome:
            return game_after(setup, answers[:n], job)
    return play


def taken_back(setup: Setup, play: GameInPlay) -> GameInPlay | None:
    """The game before the last move of a person; None if there is none to take back."""
    answers = play.answers
    for n in reversed(range(len(answers))):
        if answers[n][1].seat in persons_at(setup, play.job):
            return game_after(setup, answers[:n], play.job)
    return None


def answer(play: GameInPlay, move: Move | None, seconds: float) -> None:
    """Take the answer of the person to move; None resigns."""
    play.answered(move, Remark(play.p.turn, seconds))


def answer_opening(play: GameInPlay, stones: Sequence[Move], seconds: float) -> str:
    """Take the answer of the person at the opening: what it lays. Returns why it is none, or
    nothing."""
    if answer_by(play.job, len(stones)) is None:
        return f"{len(stones)} stones are no answer here."
    if len({*stones, *play.p.moves}) < len(stones) + play.p.ply:
        return "A stone is there already."
    play.opened(stones, Remark(play.p.turn, seconds))
    return ""


def record_of(play: GameInPlay, taken: Help) -> GameRecord:
    """The record of a game that is over, as if nothing had been taken back but for a word."""
    found = play.record()
    return replace(found, detail="; ".join(filter(None, (found.detail, taken.words))))
