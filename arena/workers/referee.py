"""The referee of one process: it builds the players' engines once, and plays job after job."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from arena.config.settings import Player
from arena.engine import Conditions, Engine, Limit, Needs, Program
from arena.errors import ConfigError, Fault
from arena.game import Game
from arena.gomocup.protocol import MEMORY_TOLERANCE
from arena.gomocup.transcript import is_slow
from arena.match.copies import marks_of_text
from arena.match.opening_rules import opening_seconds, rule_named
from arena.match.play import GameInPlay, ask, begin, play_game
from arena.match.record import (
    GameRecord,
    Job,
    at_fault,
    job_of,
    record,
    split_opening,
    summary,
    swapped,
)
from arena.match.terms import Clock, Terms
from arena.match.verdicts import Verdict, not_built
from arena.plugins.build import close_engine, load_engine, prepare_forks
from arena.plugins.engine_names import is_foreign
from arena.plugins.load import Named, load_game
from arena.plugins.user_engines import GIVEN, STAYS_HERE
from arena.processes.child import Question, answer_of
from arena.workers.heartbeat import Heartbeat
from arena.workers.logs import TalkLog

STARTUP_GRACE = 70.0
"""Seconds for the end of a program's predecessor, and for what is asked of it at its start."""

logger = logging.getLogger(__name__)


class Referee:
    """Holds the game and the engines of one process."""

    def __init__(
        self, terms: Terms, players: Iterable[Player], talk: TalkLog | None = None
    ) -> None:
        self.terms = terms
        self._talk = talk
        self.game = load_game(terms.game)
        self.players = {player.name: player for player in players}
        self._engines: dict[str, Engine] = {}
        self.programs: dict[str, str] = {}
        """Words of the players' programs on themselves, once they were checked."""
        self.notes: list[str] = []
        """Sentences on programs that came near a limit as they were checked."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as it was made: engines must not be where they were not built."""
        return type(self), (self.terms, tuple(self.players.values()))

    def changed(self, change: Callable[[Player], Player]) -> Referee:
        return Referee(self.terms, map(change, self.players.values()))

    def check(self, in_this_process: bool, opening: str | None = None) -> None:
        """Build every engine once; ConfigError for those that fail.

        If there is an `opening`, each program plays a move from there, on which the notes are.
        """
        prepare_forks()
        if faults := self.faults(in_this_process, opening):
            raise ConfigError(
                *(Fault(self.players[name].place, message) for name, message in faults.items())
            )

    def faults(self, in_this_process: bool, opening: str | None = None) -> dict[str, str]:
        """Build every engine once; the reasons why some fail, by their players' names.

        Those that come with the project are built here, which warms their kernels before any fork;
        users' own in a process of their own, unless everything is to happen in this one. None is
        kept: an engine may hold a process or a file, which must not cross a fork.
        """
        reasons = {
            name: self.fault_of(each, in_this_process) for name, each in self.players.items()
        }
        programs = [item for item in self._engines.items() if isinstance(item[1], Program)]
        abouts = {name: getattr(engine, "about", "") for name, engine in programs}
        self.programs = {name: about for name, about in abouts.items() if about}
        if opening is not None and not any(reasons.values()):
            reasons |= self.trials(opening)
        self.close()
        return {name: message for name, message in reasons.items() if message}

    def trials(self, opening: str) -> dict[str, str | None]:
        """Let each program make one move from this opening; the reasons why some cannot make it, if
        players are to, by their names.

        The `notes` are on those that come near a limit, or fail. Of players that are alike in all
        but their names, the first plays it.
        """
        self.notes, faults = [], dict[str, str | None]()
        tried = list[tuple[Named, Limit]]()
        for name, engine in self._engines.items():
            player = self.player(name).engine, self.limit(name)
            if not isinstance(engine, Program) or player in tried:
                continue
            tried.append(player)
            clock = Clock(self.limit(name), self.terms.margin)
            seconds, verdict = move_on_trial(self.game, engine, opening, clock)
            faults[name] = _rule_fault(opening, verdict)
            if needs := getattr(engine, "needs", None):
                self.notes += notes_on_needs(name, needs())
            self.notes += notes_on_move(name, clock, seconds, verdict)
        return faults

    def fault_of(self, player: Player, in_this_process: bool) -> str | None:
        if not in_this_process and player.engine.name in GIVEN:
            return f"engine {player.engine.name} {STAYS_HERE}"
        if not in_this_process and is_foreign(player.engine.name):
            return self.build_fault(player.name)
        try:
            self.engine(player.name)
        except ConfigError as error:
            return str(error)
        return None

    def build_fault(self, name: str) -> str | None:
        build, close = partial(self.build, name), partial(self.discard, name)
        limits = self.terms.hang, self.terms.worker_memory
        try:
            answer_of(Question(build, "engine", "built", *limits, close))
        except ConfigError as error:
            return str(error)
        return None

    def build(self, name: str) -> None:
        self.engine(name)

    def engine(self, name: str) -> Engine:
        if name not in self._engines:
            terms = self.terms
            talk = partial(self._talk.write, name) if self._talk else None
            conditions = Conditions(self.limit(name), terms.margin, terms.hang, terms.memory, talk)
            engine = load_engine(self.player(name).engine, self.game, conditions)
            self._engines[name] = engine
        return self._engines[name]

    def player(self, name: str) -> Player:
        return self.players[name]

    @property
    def preparation(self) -> float:
        """Seconds for an engine to be ready: more than until a hang, where programs are started.

        These are ended by their engines, before their worker would have to be.
        """
        given = [player.engine.parameters.get("startup") for player in self.players.values()]
        startups = [each for each in given if isinstance(each, int | float)]
        if not startups:
            return self.terms.hang
        return self.terms.hang + (2 * max(startups) + STARTUP_GRACE)

    def limit(self, name: str) -> Limit:
        return self.player(name).limit_in(self.terms)

    def play(self, job: Job, heartbeat: Heartbeat | None = None) -> GameRecord:
        """Play one game; an engine that cannot be built any more loses it."""
        if self._talk is None:
            return self._played(job, heartbeat)
        self._talk.begin(job)
        played = self._played(job, heartbeat)
        self._talk.end(summary(played))
        return played

    def _played(self, job: Job, heartbeat: Heartbeat | None) -> GameRecord:
        engines = []
        for seat in (1, 2):
            if heartbeat:
                heartbeat.prepares(seat)
            try:
                engines.append(self.engine(job.player(seat)))
            except ConfigError as error:
                logger.exception("%s cannot be built", job.player(seat))
                verdict = not_built(seat, error)
                return self._record(job, verdict, job.opening)
        played = play_game(
            self.game,
            (engines[0], engines[1]),
            job,
            limits=(self.limit(job.first), self.limit(job.second)),
            terms=self.terms,
            observer=heartbeat,
        )
        if played.reason in ("exception", "memory"):
            # Nobody knows what state the exception left the engine in.
            self.discard(at_fault(played))
        return played

    def lost(self, job: Job, heartbeat: Heartbeat, verdict: Verdict) -> GameRecord:
        """The record of a game that ended, with its worker, while an answer was due."""
        job = heartbeat.job_now(job, self.game.text)
        verdict = replace(verdict, loser=swapped(job, verdict.loser))
        opening = job.opening.split()
        moves = [*opening, *map(self.game.text, heartbeat.moves(len(opening)))]
        return self._record(job, verdict, " ".join(moves))

    def _record(self, job: Job, verdict: Verdict, moves: str) -> GameRecord:
        marks = marks_of_text(self.game, job.opening, moves)
        return record(job, verdict.outcome, verdict.detail, moves, marks)

    def discard(self, name: str) -> None:
        """Let go of an engine, if there is one; the next game builds it anew."""
        if engine := self._engines.pop(name, None):
            close_engine(engine, name)

    def close(self) -> None:
        for name in list(self._engines):
            self.discard(name)


