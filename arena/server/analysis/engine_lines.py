"""The lines of a position that engines would play, and the processes that think of them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count, takewhile
from pickle import UnpicklingError

from arena.config.settings import Player
from arena.engine import MATE, Choice, Engine, Limit, Program, choice_in_new_game, mate_text
from arena.errors import ConfigError
from arena.game import Forbids, Game, Move, Position
from arena.match.record import whole
from arena.match.terms import Terms
from arena.match.verdicts import Verdict, crashed, raised, unplayable
from arena.plugins.build import prepare_forks
from arena.plugins.engine_names import PROGRAMS, is_foreign
from arena.processes.child import EXIT_TIMEOUT, Child, ValuePipe, confine, mute
from arena.workers.referee import Referee

LONGEST_STEP = 50.0  # Seconds for one answer
LONGEST = 180.0  # Seconds of thinking about a position, in all
FIRST_SECONDS = 0.25
"""Seconds for the first answer of a program, which knows no depths; each further one has twice as
many."""
DEEPEST = 99
LONGEST_LINE = 30
KEPT = (24, 12)
"""Moves that are looked at after the second depth, and after the third; then twice as many as there
are lines."""
PAUSE = 0.2  # Seconds between two reports while other moves are looked at


class UnplayableError(Exception):
    """An engine's answer that is against the rules."""


@dataclass(frozen=True, slots=True)
class EngineLine:
    """A move, the play that is expected from it, and what the engine says of it."""

    moves: tuple[Move, ...]  # None where the engine resigns
    score: int | None
    """The value to the side that is to move, in the engine's own units; see `Choice`."""
    depth: int
    nodes: int


def lines_deepening(
    engine: Engine, game: Game, p: Position, most: int, seed: int
) -> Iterator[tuple[EngineLine, ...]]:
    """The best lines found so far, again and again as the engine looks deeper; `most` at most.

    A `Program` is asked for one line, with more and more time. Raises UnplayableError.
    """
    question = Asked(engine, game, seed, time.monotonic() + LONGEST)
    if isinstance(engine, Program):
        for limit in question.doubling():
            yield (question.line(p, limit),)
    else:
        yield from _by_depths(question, p, most)


def _by_depths(question: Asked, p: Position, most: int) -> Iterator[tuple[EngineLine, ...]]:
    others = Others(question, p)
    for depth in range(1, DEEPEST + 1):
        first = question.line(p, question.limit(depth))
        yield (first, *others.best(first, most))
        is_last = first.depth < depth or question.is_late
        is_due = not others.lines if is_last else depth > 1
        if is_due and most > 1 and first.score is not None:
            for _ in others.deepened(depth, most):
                yield (first, *others.best(first, most))
        if is_last:
            return


@dataclass(frozen=True, slots=True)
class Asked:
    """An engine, which is asked about one position after the other until a time."""

    engine: Engine
    game: Game
    seed: int
    end: float  # Time of the monotonic clock when thinking ends

    @property
    def is_late(self) -> bool:
        return time.monotonic() >= self.end

    def limit(self, depth: int) -> Limit:
        left = max(self.end - time.monotonic(), 0.1)
        return Limit(depth=depth, seconds=min(left, LONGEST_STEP))

    def doubling(self) -> Iterator[Limit]:
        """Limits of time, each twice as long as that before it."""
        times = (FIRST_SECONDS * 2**i for i in count())
        for seconds in takewhile(lambda each: each <= LONGEST_STEP, times):
            yield Limit(seconds=seconds)

    def line(self, p: Position, limit: Limit) -> EngineLine:
        """The engine's answer to a position, which none before it should change."""
        choice = choice_in_new_game(self.engine, self.seed, p, limit)
        score = None if choice.score is None else whole(int(choice.score))
        moves = _playable(self.game, p, expected(choice))
        return EngineLine(moves, score, whole(choice.depth), whole(choice.nodes))

    def line_from(self, p: Position, move: Move, depth: int) -> EngineLine:
        """The line that begins with a move, to this depth counted from before the move."""
        after = self.game.play(p, move)
        outcome = self.game.outcome(after)
        if outcome:
            value = 0
            if outcome.winner is not None:
                value = MATE - 1 if outcome.winner == p.turn else -MATE
            return EngineLine((move,), value, 1, 1)
        reply = self.line(after, self.limit(max(depth - 1, 1)))
        score = None if reply.score is None else backed_up(reply.score)
        return EngineLine((move, *reply.moves), score, reply.depth + 1, reply.nodes)


