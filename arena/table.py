"""Where games are played: a game, its players' engines built once, one job after the other."""

from __future__ import annotations

import logging

from arena.config import Config, Player
from arena.engine import Engine, Limit
from arena.faults import ConfigError, Fault
from arena.game import Outcome
from arena.load import load_engine, load_game
from arena.match import GameRecord, Job, play_game, record
from arena.witness import Witness

logger = logging.getLogger(__name__)


class Table:
    """Holds the engines of one process."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.game = load_game(config.game)
        self.players = {player.name: player for player in config.players}
        self._engines: dict[str, Engine] = {}

    def check(self) -> None:
        """Build every engine once, which warms their kernels; ConfigError for those that fail.

        None is kept: an engine may hold a process or a file, which must not cross a fork.
        """
        faults = []
        for player in self.config.players:
            try:
                self.engine(player.name)
            except ConfigError as error:
                faults.append(Fault(player.place, str(error)))
        self.close()
        if faults:
            raise ConfigError(*faults)

    def engine(self, name: str) -> Engine:
        """A player's engine, built when first asked for."""
        if name not in self._engines:
            self._engines[name] = load_engine(self.players[name].engine, self.game)
        return self._engines[name]

    def limit(self, player: Player) -> Limit:
        """The player's own limit, or else the match's."""
        return self.config.limit if player.limit is None else player.limit

    def play(self, job: Job, witness: Witness | None = None) -> GameRecord:
        """Play one game; an engine that cannot be built any more loses it."""
        for seat in (1, 2):
            if witness:
                witness.asked(seat)
            try:
                self.engine(job.player(seat))
            except ConfigError as error:
                return record(job, Outcome(3 - seat, "exception"), str(error), job.opening)
        played = play_game(
            self.game,
            (self.engine(job.first), self.engine(job.second)),
            job,
            limits=(
                self.limit(self.players[job.first]),
                self.limit(self.players[job.second]),
            ),
            max_plies=self.config.max_plies,
            watch=witness,
        )
        if played.reason == "exception":
            # Nobody knows what state the exception left the engine in.
            self.discard(job.player(3 - (played.winner or 0)))
        return played

    def crashed(self, job: Job, witness: Witness, code: int | None) -> GameRecord:
        """The record of a game that ended the process it was played in."""
        opening = job.opening.split()
        moves = [*opening, *map(self.game.text, witness.moves(len(opening)))]
        outcome = Outcome(3 - witness.turn, "crash")
        return record(job, outcome, f"exit code {code}", " ".join(moves))

    def discard(self, name: str) -> None:
        """Let go of an engine, if there is one; the next game builds it anew."""
        engine = self._engines.pop(name, None)
        try:
            if engine is not None:
                engine.close()
        except Exception:
            logger.exception("%s raised an exception as it was closed", name)

    def close(self) -> None:
        """Let go of all engines."""
        for name in list(self._engines):
            self.discard(name)
