"""A game with persons in parts: where moves are taken back, one ends and another goes on.

Each part is played by `play_game`; the record is one, as if nothing had been taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.engine import Limit
from arena.game import Game, Position
from arena.human.setup import Setup
from arena.human.take_back import Help, Note, Seat, TakeBackError, thoughts
from arena.match.copies import marks_of_text
from arena.match.opening import spelt
from arena.match.play import Spectator, moves_text, place_opening, play_game
from arena.match.record import GameRecord, Job, record
from arena.match.terms import Clock
from arena.match.verdicts import Verdict


class LostError(BaseException):
    """A player has lost by what only those see who watch over its process.

    No `Exception`: the referee takes those for faults of the player who was asked.
    """

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict)
        self.verdict = verdict


class AgainError(BaseException):
    """A player's process is another now: the game is to go on from here, once it is told of it."""


def play_parts(
    setup: Setup, seats: tuple[Seat, Seat], notes: list[Note], taken: Help, watch: Spectator
) -> GameRecord:
    """Play a game on from these notes to its end, whatever is taken back on the way.

    The notes are those that the seats write.
    """
    job = job_of(setup)
    limits, moves = limits_after(notes, setup.limits), moves_after(setup, notes)
    while True:
        kept, part = len(notes), replace(job, opening=moves)
        try:
            last = play_game(setup.game, seats, part, limits=limits, terms=setup.terms, watch=watch)
            break
        except TakeBackError as wish:
            # The clocks, too, go back to what they were.
            limits = limits_at(notes[wish.note :], limits)
            moves = moves_text(setup.game, notes[wish.note].p.moves)
            del notes[wish.note :]
        except AgainError:
            limits, moves = limits_after(notes, setup.limits), moves_after(setup, notes)
        except LostError as loss:
            kept, last = len(notes), lost(setup, job, notes, loss.verdict)
            break
    return whole_record(setup.game, job, notes, kept, last, taken.words)


def job_of(setup: Setup) -> Job:
    """The game that is to be played."""
    opening = spelt(setup.game, setup.opening)
    return Job(*setup.names, opening=opening, seed=setup.terms.seed)


def limits_at(notes: Sequence[Note], otherwise: tuple[Limit, Limit]) -> tuple[Limit, Limit]:
    """The limits of either seat's first answer among these."""
    known = {note.p.turn: note.limit for note in reversed(notes)}
    return known.get(1, otherwise[0]), known.get(2, otherwise[1])


def limits_after(notes: Sequence[Note], otherwise: tuple[Limit, Limit]) -> tuple[Limit, Limit]:
    """The limits of either seat's next answer: what is left of its clock."""
    known = {note.p.turn: Clock(note.limit).after(note.seconds).limit for note in notes}
    return known.get(1, otherwise[0]), known.get(2, otherwise[1])


def position_after(setup: Setup, notes: Sequence[Note]) -> Position:
    """The position to which the notes have led."""
    if notes and (move := notes[-1].choice.move) is not None:
        return setup.game.play(notes[-1].p, move)
    return notes[-1].p if notes else place_opening(setup.game, setup.opening)


def moves_after(setup: Setup, notes: Sequence[Note]) -> str:
    """The moves of the opening and of the notes."""
    return moves_text(setup.game, position_after(setup, notes).moves)


def lost(setup: Setup, job: Job, notes: Sequence[Note], verdict: Verdict) -> GameRecord:
    """The record of a part that ended while an answer was due; the notes have its choices."""
    moves = moves_after(setup, notes)
    marks = marks_of_text(setup.game, job.opening, moves)
    return record(job, verdict.outcome, verdict.detail, moves, marks)


def whole_record(
    game: Game, job: Job, notes: Sequence[Note], kept: int, last: GameRecord, help_taken: str
) -> GameRecord:
    """The record of all parts, from the notes `kept` of those before the last, and its record."""
    before = thoughts(game, notes[:kept])
    columns: dict[str, Any] = {
        name: " ".join(filter(None, (before[name], getattr(last, name))))
        for name in ("times", "nodes", "depths", "scores")
    }
    # A last answer that no record can hold is noted, too.
    whole = thoughts(game, notes[: len(columns["times"].split())])
    start, digest = marks_of_text(game, job.opening, last.moves)
    return replace(
        last,
        opening=job.opening,
        detail="; ".join(filter(None, (last.detail, help_taken))),
        **columns,
        pv=whole["pv"],
        info=whole["info"],
        start=start,
        digest=digest,
    )
