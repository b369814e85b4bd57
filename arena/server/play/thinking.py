"""The process in which the engines of one game think, from both sides of its pipe."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pickle import UnpicklingError
from typing import NamedTuple

from arena.config.settings import Player
from arena.engine import Choice, Limit, Remark
from arena.errors import ConfigError
from arena.game import Move, Position
from arena.match.play import move_text
from arena.match.remarks import remark, whole
from arena.match.terms import Terms
from arena.match.verdicts import Verdict, forked, raised
from arena.processes.child import EXIT_TIMEOUT, Child, ValuePipe
from arena.processes.confine import confine, mute
from arena.workers.heartbeat import Heartbeat
from arena.workers.referee import Referee
from arena.workers.sandbox import ForkGuard


@dataclass(frozen=True, slots=True)
class Task:
    """Something that an engine is to do; without a position, to be ready for a new game."""

    who: str
    """The player's name in the process."""
    seed: int | None = None
    """Seed of a game that is to begin; None: one that goes on."""
    p: Position | None = None
    limit: Limit = Limit()


class Thought(NamedTuple):
    """A move, and the remark with it."""

    move: Move | None
    said: Remark


Answer = Thought | Verdict | ConfigError | str
"""A move; the verdict on an engine that has lost; why it cannot be built; or READY."""
READY = "ready"


class SilenceError(Exception):
    """No answer came in time; the process is ended."""


class DeathError(Exception):
    """The process is gone, with this exit code; None if it only closed its pipe."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class EngineProcess:
    """Holds the process, started when first needed, and again after its end.

    It is a new interpreter: a fork would keep the server's connections open.
    """

    def __init__(self, terms: Terms, players: tuple[Player, ...]) -> None:
        self._terms = terms
        self._players = players
        self._child: Child | None = None
        self.number = 0
        """The number of processes that were started, this one included."""

    @property
    def is_running(self) -> bool:
        """True while there is a process that is taken to be alive."""
        return self._child is not None

    def start(self) -> None:
        """Start the process."""
        self.number += 1
        self._child = Child.executed(think, self._terms, self._players, os.getpid())

    def answer(self, task: Task, patience: float, wake_up: int) -> Answer | None:
        """Send a task and wait for its answer, at most `patience` seconds.

        Returns None, after killing the process, if the descriptor `wake_up` becomes readable first.
        Raises SilenceError on a timeout, DeathError if the process dies or sends anything else.
        """
        assert self._child
        self._child.send(task)
        try:
            answer = self._child.receive(patience, wake_up)
        except TimeoutError:
            self.end()
            raise SilenceError from None
        except (EOFError, OSError, UnpicklingError):
            raise DeathError(self.end(EXIT_TIMEOUT)) from None
        if answer is None:
            self.end()
            return None
        if not isinstance(answer, Answer):
            raise DeathError(self.end(EXIT_TIMEOUT))
        return answer

    def end(self, patience: float = 0.0) -> int | None:
        """End the process, and those that it started; its exit code if it has ended by itself."""
        child, self._child = self._child, None
        return child.end(patience) if child else None


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
            answer = task_answer(referee, task)
            pipe.send(forked(1) if forks.seat() else answer)


def task_answer(referee: Referee, task: Task) -> Answer:
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
        return thought(referee, task.p, engine.choose(task.p, task.limit))
    except (Exception, SystemExit) as error:
        return raised(1, error)


def thought(referee: Referee, p: Position, choice: Choice) -> Thought:
    """The move and the remark with it; an exception if no record can hold them."""
    said = remark(p.turn, choice, 0.0, partial(move_text, referee.game))
    return Thought(None if choice.move is None else whole(choice.move), said)
