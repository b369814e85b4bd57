"""The only loop that plays a game: legality, limits and faults become outcomes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import index
from time import perf_counter

from arena.engine import Engine, Limit
from arena.game import Game, Move, Outcome, Position, Reason

logger = logging.getLogger(__name__)

GRACE = 0.05
"""Seconds that a move may take over its limit: what a busy machine adds to an obedient engine."""

Watch = Callable[[Position], None]


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played: names, text and numbers."""

    first: str
    second: str
    opening: str = ""
    """Moves as text, joined by spaces."""
    round: int = 1
    seed: int = 0

    def player(self, seat: int) -> str:
        """The name of player 1 or 2."""
        return self.first if seat == 1 else self.second


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game played: text and numbers, enough to play it again."""

    first: str
    second: str
    opening: str
    round: int
    seed: int
    winner: int | None
    reason: Reason
    detail: str
    """What a player did wrong, for people; empty otherwise."""
    plies: int
    moves: str
    """The moves' texts joined by spaces, opening included."""
    times: str
    """Seconds of each choice in turn, joined by spaces, the opening left out; so the next three."""
    nodes: str
    depths: str
    scores: str
    """From the mover's side; `-` where the engine gave none."""


def play_game(
    game: Game,
    engines: tuple[Engine, Engine],
    job: Job,
    *,
    limits: tuple[Limit, Limit] = (Limit(), Limit()),
    max_plies: int | None = None,
    watch: Watch | None = None,
) -> GameRecord:
    """Play one game to its end; a player's fault is an outcome, never an exception.

    Each engine's `new_game` is called just before its first move. `watch` sees every position
    from the opening on, each before the engine that moves next. Times are the referee's.
    """
    p = place_opening(game, job.opening)
    thinking = Thinking()
    outcome, detail = game.outcome(p), ""
    first_calls = p.ply + 2
    while True:
        if watch:
            watch(p)
        if outcome:
            break
        seat = p.turn
        engine, limit = engines[seat - 1], limits[seat - 1]
        try:
            if p.ply < first_calls:
                engine.new_game(job.seed + seat)
            move = thinking.ask(engine, p, limit)
        except Exception as error:
            logger.exception(
                "%s raised an exception as player %d in %s", job.player(seat), seat, job
            )
            outcome, detail = Outcome(3 - seat, "exception"), f"{type(error).__name__}: {error}"
            break
        if fault := find_fault(game, p, move, limit, thinking.times[-1]):
            outcome, detail = fault
            break
        assert move is not None
        p = game.play(p, move)
        outcome = game.outcome(p)
        if outcome is None and p.ply == max_plies:
            outcome = Outcome(None, "ply cap")
    return record(job, outcome, detail, moves_text(game, p.moves), thinking)


def record(
    job: Job, outcome: Outcome, detail: str, moves: str, thinking: Thinking | None = None
) -> GameRecord:
    """The record of a game that ended so after these moves."""
    thinking = thinking or Thinking()
    return GameRecord(
        first=job.first,
        second=job.second,
        opening=job.opening,
        round=job.round,
        seed=job.seed,
        winner=outcome.winner,
        reason=outcome.reason,
        detail=detail,
        plies=len(moves.split()),
        moves=moves,
        times=" ".join(f"{seconds:.6f}" for seconds in thinking.times),
        nodes=" ".join(map(str, thinking.nodes)),
        depths=" ".join(map(str, thinking.depths)),
        scores=" ".join("-" if score is None else str(score) for score in thinking.scores),
    )


@dataclass(slots=True)
class Thinking:
    """What the engines' choices cost and said, move by move."""

    times: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    scores: list[int | None] = field(default_factory=list)

    def ask(self, engine: Engine, p: Position, limit: Limit) -> Move | None:
        """The engine's move, its choice noted; whatever is no choice raises."""
        began = perf_counter()
        choice = engine.choose(p, limit)
        took = perf_counter() - began
        # All is read before any is kept, so that junk leaves the columns of one length.
        move = None if choice.move is None else index(choice.move)
        nodes, depth = index(choice.nodes), index(choice.depth)
        score = None if choice.score is None else int(choice.score)
        self.times.append(took)
        self.nodes.append(nodes)
        self.depths.append(depth)
        self.scores.append(score)
        return move


def summary(record: GameRecord) -> str:
    """One line about a game, for logs and screens."""
    who = {1: "1-0", 2: "0-1", None: "draw"}[record.winner]
    detail = f" ({record.detail})" if record.detail else ""
    return f"{record.first} - {record.second}: {who}, {record.reason}{detail}, {record.plies} plies"


def find_fault(
    game: Game, p: Position, move: Move | None, limit: Limit, took: float
) -> tuple[Outcome, str] | None:
    """How this answer loses the game at once, and a word to people; None if it does not."""
    other = 3 - p.turn
    if limit.seconds is not None and took > limit.seconds + GRACE:
        return Outcome(other, "time"), f"{took:.3f} s of {limit.seconds:g} s"
    if move is None:
        return Outcome(other, "resignation"), ""
    if not game.is_legal(p, move):
        return Outcome(other, "illegal move"), move_text(game, move)
    return None


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
