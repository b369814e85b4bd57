"""One move of each program before the first game: what comes near a limit in it, as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from arena.engine import Engine, Needs, Remark
from arena.game import Game
from arena.match.play import ForfeitError, ask, move_text, place_opening, start_game
from arena.match.terms import Clock
from arena.match.verdicts import Verdict, unplayable

NEAR_START = 0.5
"""Share of the time for a start above which it is told; a busy machine easily doubles it."""
NEAR_MEMORY = 0.95
"""Share of the memory at which a program is ended above which it is told. What fills the memory
that it is told, and keeps to that, holds nine tenths of it."""


def move_on_trial(
    game: Game, engine: Engine, opening: str, clock: Clock
) -> tuple[float | None, Verdict | None]:
    """The seconds of a move from this opening, None if there is none; and why it would be lost."""
    p, remarks = place_opening(game, opening), list[Remark]()
    text, verdict = partial(move_text, game), None
    try:
        start_game(engine, 0, p.turn, None)
        move = ask(engine, p, [clock, clock], text, remarks, None)
        if not game.is_legal(p, move):
            verdict = unplayable(p.turn, text(move))
    except ForfeitError as loss:
        verdict = loss.verdict
    return (remarks[-1].seconds if remarks else None), verdict


def notes_on_needs(name: str, needs: Needs) -> Iterator[str]:
    """Sentences on a start and on memory that come near what a program may have."""
    if needs.start > NEAR_START * needs.startup:
        yield f"{name} took {needs.start:.1f} s to start; startup allows {needs.startup:g} s."
    if needs.memory > NEAR_MEMORY * needs.most_memory:
        yield (
            f"{name} held {needs.memory} MB of memory after a first move; it is ended at "
            f"{needs.most_memory} MB."
        )


def notes_on_move(
    name: str, clock: Clock, seconds: float | None, verdict: Verdict | None
) -> Iterator[str]:
    """A sentence on a move that would be lost, or that only the margin lets pass."""
    if verdict:
        detail = f", {verdict.detail}" if verdict.detail else ""
        cause = " The machine may be too busy." if verdict.reason == "time" else ""
        yield f"{name} failed in a first move before any game: {verdict.reason}{detail}.{cause}"
    elif seconds is not None and (bound := min(clock.bounds(), default=seconds)) < seconds:
        yield (
            f"{name} took {seconds:.4g} s for a first move; its limit is {bound:g} s, and the "
            f"margin {clock.margin:g} s."
        )
