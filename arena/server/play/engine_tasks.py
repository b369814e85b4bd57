"""The process in which the engines of one game think: its tasks, its answers, its life."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from arena.config.settings import Player
from arena.engine import Choice, Limit, ProgramError, Remark
from arena.errors import ConfigError
from arena.game import Move, Position
from arena.match.opening_rules import opening_answer
from arena.match.play import move_text
from arena.match.record import Job, remark, whole
from arena.match.terms import Terms
from arena.match.verdicts import Verdict, forked, raised
from arena.processes.child import ValuePipe, confine, mute
from arena.workers.heartbeat import Heartbeat
from arena.workers.referee import Referee
from arena.workers.worker import ForkGuard


@dataclass(frozen=True, slots=True)
class Task:
    """Something that an engine is to do; without a position, to be ready for a new game."""

    who: str  # The player's name in the process
    seed: int | None = None  # Seed of a game that is to begin; None: one that goes on
    p: Position | None = None
    limit: Limit = Limit()
    job: Job | None = None  # The game, where the answer is one in its opening


class Thought(NamedTuple):
    move: Move | None
    said: Remark
    stones: Sequence[Move] = ()
    """Of an answer in an opening that the players make, all that it lays."""


Answer = Thought | Verdict | ConfigError | str
"""A move; the verdict on an engine that has lost; why it cannot be built; or READY."""

READY = "ready"


def think(pipe: ValuePipe, terms: Terms, players: tuple[Player, ...], parent: int) -> None:
    """Do the tasks that come until the pipe closes: the process's whole life."""
    confine(parent, terms.worker_memory)
    mute()
    heartbeat = Heartbeat(terms.hang)
    heartbeat.become_writer(pipe.fileno())
    forks = ForkGuard(heartbeat)
    seats = {player.name: seat for seat, player in enumerate(players, 1)}
    with closing(Referee(terms, players)) as referee, suppress(EOFError, OSError):
        while True:
            task: Task = pipe.receive()
            heartbeat.prepares(seats[task.who])
            answer = _task_answer(referee, task)
            pipe.send(forked(1) if forks.seat() else answer)


def _task_answer(referee: Referee, task: Task) -> Answer:
    """The engine's answer; a fault of the engine is a Verdict, against seat 1 wherever it sits."""
    try:
        engine = referee.engine(task.who)
    except ConfigError as error:
        return ConfigError(str(error))
    try:
        if task.seed is not None:
            engine.new_game(task.seed)
        if task.p is None:
            return READY
        if task.job is None:
            return _thought(referee, task.p, engine.choose(task.p, task.limit))
        stones, choice = opening_answer(engine, referee.game, task.job, task.p, task.limit)
        return _thought(referee, task.p, choice)._replace(stones=stones)
    except (Exception, SystemExit) as error:
        if isinstance(error, ProgramError) and error.is_new_game_at_fault:
            return _task_answer(referee, replace(task, seed=task.seed or 0))
        return raised(1, error)


def _thought(referee: Referee, p: Position, choice: Choice) -> Thought:
    """The move and the remark with it; an exception if no record can hold them."""
    said = remark(p.turn, choice, 0.0, partial(move_text, referee.game))
    return Thought(None if choice.move is None else whole(choice.move), said)
