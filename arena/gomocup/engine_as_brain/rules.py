"""The games that an engine plays as a brain, one for each rule that managers can ask for."""

from __future__ import annotations

import logging
from typing import cast

from arena.engine import Choice, Engine, Limit
from arena.errors import ConfigError, own_words
from arena.game import Position
from arena.games.gomoku import Gomoku
from arena.gomocup.protocol import RULES
from arena.plugins.build import close_engine, load_engine
from arena.plugins.engine_facts import can_play
from arena.plugins.engine_names import PROGRAMS, is_foreign
from arena.plugins.load import Named, load_game, playable_games
from arena.processes.compiling import compiling_in_children

logger = logging.getLogger(__name__)

RULE_NAMES = {number: name for name, number in RULES.items()}
SEED = 0
"""The seed of all games: managers tell none."""


class EngineError(Exception):
    """An exception that an engine raised, in words."""


class RuleSet:
    """Holds the size of the board, and the game and the engine of each rule."""

    def __init__(self, wanted: Named) -> None:
        """ConfigError if the engine plays none of the games of the protocol."""
        self.wanted = wanted
        self.names = {
            number: name
            for number, name in RULE_NAMES.items()
            if can_play(wanted.name, "renju" if name == "renju" else "gomoku", name)
        }
        if not self.names:
            games = ", ".join(playable_games(wanted.name))
            fault = f"engine {wanted.name} plays only {games}; brains play gomoku, renju"
            raise ConfigError(fault)
        self.size = 0
        self.fault = ""
        """The reason why there is no move under the rule that was told; empty if there is one."""
        self._told: int | None = None
        self._number = min(self.names)
        self._games = dict[int, Gomoku]()
        self._engines = dict[int, Engine]()

    @property
    def _is_own(self) -> bool:
        """True for an engine of the project's own, of which any number may be built anywhere."""
        return not is_foreign(self.wanted.name) and self.wanted.name != PROGRAMS

    @property
    def game(self) -> Gomoku:
        """The game that is played."""
        return self._games[self._number]

    def open(self, size: int) -> None:
        """Make ready for a size; ConfigError if it is not played, or there is no engine for it.

        The project's own engines are built for all rules: the rule is told when the clock may run.
        """
        games, faults = dict[int, Gomoku](), list[ConfigError]()
        for number, name in self.names.items():
            try:
                games[number] = _game_of(name, size)
            except ConfigError as error:
                faults.append(error)
        if not games:
            raise faults[0]
        if size != self.size:
            self.clear()
        self._games, self.size = games, size
        self._choose()
        try:
            if self._is_own:
                with compiling_in_children():
                    for number in games:
                        self._built(number)
            elif not self.fault:
                self._built(self._number)
        except ConfigError:
            self.clear()
            raise

    def choose_rule(self, number: int) -> None:
        """Play by another rule from now on; if that cannot be, `fault` says so."""
        self._told = number
        if not self._games:
            return
        before = self._number
        self._choose()
        if not self.fault and (number != before or number not in self._engines):
            try:
                self._built(number)
                self.new_game()
            except (ConfigError, EngineError) as error:
                self.fault = str(error)

    def new_game(self) -> None:
        """Tell the engine of a new game."""
        if not self.fault:
            try:
                self._engines[self._number].new_game(SEED)
            except (Exception, SystemExit) as error:
                raise _engine_error(error) from error

    def search(self, p: Position, limit: Limit) -> Choice:
        """The engine's choice; EngineError if it raises anything, ConfigError without an engine."""
        self.check_rule()
        try:
            return self._engines[self._number].choose(p, limit)
        except (Exception, SystemExit) as error:
            raise _engine_error(error) from error

    def check_rule(self) -> None:
        """Raise a ConfigError if the rule that was told is not played."""
        if self.fault:
            raise ConfigError(self.fault)

    def clear(self) -> None:
        """Let all engines go."""
        for engine in self._engines.values():
            close_engine(engine, self.wanted.name)
        self._engines.clear()
        self._games.clear()
        self.size = 0

    def _choose(self) -> None:
        """Turn to the rule that was told, or else to the first that is played on this size."""
        number = min(self._games) if self._told is None else self._told
        self.fault = ""
        if number in self._games:
            self._number = number
        elif number in self.names:
            self.fault = f"rule {number} ({self.names[number]}) is not played on this size"
        else:
            self.fault = f"rule {number} is not played, only {', '.join(map(str, self.names))}"

    def _built(self, number: int) -> None:
        """Build the engine of a rule, unless it is there."""
        if number not in self._engines:
            self._engines[number] = load_engine(self.wanted, self._games[number])


def _game_of(name: str, size: int) -> Gomoku:
    """The game of a rule on a board; ConfigError if there is none of that size."""
    if name != "renju":
        return cast(Gomoku, load_game(Named("gomoku", {"size": size, "rule": name})))
    game = cast(Gomoku, load_game("renju"))
    if game.size != size:
        raise ConfigError(f"renju is played on {game.size} x {game.size} only")
    return game


def _engine_error(error: BaseException) -> EngineError:
    """An engine's exception in words, which also go to standard error."""
    logger.error("the engine raised an exception: %s", own_words(error))
    return EngineError(own_words(error))
