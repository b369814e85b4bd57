"""Where games are played: a game, its players' engines built once, one job after the other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial

from arena.config.settings import Player
from arena.engine import Engine, Limit
from arena.errors import ConfigError, Fault
from arena.game import Outcome, Reason
from arena.match.play import play_game
from arena.match.record import GameRecord, Job, record
from arena.match.terms import Terms
from arena.plugins.load import close_engine, is_foreign, load_engine, load_game
from arena.workers.heartbeat import Witness
from arena.workers.rehearsal import rehearse

logger = logging.getLogger(__name__)


class Referee:
    """Holds the engines of one process."""

    def __init__(self, terms: Terms, players: Iterable[Player]) -> None:
        self.terms = terms
        self.game = load_game(terms.game)
        self.players = {player.name: player for player in players}
        self._engines: dict[str, Engine] = {}

    def check(self, in_this_process: bool) -> None:
        """Build every engine once; ConfigError for those that fail.

        Those that come with the project are built here, which warms their kernels before any fork;
        users' own in a process of their own, unless everything is to happen in this one. None is
        kept: an engine may hold a process or a file, which must not cross a fork.
        """
        faults = []
        for player in self.players.values():
            if message := self.fault_of(player, in_this_process):
                faults.append(Fault(player.place, message))
        self.close()
        if faults:
            raise ConfigError(*faults)

    def fault_of(self, player: Player, in_this_process: bool) -> str | None:
        """Why a player's engine cannot be built."""
        if not in_this_process and is_foreign(player.engine.name):
            build = partial(self.build, player.name)
            return rehearse(build, self.terms.hang, self.terms.memory)
        try:
            self.engine(player.name)
        except ConfigError as error:
            return str(error)
        return None

    def build(self, name: str) -> Callable[[], None]:
        """Build an engine, and return what lets it go; ConfigError if it cannot be built."""
        self.engine(name)
        return partial(self.discard, name)

    def engine(self, name: str) -> Engine:
        """A player's engine, built when first asked for."""
        if name not in self._engines:
            self._engines[name] = load_engine(self.player(name).engine, self.game)
        return self._engines[name]

    def player(self, name: str) -> Player:
        """Who plays under this name."""
        return self.players[name]

    def limit(self, name: str) -> Limit:
        """The player's own limit, or else the match's."""
        own = self.player(name).limit
        return self.terms.limit if own is None else own

    def play(self, job: Job, witness: Witness | None = None) -> GameRecord:
        """Play one game; an engine that cannot be built any more loses it."""
        for seat in (1, 2):
            if witness:
                witness.prepares(seat)
            try:
                self.engine(job.player(seat))
            except ConfigError as error:
                logger.exception("%s cannot be built", job.player(seat))
                return record(job, Outcome(3 - seat, "exception"), str(error), job.opening)
        played = play_game(
            self.game,
            (self.engine(job.first), self.engine(job.second)),
            job,
            limits=(self.limit(job.first), self.limit(job.second)),
            terms=self.terms,
            observer=witness,
        )
        if played.reason in ("exception", "memory"):
            # Nobody knows what state the exception left the engine in.
            self.discard(job.player(3 - (played.winner or 0)))
        return played

    def lost(self, job: Job, witness: Witness, reason: Reason, detail: str) -> GameRecord:
        """The record of a game that did not survive the answer that was due."""
        opening = job.opening.split()
        moves = [*opening, *map(self.game.text, witness.moves(len(opening)))]
        return record(job, Outcome(3 - witness.turn, reason), detail, " ".join(moves))

    def discard(self, name: str) -> None:
        """Let go of an engine, if there is one; the next game builds it anew."""
        if engine := self._engines.pop(name, None):
            close_engine(engine, name)

    def close(self) -> None:
        """Let go of all engines."""
        for name in list(self._engines):
            self.discard(name)
