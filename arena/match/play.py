"""The only loop that plays a game: legality, limits and faults become outcomes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import index
from time import perf_counter
from typing import Protocol, SupportsIndex

from arena.engine import Engine, Limit
from arena.errors import own_words
from arena.game import Game, Move, Outcome, Position, Reason
from arena.match.adjudication import counting
from arena.match.clock import MARGIN, Clock
from arena.match.record import GameRecord, Job, Thoughts, record
from arena.match.terms import Terms

logger = logging.getLogger(__name__)

Watch = Callable[[Position], None]


class Observer(Protocol):
    """Whoever is told whose answer is due, before each one is asked for."""

    def prepares(self, seat: int) -> None:
        """A player's engine is about to be built, or to hear of a new game."""

    def asks(self, p: Position, budget: float | None) -> None:
        """The side to move is about to be asked, and has so many seconds."""


class ForfeitError(Exception):
    """How a player loses without being beaten: the reason, and a word to people."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def play_game(
    game: Game,
    engines: tuple[Engine, Engine],
    job: Job,
    *,
    limits: tuple[Limit, Limit] = (Limit(), Limit()),
    terms: Terms | None = None,
    watch: Watch | None = None,
    observer: Observer | None = None,
) -> GameRecord:
    """Play one game to its end; a player's fault is an outcome, never an exception.

    `watch` sees every position from the opening on, the last included; the `observer` is told whose
    answer is due. Times are the referee's. Of the `terms`, the margin and the
    rules of adjudication count here.
    """
    p = place_opening(game, job.opening)
    margin = terms.margin if terms else MARGIN
    clocks = Clock(limits[0], margin), Clock(limits[1], margin)
    thinking, seat = Thinking(), 1
    count = counting(game, terms)
    outcome, detail = count.replay(game, p) if count else None, ""
    try:
        for seat in (1, 2):
            start_game(engines[seat - 1], job.seed + seat, seat, observer)
        while True:
            if watch:
                watch(p)
            if outcome:
                break
            seat = p.turn
            move = thinking.ask(engines[seat - 1], p, clocks[seat - 1], observer)
            if not game.is_legal(p, move):
                raise ForfeitError("illegal move", move_text(game, move))
            p = game.play(p, move)
            outcome = game.outcome(p)
            if outcome is None and count:
                outcome = count.outcome(p)
    except ForfeitError as loss:
        if loss.__cause__:
            logger.error("%s raised an exception", job.player(seat), exc_info=loss.__cause__)
        outcome, detail = Outcome(3 - seat, loss.reason), loss.detail
    return record(job, outcome, detail, moves_text(game, p.moves), thinking.thoughts())


def start_game(engine: Engine, seed: int, seat: int, observer: Observer | None) -> None:
    """Tell an engine of a new game; ForfeitError if it raises anything."""
    if observer:
        observer.prepares(seat)
    try:
        engine.new_game(seed)
    except (Exception, SystemExit) as error:
        raise blame(error) from error


@dataclass(slots=True)
class Thinking:
    """What the engines' choices cost and said, move by move."""

    times: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    scores: list[int | None] = field(default_factory=list)

    def ask(self, engine: Engine, p: Position, clock: Clock, observer: Observer | None) -> Move:
        """The engine's move, its choice noted; ForfeitError if there is none, or too late."""
        if observer:
            observer.asks(p, clock.budget())
        try:
            began = perf_counter()
            choice = engine.choose(p, clock.limit)
            took = perf_counter() - began
            # All is read before any is kept, so that junk leaves the columns of one length.
            move = None if choice.move is None else whole(choice.move)
            nodes, depth = whole(choice.nodes), whole(choice.depth)
            score = None if choice.score is None else whole(int(choice.score))
        except (Exception, SystemExit) as error:
            raise blame(error) from error
        self.times.append(took)
        self.nodes.append(nodes)
        self.depths.append(depth)
        self.scores.append(score)
        if (over := clock.charge(took)) is not None:
            raise ForfeitError("time", f"{over:.3f} s over")
        if move is None:
            raise ForfeitError("resignation")
        return move

    def thoughts(self) -> Thoughts:
        """All of it as text."""
        return Thoughts(
            times=" ".join(f"{seconds:.6f}" for seconds in self.times),
            nodes=" ".join(map(str, self.nodes)),
            depths=" ".join(map(str, self.depths)),
            scores=" ".join("-" if score is None else str(score) for score in self.scores),
        )


def blame(error: BaseException) -> ForfeitError:
    """The loss that an engine's exception means."""
    reason: Reason = "memory" if isinstance(error, MemoryError) else "exception"
    return ForfeitError(reason, own_words(error))


def whole(value: SupportsIndex) -> int:
    """A whole number of at most 64 bits, which records and databases can hold."""
    number = index(value)
    if number.bit_length() > 63:
        raise OverflowError(f"a number of {number.bit_length()} bits")
    return number


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
    """Moves' texts, joined by spaces."""
    return " ".join(map(game.text, moves))


def move_text(game: Game, move: Move) -> str:
    """The text of a move that may be none: the bare number where the game has no words for it."""
    try:
        text = game.text(move)
        return text if game.parse(text) == move else str(move)
    except ValueError:
        return str(move)
