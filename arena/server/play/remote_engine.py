"""Engines that think in the game's own process: judged by the same law, however they fail."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter

from arena.engine import Choice, Limit
from arena.errors import ConfigError
from arena.game import Position
from arena.human.parts import AgainError, LostError
from arena.match.terms import Clock, Terms
from arena.match.verdicts import KILLED_FROM_OUTSIDE, Verdict, crashed, not_built, unanswered
from arena.server.play.engine_process import DeathError, EngineProcess, SilenceError
from arena.server.play.thinking import Answer, Task, choice_of

BUILDING = 600.0
"""Seconds for an engine to be built: its kernels may have to be compiled first."""
LATE = 0.3
"""Seconds that an overdue answer is still waited for, to be judged as late."""
LONGEST_REASON = 300


class Alarm:
    """A descriptor that tells a thread which waits for an engine to look at what is wanted."""

    def __init__(self) -> None:
        self.end, self._start = os.pipe()
        os.set_blocking(self._start, False)
        os.set_blocking(self.end, False)

    def ring(self) -> None:
        """Wake whoever waits."""
        with suppress(BlockingIOError):  # it rings already
            os.write(self._start, b"!")

    def hush(self) -> None:
        """Let it ring no more."""
        with suppress(BlockingIOError):
            while os.read(self.end, 4096):
                pass

    def close(self) -> None:
        """Let go of the descriptors."""
        os.close(self.end)
        os.close(self._start)


@dataclass(frozen=True, slots=True)
class Room:
    """The engines of one game: their process, and what to do where they are interrupted."""

    terms: Terms
    process: EngineProcess
    alarm: Alarm
    interrupted: Callable[[], object]
    """Raises what was wanted; where it returns, nothing was."""

    def answer(self, task: Task, patience: float) -> Answer:
        """The answer to a task. AgainError if the process had to be ended before it came."""
        if not self.process.is_running:
            self.process.start()
        found = self.process.answer(task, patience, self.alarm.end)
        if found is None:
            self.interrupted()
            raise AgainError
        return found


class RemoteEngine:
    """A player whose engine thinks elsewhere."""

    def __init__(self, room: Room, seat: int) -> None:
        self._room = room
        self._seat = seat
        self._process = 0
        """The number of the process that has been told of the game."""
        self._kills = 0

    def new_game(self, seed: int) -> None:
        """Start the game there. BuildError if the engine cannot be built for its first game."""
        answer = self._asked(Task(str(self._seat), seed), BUILDING, None)
        if "fault" in answer and not self._process:
            raise BuildError(str(answer["fault"]))
        self._judge(answer)
        self._process = self._room.process.number

    def choose(self, p: Position, limit: Limit) -> Choice:
        """The engine's choice; LostError if none comes, AgainError if it knows of no game yet."""
        if not self._room.process.is_running or self._process != self._room.process.number:
            raise AgainError  # and no clock runs while it is built again
        clock = Clock(limit, self._room.terms.margin)
        answer = self._asked(Task(str(self._seat), None, p, limit), self._patience(clock), clock)
        self._judge(answer)
        return choice_of(answer["choice"])

    def _patience(self, clock: Clock | None) -> float:
        """Seconds for an answer."""
        budget = clock.budget() if clock else None
        return self._room.terms.hang if budget is None else budget

    def _asked(self, task: Task, patience: float, clock: Clock | None) -> Answer:
        """The answer; LostError if there is none."""
        began = perf_counter()
        try:
            return self._room.answer(task, patience + LATE)
        except SilenceError:
            over = max(perf_counter() - began - patience, 0.0)
            margin = clock.margin if clock and clock.budget() is not None else None
            raise LostError(unanswered(self._seat, over, margin)) from None
        except DeathError as death:
            self._kills += death.code in KILLED_FROM_OUTSIDE
            if verdict := crashed(self._seat, death.code, self._kills):
                raise LostError(verdict) from None
            raise AgainError from None

    def _judge(self, answer: Answer) -> None:
        """Raise a LostError for an answer by which the engine has lost."""
        if "fault" in answer:
            raise LostError(not_built(self._seat, ConfigError(str(answer["fault"]))))
        if "lost" in answer:
            reason, detail = answer["lost"]
            raise LostError(Verdict(self._seat, reason, str(detail)[:LONGEST_REASON]))

    def close(self) -> None:
        """Do nothing: the process is the game's."""


class BuildError(BaseException):
    """An engine that cannot be built: the game does not begin, and nobody has lost it."""


class RemoteAdviser:
    """An engine for hints, beside those that play, in their process."""

    def __init__(self, room: Room, name: str, limit: Limit) -> None:
        self._room = room
        self._name = name
        self._limit = limit

    def choice(self, p: Position) -> Choice:
        """Its choice here, the same whenever it is asked; ConfigError says why there is none."""
        terms, limit = self._room.terms, self._limit
        budget = Clock(limit, terms.margin).budget()
        patience = (terms.hang if budget is None else budget) + LATE
        ready = Task(self._name, terms.seed)
        try:
            answer = self._room.answer(ready, BUILDING)
            if "done" in answer:
                answer = self._room.answer(replace(ready, seed=None, p=p, limit=limit), patience)
        except SilenceError:
            raise ConfigError("The engine gave no hint in time.") from None
        except DeathError as death:
            raise ConfigError(f"The engine gave no hint: exit code {death.code}.") from None
        if "choice" not in answer:
            words = answer.get("fault") or ": ".join(answer.get("lost", ["no answer"]))
            raise ConfigError(f"The engine gave no hint: {words}")
        return choice_of(answer["choice"])
