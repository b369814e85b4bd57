"""One move of each program before the first game: what comes near a limit in it, as sentences."""

from __future__ import annotations

from collections.abc import Iterator

from arena.engine import Engine, Needs
from arena.game import Game
from arena.gomocup.protocol import MEMORY_TOLERANCE
from arena.gomocup.transcript import is_slow
from arena.match.opening_rules import opening_seconds, rule_named
from arena.match.play import GameInPlay, ask, begin
from arena.match.record import job_of, split_opening
from arena.match.terms import Clock
from arena.match.verdicts import Verdict

NEAR_START = 0.5
"""Share of the time for a start above which it is told; a busy machine easily doubles it."""
NEAR_MEMORY = 0.95
"""Share of the memory at which a program is ended above which it is told. A program that fills the
memory it is told, and no more, holds nine tenths of it."""


def move_on_trial(
    game: Game, engine: Engine, opening: str, clock: Clock
) -> tuple[float | None, Verdict | None]:
    """The seconds of a move from this opening, None if there is none; and why it would be lost.

    Where players make it, the engine answers for both until it is made.
    """
    play = GameInPlay(game, job_of(("", "", opening, 1), 0), [clock, clock])
    if begin(play, engine, play.p.turn):
        ask(play, engine)
        while play.is_open and not play.outcome:
            ask(play, engine)
    seconds = [*opening_seconds(play.job), *(each.seconds for each in play.remarks)]
    return (seconds[-1] if seconds else None), play.verdict


def rule_fault(opening: str, verdict: Verdict | None) -> str | None:
    """The reason why a program failed that was asked to make the opening by its rule; None if it
    made it, or is never asked."""
    rule, _ = split_opening(opening)
    command = rule_named(rule).COMMAND if rule else ""
    if not command or verdict is None:
        return None
    cause = ", or the machine is too busy" if is_slow(verdict.reason, verdict.detail) else ""
    told = f"{verdict.reason}, {verdict.detail}"
    return f"does not play {rule} as it was asked to ({command}){cause}: {told}"


def notes_on_needs(name: str, needs: Needs) -> Iterator[str]:
    """Sentences on a start and on memory that come near what a program may have."""
    if needs.start > NEAR_START * needs.startup:
        yield f"{name} took {needs.start:.1f} s to start; startup allows {needs.startup:g} s."
    is_near = needs.memory > NEAR_MEMORY * needs.most_memory
    if is_near or needs.memory > MEMORY_TOLERANCE * needs.told_memory:
        yield (
            f"{name} held {needs.memory} MB of memory after a first move, and was told "
            f"{needs.told_memory}; it is ended at {needs.most_memory} MB."
        )


def notes_on_move(
    name: str, clock: Clock, seconds: float | None, verdict: Verdict | None
) -> Iterator[str]:
    """A sentence on a move that would be lost, or that only the margin lets pass."""
    if verdict:
        detail = f", {verdict.detail}" if verdict.detail else ""
        cause = " The machine may be too busy." if is_slow(verdict.reason, verdict.detail) else ""
        yield f"{name} failed in a first move before any game: {verdict.reason}{detail}.{cause}"
    elif seconds is not None and (bound := min(clock.bounds(), default=seconds)) < seconds:
        yield (
            f"{name} took {seconds:.4g} s for a first move; its limit is {bound:g} s, and the "
            f"margin {clock.margin:g} s."
        )