class Others:
    """Holds the lines that begin with each of the moves that are looked at."""

    def __init__(self, question: Asked, p: Position) -> None:
        self._question = question
        self._p = p
        self._kept = iter(KEPT)
        self.lines = list[EngineLine]()  # The best ones first, each from its deepest look

    def best(self, first: EngineLine, most: int) -> list[EngineLine]:
        """The best lines that begin with another move than the first one, and are not lost."""
        others = (line for line in self.lines if line.moves[:1] != first.moves[:1])
        return [line for line in others if not _is_lost(line.score)][: most - 1]

    def deepened(self, depth: int, most: int) -> Iterator[None]:
        """Look deeper at the best moves, at first at all; stops now and then, and at the end."""
        moves = [line.moves[0] for line in self.lines] or candidates(self._question.game, self._p)
        shown = time.monotonic()
        by_move = {line.moves[0]: line for line in self.lines}
        for move in moves:
            if self._question.is_late:
                break
            by_move[move] = self._question.line_from(self._p, move, depth)
            self.lines = sorted(
                by_move.values(), key=lambda line: (line.score is None, -(line.score or 0))
            )
            if time.monotonic() > shown + PAUSE:
                yield
                shown = time.monotonic()
        self.lines = self.lines[: max(next(self._kept, 0), 2 * most)]
        yield


def candidates(game: Game, p: Position) -> list[Move]:
    """The legal moves, but for those that lose at once."""
    moves = list(game.moves(p))
    if not isinstance(game, Forbids):
        return moves
    return [move for move in moves if not game.forbidden(p, move)] or moves


def backed_up(score: int) -> int:
    """The score of a reply as the mover before it sees it; a seen win is one ply further off."""
    if mate_text(score) is None:
        return -score
    return 1 - score if score > 0 else -score - 1


def _is_lost(score: int | None) -> bool:
    return score is not None and score < 0 and mate_text(score) is not None


def expected(choice: Choice) -> tuple[Move, ...]:
    if choice.move is None:
        return ()
    line = tuple(choice.pv)[:LONGEST_LINE]
    return line if line[:1] == (choice.move,) else (choice.move,)


def _playable(game: Game, p: Position, moves: Sequence[Move]) -> tuple[Move, ...]:
    """The moves as far as they can be played; UnplayableError if the first cannot."""
    for i, move in enumerate(moves):
        if game.outcome(p) or not game.is_legal(p, whole(move)):
            if i == 0:
                raise UnplayableError(move)
            return tuple(moves[:i])
        p = game.play(p, move)
    return tuple(map(whole, moves))


@dataclass(frozen=True, slots=True)
class LinesWanted:
    """A position to think of; None: think of nothing."""

    number: int
    p: Position | None = None
    lines: int = 1  # The most lines that are wanted


@dataclass(frozen=True, slots=True)
class LinesFound:
    number: int  # The number of the question; 0: the process is ready for one
    lines: tuple[EngineLine, ...] = ()
    is_final: bool = False
    trouble: str = ""


def wait_for_questions(pipe: ValuePipe, terms: Terms, player: Player, parent: int) -> None:
    """Answer questions until the pipe closes, each in a process of its own: the life of the first.

    A question ends the thinking about the one before it.
    """
    confine(parent, terms.worker_memory)
    mute()
    with suppress(EOFError, OSError):
        _warm(terms, player)
        pipe.send(LinesFound(0))
        while True:
            question: LinesWanted = pipe.receive_last()
            if question.p is not None:
                _relay(pipe, terms, player, question)


def _warm(terms: Terms, player: Player) -> None:
    """Build the project's own engine once, so that forked processes need not load its kernels.
    Errors are ignored: they come again in those processes, which report them."""
    prepare_forks()
    if is_foreign(player.engine.name) or player.engine.name == PROGRAMS:
        return
    with closing(Referee(terms, (player,))) as referee, suppress(ConfigError):
        referee.engine(player.name)


def _relay(pipe: ValuePipe, terms: Terms, player: Player, question: LinesWanted) -> None:
    """Send on the reports of a new process, until it is done or something else is asked for."""
    child = Child.forked(_think_of, terms, player, question, os.getpid())
    try:
        while (report := child.receive(None, pipe.fileno())) is not None:
            pipe.send(report)
            if report.is_final:
                break
    except (EOFError, UnpicklingError):
        verdict = crashed(1, child.end(EXIT_TIMEOUT))
        pipe.send(LinesFound(question.number, (), True, _words_of(verdict)))
    finally:
        child.end()


def _think_of(
    pipe: ValuePipe, terms: Terms, player: Player, question: LinesWanted, parent: int
) -> None:
    """LinesFound on a position until the engine goes no deeper: the life of the second process."""
    confine(parent, terms.worker_memory)
    os.register_at_fork(after_in_child=partial(os._exit, 1))  # else a copy would report, too
    assert question.p
    with closing(Referee(terms, (player,))) as referee:
        lines, trouble = tuple[EngineLine, ...](), ""
        try:
            engine = referee.engine(player.name)
            for lines in lines_deepening(
                engine, referee.game, question.p, question.lines, terms.seed
            ):
                pipe.send(LinesFound(question.number, lines))
        except ConfigError as error:
            trouble = str(error)
        except UnplayableError as error:
            trouble = _words_of(unplayable(1, str(error)))
        except (Exception, SystemExit) as error:
            trouble = _words_of(raised(1, error))
        pipe.send(LinesFound(question.number, lines, True, trouble))


def _words_of(verdict: Verdict | None) -> str:
    return f"{verdict.reason}: {verdict.detail}" if verdict else "its process was killed"
