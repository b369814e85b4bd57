"""The only loop that plays a game: legality, limits and faults become outcomes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Protocol

from arena.engine import Engine, Limit, ProgramError, Remark
from arena.game import Game, Move, Position
from arena.match.adjudication import early_ends
from arena.match.copies import marks
from arena.match.record import GameRecord, Job, record
from arena.match.remarks import columns, remark, whole
from arena.match.terms import MARGIN, Clock, Terms
from arena.match.verdicts import Verdict, late, raised, unplayable

logger = logging.getLogger(__name__)

Spectator = Callable[[Position], None]
"""A function that is shown each position of a game."""


class Observer(Protocol):
    """A listener that is told whose answer is due, before each one is asked for."""

    def prepares(self, seat: int) -> None:
        """Hear that a player's engine is about to be built, or to be told of a new game."""

    def asks(self, p: Position, clock: Clock) -> None:
        """Hear that the side to move is about to be asked, with this time left."""

    def played(self, p: Position, remark: Remark) -> None:
        """Hear of a move that was made, with all that its engine said."""


class ForfeitError(Exception):
    """The end of a game by a player's fault."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict)
        self.verdict = verdict


def play_game(
    game: Game,
    engines: tuple[Engine, Engine],
    job: Job,
    *,
    limits: tuple[Limit, Limit] = (Limit(), Limit()),
    terms: Terms | None = None,
    watch: Spectator | None = None,
    observer: Observer | None = None,
) -> GameRecord:
    """Play one game to its end; a player's fault is an outcome, never an exception.

    `watch` sees every position from the opening on, the last included; the `observer` is told whose
    answer is due. Times are the referee's. Of the `terms`, the margin, the rules of early
    ends and `remarks` count here.
    """
    p = opening = place_opening(game, job.opening)
    margin = terms.margin if terms else MARGIN
    clocks = [Clock(limit, margin) for limit in limits]
    ends, remarks = early_ends(game, terms), list[Remark]()
    text = partial(move_text, game)
    outcome, detail = ends.replay(game, p) if ends else None, ""
    try:
        for seat in (1, 2):
            start_game(engines[seat - 1], job.seed + seat, seat, observer)
        while True:
            if watch:
                watch(p)
            if outcome:
                break
            seat = p.turn
            move = ask(engines[seat - 1], p, clocks, text, remarks, observer)
            if not game.is_legal(p, move):
                raise ForfeitError(unplayable(seat, text(move)))
            p = game.play(p, move)
            if observer:
                observer.played(p, remarks[-1])
            outcome = game.outcome(p) or (ends.outcome(p, remarks[-1].score) if ends else None)
    except ForfeitError as loss:
        outcome, detail = loss.verdict.outcome, loss.verdict.detail
        name = job.player(loss.verdict.loser)
        if isinstance(loss.__cause__, ProgramError):
            logger.error("%s: %s", name, detail)
        elif error := loss.__cause__:
            logger.error("%s raised an exception", name, exc_info=error)
    moves, found = moves_text(game, p.moves), marks(game, opening, p)
    kept = terms is None or terms.remarks
    return record(job, outcome, detail, moves, found, **columns(remarks, kept))


def start_game(engine: Engine, seed: int, seat: int, observer: Observer | None) -> None:
    """Tell an engine of a new game; ForfeitError if it raises anything."""
    if observer:
        observer.prepares(seat)
    try:
        engine.new_game(seed)
    except (Exception, SystemExit) as error:
        raise ForfeitError(raised(seat, error)) from error


def ask(
    engine: Engine,
    p: Position,
    clocks: list[Clock],
    text: Callable[[Move], str],
    remarks: list[Remark],
    observer: Observer | None,
) -> Move:
    """Ask for a move, note the remark, run the clock; ForfeitError if no move comes in time."""
    clock = clocks[p.turn - 1]
    if observer:
        observer.asks(p, clock)
    try:
        began = perf_counter()
        choice = engine.choose(p, clock.limit)
        took = perf_counter() - began
        move = None if choice.move is None else whole(choice.move)
        remarks.append(remark(p.turn, choice, took, text))
    except (Exception, SystemExit) as error:
        raise ForfeitError(raised(p.turn, error)) from error
    if clock.limit.seconds is not None or clock.limit.time_left is not None:
        if verdict := late(p.turn, clock, took):
            raise ForfeitError(verdict)
        clocks[p.turn - 1] = clock.after(took)
    if move is None:
        raise ForfeitError(unplayable(p.turn, None))
    return move


def place_opening(game: Game, opening: str) -> Position:
    """The position after these moves; ValueError if one is illegal or ends the game."""
    p = game.start()
    for text in opening.split():
        if game.outcome(p):
            raise ValueError(f"the game is over before {text}")
        move = game.parse(text)
        if not game.is_legal(p, move):
            raise ValueError(f"{text} is not legal after {p.ply} moves")
        p = game.play(p, move)
    if game.outcome(p):
        raise ValueError("the game is over before an engine moves")
    return p


def moves_text(game: Game, moves: Sequence[Move]) -> str:
    """The moves as text, joined by spaces."""
    return " ".join(map(game.text, moves))


def move_text(game: Game, move: Move) -> str:
    """The text of a move that may be none: the bare number where the game has no words for it."""
    try:
        text = game.text(move)
        return text if game.parse(text) == move else str(move)
    except ValueError:
        return str(move)
