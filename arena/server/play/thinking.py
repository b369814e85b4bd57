"""The process in which the engines of one game think: its life, and its answers as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from arena.config.settings import Player
from arena.engine import Choice, Limit
from arena.errors import ConfigError
from arena.game import Position
from arena.match.play import move_text
from arena.match.remarks import remark, whole
from arena.match.terms import Terms
from arena.match.verdicts import Verdict, forked, raised
from arena.processes.confine import confine, mute
from arena.workers.heartbeat import Heartbeat
from arena.workers.referee import Referee
from arena.workers.sandbox import ForkGuard


@dataclass(frozen=True, slots=True)
class Task:
    """Something that an engine is to do; without a position, to be ready for a new game."""

    who: str
    """The player, by the name that it has there."""
    seed: int | None = None
    """Seed of a game that is to begin; None: one that goes on."""
    p: Position | None = None
    limit: Limit = Limit()


Answer = Mapping[str, Any]
"""One of `done`, `choice`, `lost` (a reason and its detail) and `fault` (a configuration's)."""


def begin(descriptor: int) -> None:
    """Think as is said first at the other end of a pipe: all that the process is started for."""
    with Connection(descriptor) as pipe:
        terms, players, parent = pipe.recv()
        think(pipe, terms, players, parent)


def think(pipe: Connection, terms: Terms, players: tuple[Player, ...], parent: int) -> None:
    """Do the tasks that come until the pipe closes: the process's whole life."""
    confine(parent, terms.worker_memory)
    mute()
    heartbeat = Heartbeat(terms.hang)
    heartbeat.become_writer(pipe.fileno())
    forks = ForkGuard(heartbeat)
    seats = {player.name: seat for seat, player in enumerate(players, 1)}
    with closing(Referee(terms, players)) as referee, suppress(EOFError, OSError):
        while True:
            task: Task = pipe.recv()
            heartbeat.prepares(seats[task.who])
            answer = task_answer(referee, task)
            if forks.seat():
                answer = lost_answer(forked(1))
            pipe.send_bytes(json.dumps(answer).encode())


def task_answer(referee: Referee, task: Task) -> Answer:
    """The engine's answer; whatever it does wrong is one, too."""
    try:
        engine = referee.engine(task.who)
    except ConfigError as error:
        return {"fault": str(error)}
    try:
        if task.seed is not None:
            engine.new_game(task.seed)
        if task.p is None:
            return {"done": True}
        return {"choice": choice_data(referee, task.p, engine.choose(task.p, task.limit))}
    except (Exception, SystemExit) as error:
        return lost_answer(raised(1, error))


def lost_answer(verdict: Verdict) -> Answer:
    """The answer of an engine that has lost by it, at whichever seat."""
    return {"lost": [verdict.reason, verdict.detail]}


def choice_data(referee: Referee, p: Position, choice: Choice) -> list[Any]:
    """The move and the remark with it; an exception if no record can hold them."""
    said = remark(p.turn, choice, 0.0, partial(move_text, referee.game))
    return [None if choice.move is None else whole(choice.move), *said]
