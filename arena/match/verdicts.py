"""The law of losing without being beaten: from facts to verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.engine import ProgramError
from arena.errors import ConfigError, one_line, own_words
from arena.game import Outcome, Reason
from arena.match.record import GameRecord, swapped
from arena.match.terms import Clock

KILLED_FROM_OUTSIDE = (-9, -15)
"""Exit codes of a worker that SIGKILL or SIGTERM has ended: hardly ever an engine's doing."""
CUT_OFF = 74
"""Exit code of a worker whose pipe a player has closed: an error of input or output to sysexits."""
MOST_KILLS = 3
"""Number of such ends of one game, always at the turn of one player, that are its doing."""
GRACE = 0.3
"""Seconds that an overdue answer is still waited for: if it comes, the process that has asked for
it judges it, which knows best by how much it was late."""
OF_PROGRAM = "its program"
"""Beginning of details on a program that an engine runs outside of the worker."""


@dataclass(frozen=True, slots=True)
class Verdict:
    loser: int
    reason: Reason
    detail: str = ""

    @property
    def outcome(self) -> Outcome:
        return Outcome(3 - self.loser, self.reason)


def late(seat: int, clock: Clock, seconds: float) -> Verdict | None:
    """Judge an answer by the `seconds` that it took; None if it is in time."""
    budget = clock.budget()
    if budget is None or seconds <= budget:
        return None
    passed = (bound for bound in clock.bounds() if seconds > bound + clock.margin)
    return Verdict(seat, "time", f"{seconds - next(passed):.3f} s over")


def unanswered(seat: int, overdue: float, margin: float | None) -> Verdict:
    """Judge a silence `overdue` seconds after a budget that forgives `margin`; None: no limit."""
    reason: Reason = "hang" if margin is None else "time"
    return Verdict(seat, reason, f"{overdue + (margin or 0.0):.3f} s over, no answer yet")


def unplayable(seat: int, move: str | None) -> Verdict:
    """Judge an answer that is against the rules, or no move at all."""
    return Verdict(seat, "resignation") if move is None else Verdict(seat, "illegal move", move)


def raised(seat: int, error: BaseException) -> Verdict:
    if isinstance(error, ProgramError):
        return Verdict(seat, error.reason, one_line(f"{OF_PROGRAM} {error.words}"))
    reason: Reason = "memory" if isinstance(error, MemoryError) else "exception"
    return Verdict(seat, reason, own_words(error))


def not_built(seat: int, error: ConfigError) -> Verdict:
    """Judge an engine that could be built before, and cannot be built again."""
    if isinstance(error.__cause__, ProgramError):
        return raised(seat, error.__cause__)
    return Verdict(seat, "exception", str(error))


def crashed(seat: int, exit_code: int | None, kills: int = 1) -> Verdict | None:
    """Judge a worker's death at a seat's turn (0: no answer was due); None if no seat has lost.

    `kills` counts the times that it was killed from outside at this seat's turn of this game.
    """
    if not seat:
        return None
    if exit_code == CUT_OFF:
        return Verdict(seat, "crash", "closed its worker's pipe")
    if exit_code not in KILLED_FROM_OUTSIDE:
        return Verdict(seat, "crash", f"exit code {exit_code}")
    if kills < MOST_KILLS:
        return None
    return Verdict(seat, "crash", f"killed at its turn in {kills} attempts, exit code {exit_code}")


def forked(seat: int) -> Verdict:
    """Judge an engine that has made a second referee of its process."""
    return Verdict(seat, "exception", "forked its process (as preexec_fn does)")


def reviewed(record: GameRecord, forker: int, grown: Sequence[int]) -> GameRecord:
    """The record of a game, in view of what was seen of its process.

    The `forker`, a seat of the schedule that forked it (0: none), has lost; want of memory is the
    fault of the seat at whose turns the process has `grown` most.
    """
    if forker:
        loss = forked(swapped(record, forker))
        return replace(record, winner=3 - loss.loser, reason=loss.reason, detail=loss.detail)
    is_of_process = record.reason == "memory" and not record.detail.startswith(OF_PROGRAM)
    if is_of_process and grown[1] != grown[2]:
        return replace(record, winner=swapped(record, 1 if grown[2] > grown[1] else 2))
    return record
