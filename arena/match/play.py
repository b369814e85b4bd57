"""The only place where a game is stepped: legality, limits and faults become outcomes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Protocol

from arena.engine import Choice, Engine, Limit, ProgramError, Remark
from arena.game import Game, Move, Outcome, Position
from arena.match.adjudication import early_ends
from arena.match.copies import marks
from arena.match.opening_rules import SWAP, after, answer_by, due, opening_answer
from arena.match.record import (
    Efforts,
    GameRecord,
    Job,
    columns,
    efforts_of,
    record,
    remark,
    swapped,
    whole,
)
from arena.match.terms import MARGIN, Clock, Terms
from arena.match.verdicts import Verdict, late, raised, unplayable

logger = logging.getLogger(__name__)

Spectator = Callable[[Position], None]  # A function that is shown each position of a game


class Observer(Protocol):
    """A listener that is told whose answer is due, before each one is asked for."""

    def prepares(self, seat: int) -> None:
        """Hear that the engine at a seat of the schedule is about to be built, or to be told of a
        new game."""

    def asks(self, p: Position, clock: Clock, seat: int) -> None:
        """Hear that the side to move is about to be asked, with this time left: the player that the
        schedule has at this seat."""

    def opened(self, stones: Sequence[Move], seconds: float) -> None:
        """Hear of an answer in an opening that the players make: the stones that it lays."""

    def played(self, p: Position, remark: Remark) -> None:
        """Hear of a move that was made, with all that its engine said."""


class GameInPlay:
    """A game between two answers: its position, its clocks, and what was said with each move.

    All of it follows from the job, the terms and the `answers`, so that an earlier state is that of
    a game with fewer answers.
    """

    def __init__(
        self, game: Game, job: Job, clocks: Sequence[Clock], terms: Terms | None = None
    ) -> None:
        """`clocks` are those of both seats. Raises ValueError if the opening cannot be played."""
        self.game = game
        self.job = job
        """The game as it stands: seats and opening of one that its players make may yet change."""
        self.is_open = bool(due(job))  # True as long as the players make the opening
        self.opening = self.p = place_opening(game, job.opening)
        self.clocks = list(clocks)
        # As they are once the opening is laid: what the players take to make one is theirs.
        self._limits = [clock.limit for clock in clocks]
        self._is_timed = any(clock.bounds() for clock in clocks)
        self.remarks: list[Remark] = []
        """One for each answer; the last may be that of a move that was not played."""
        self.text = partial(move_text, game)
        self._terms = terms
        self._ends = early_ends(game, terms)
        self.outcome: Outcome | None = self._ends.replay(game, self.p) if self._ends else None
        """The end of the game; None while it goes on."""
        self.verdict: Verdict | None = None
        """The fault or resignation by which the game has ended, if any."""
        self.error: BaseException | None = None  # The exception that an engine has lost by

    @property
    def answers(self) -> list[tuple[Move, Remark]]:
        """The moves after the opening, each with its remark."""
        return list(zip(self.p.moves[self.opening.ply :], self.remarks, strict=False))

    def opened(self, stones: Sequence[Move], said: Remark) -> bool:
        """Judge an answer in the opening, stones or none to take the other colour, and go on.

        Returns False if it is none by the rule, or too late, which ends the game.
        """
        turn, texts = self.p.turn, list(map(self.text, stones))
        answer = answer_by(self.job, len(texts))
        if answer and answer.is_move:
            self.job, self.is_open = after(self.job, texts, said.seconds), False
            self.answered(stones[0], said)
            return True
        if not self._is_in_time(said.seconds):
            return False
        try:
            job = after(self.job, texts, said.seconds)
            self.opening = self.p = place_opening(self.game, job.opening)
        except ValueError:
            self.lose(unplayable(turn, " ".join(texts) or SWAP.word))
            return False
        if answer and answer.changes_seats:
            self.clocks.reverse()
        self._limits = [clock.limit for clock in self.clocks]
        self.job, self.is_open = job, bool(due(job))
        self._ends = early_ends(self.game, self._terms)
        self.outcome = self._ends.replay(self.game, self.p) if self._ends else None
        return True

    def _is_in_time(self, seconds: float) -> bool:
        """Judge the time of the side to move, and let its clock run on if that is not over."""
        if self._is_timed:
            turn = self.p.turn
            clock = self.clocks[turn - 1]
            if verdict := late(turn, clock, seconds):
                self.lose(verdict)
                return False
            self.clocks[turn - 1] = clock.after(seconds)
        return True

    def answered(self, move: Move | None, said: Remark) -> None:
        """Judge the answer of the side to move, and go on from it."""
        p, game = self.p, self.game
        self.remarks.append(said)
        if not self._is_in_time(said.seconds):
            return
        if move is None or not game.is_legal(p, move):
            self.lose(unplayable(p.turn, None if move is None else self.text(move)))
            return
        self.p = p = game.play(p, move)
        self.outcome = game.outcome(p)
        if not self.outcome and self._ends:
            self.outcome = self._ends.outcome(p, said)

    def lose(self, verdict: Verdict, error: BaseException | None = None) -> None:
        self.outcome, self.verdict, self.error = verdict.outcome, verdict, error

    def record(self, with_remarks: bool = True) -> GameRecord:
        """The record of the game, which is over; with expected lines and info if they are kept."""
        assert self.outcome
        return record(
            self.job,
            self.outcome,
            self.verdict.detail if self.verdict else moves_text(self.game, self.outcome.line),
            moves_text(self.game, self.p.moves),
            marks(self.game, self.opening, self.p),
            efforts=self._efforts(),
            **columns(self.remarks, with_remarks),
        )

    def _efforts(self) -> Efforts:
        said = self.remarks
        times = [round(each.seconds, 6) for each in said]
        nodes, depths = [each.nodes for each in said], [each.depth for each in said]
        return efforts_of(self.opening.ply, times, nodes, depths, self._limits)


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

    `watch` is called with every position from the opening to the last. The `observer` is told which
    player is to answer. Times are measured by the referee. The margin, the rules that end games
    early and `remarks` are taken from `terms`. A game is played again, from its beginning, if
    `new_game` has broken a program: it should not hang on the games before it.
    """
    margin = terms.margin if terms else MARGIN
    while True:
        play = GameInPlay(game, job, [Clock(limit, margin) for limit in limits], terms)
        is_begun = all(begin(play, engines[seat - 1], seat, observer) for seat in (1, 2))
        if watch and is_begun:
            watch(play.p)
        while not play.outcome:
            p = play.p
            ask(play, engines[swapped(play.job, p.turn) - 1], observer)
            if watch and play.p is not p:
                watch(play.p)
        if not (isinstance(play.error, ProgramError) and play.error.is_new_game_at_fault):
            break
    log_error(play)
    return play.record(with_remarks=terms is None or terms.remarks)