NEAR_START = 0.5
"""Share of the time for a start above which it is told; a busy machine easily doubles it."""
NEAR_MEMORY = 0.95
"""Share of the memory at which a program is ended above which it is told. A program that fills the
memory it is told, and no more, holds nine tenths of it."""


def move_on_trial(
    game: Game, engine: Engine, opening: str, clock: Clock
) -> tuple[float | None, Verdict | None]:
    """The seconds of a move from this opening, None if there is none; and why it would be lost.

    Where players make it, the engine answers for both until it is made.
    """
    play = GameInPlay(game, job_of(("", "", opening, 1), 0), [clock, clock])
    if begin(play, engine, play.p.turn):
        ask(play, engine)
        while play.is_open and not play.outcome:
            ask(play, engine)
    seconds = [*opening_seconds(play.job), *(each.seconds for each in play.remarks)]
    return (seconds[-1] if seconds else None), play.verdict


def _rule_fault(opening: str, verdict: Verdict | None) -> str | None:
    """The reason why a program failed that was asked to make the opening by its rule; None if it
    made it, or is never asked."""
    rule, _ = split_opening(opening)
    command = rule_named(rule).COMMAND if rule else ""
    if not command or verdict is None:
        return None
    cause = ", or the machine is too busy" if is_slow(verdict.reason, verdict.detail) else ""
    fault = f"{verdict.reason}, {verdict.detail}"
    return f"does not play {rule} as it was asked to ({command}){cause}: {fault}"


def notes_on_needs(name: str, needs: Needs) -> Iterator[str]:
    if needs.start > NEAR_START * needs.startup:
        yield f"{name} took {needs.start:.1f} s to start; startup allows {needs.startup:g} s."
    is_near = needs.memory > NEAR_MEMORY * needs.most_memory
    if is_near or needs.memory > MEMORY_TOLERANCE * needs.told_memory:
        yield (
            f"{name} held {needs.memory} MB of memory after a first move, and was told "
            f"{needs.told_memory}; it is ended at {needs.most_memory} MB."
        )


def notes_on_move(
    name: str, clock: Clock, seconds: float | None, verdict: Verdict | None
) -> Iterator[str]:
    if verdict:
        detail = f", {verdict.detail}" if verdict.detail else ""
        cause = " The machine may be too busy." if is_slow(verdict.reason, verdict.detail) else ""
        yield f"{name} failed in a first move before any game: {verdict.reason}{detail}.{cause}"
    elif seconds is not None and (bound := min(clock.bounds(), default=seconds)) < seconds:
        yield (
            f"{name} took {seconds:.4g} s for a first move; its limit is {bound:g} s, and the "
            f"margin {clock.margin:g} s."
        )