def begin(play: GameInPlay, engine: Engine, seat: int, observer: Observer | None = None) -> bool:
    """Tell an engine of a new game, by its seat in the schedule. Returns False if it has lost by
    what it raises."""
    if observer:
        observer.prepares(seat)
    try:
        engine.new_game(play.job.seed + seat)
    except (Exception, SystemExit) as error:
        play.lose(raised(swapped(play.job, seat), error), error)
        return False
    return True


def ask(play: GameInPlay, engine: Engine, observer: Observer | None = None) -> Choice | None:
    """Ask an engine for the next move, and judge its answer: the choice; None if it has none."""
    p = play.p
    clock = play.clocks[p.turn - 1]
    if observer:
        observer.asks(p, clock, swapped(play.job, p.turn))
    stones: Sequence[Move] = ()
    try:
        began = perf_counter()
        if play.is_open:
            stones, choice = opening_answer(engine, play.game, play.job, p, clock.limit)
        else:
            choice = engine.choose(p, clock.limit)
        took = perf_counter() - began
        move = None if choice.move is None else whole(choice.move)
        said = remark(p.turn, choice, took, play.text)
    except (Exception, SystemExit) as error:
        play.lose(raised(p.turn, error), error)
        return None
    if play.is_open:
        if play.opened(stones, said) and observer:
            observer.opened(stones, took)
    else:
        play.answered(move, said)
    if observer and len(play.p.moves) > len(play.opening.moves) and play.p is not p:
        observer.played(play.p, said)
    return choice


def log_error(play: GameInPlay) -> None:
    """Log the exception that has ended a game, if one has, and let go of it.

    It holds the frames of the engine that has raised it. Of a program only the words are logged.
    """
    error, play.error = play.error, None
    if error and play.verdict:
        name = play.job.player(play.verdict.loser)
        if isinstance(error, ProgramError):
            logger.error("%s: %s", name, play.verdict.detail)
        else:
            logger.error("%s raised an exception", name, exc_info=error)


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
    return " ".join(map(game.text, moves))


def move_text(game: Game, move: Move) -> str:
    """The text of a move that may be none: the bare number where the game has no words for it."""
    try:
        text = game.text(move)
        return text if game.parse(text) == move else str(move)
    except ValueError:
        return str(move)
