"""The games, engines and limits that a page offers: a browser chooses among them by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from secrets import randbelow
from typing import Any

from arena.config.reader import read_config
from arena.config.settings import Player
from arena.engine import Limit
from arena.errors import ConfigError
from arena.human.in_play import Seated, Setup, at_level, levels_of, middle_level, opponents
from arena.match.opening import fault_of, rules_of, suggested
from arena.plugins import load
from arena.plugins.build import known_rules
from arena.plugins.catalogue import about, partners
from arena.plugins.load import HUMAN, Named, checked, load_game
from arena.plugins.parameters import Parameter, parameters
from arena.server.play.journal import friendly_terms

LIMITS: tuple[tuple[str, Limit | None], ...] = (
    ("the engine's own", None),
    ("2 plies deep", Limit(depth=2)),
    ("4 plies deep", Limit(depth=4)),
    ("6 plies deep", Limit(depth=6)),
    ("1 000 positions", Limit(nodes=1000)),
    ("10 000 positions", Limit(nodes=10_000)),
    ("100 000 positions", Limit(nodes=100_000)),
    ("1 second a move", Limit(seconds=1.0)),
    ("5 seconds a move", Limit(seconds=5.0)),
    ("20 seconds a move", Limit(seconds=20.0)),
    ("a minute, and 1 second a move", Limit(time_left=60.0, increment=1.0)),
    ("5 minutes, and 2 seconds a move", Limit(time_left=300.0, increment=2.0)),
)
"""Limits of an engine's moves; a person has none."""
MOST_OPENING = 1000  # Moves of a position to start from
NO_CHOICE = "That cannot be chosen here."


@dataclass(frozen=True, slots=True)
class GameOffered:
    name: str
    about: str
    parameters: tuple[tuple[Parameter, tuple[Any, ...]], ...]
    rules: Sequence[str]  # The rules by which its players can make the opening


@dataclass(frozen=True, slots=True)
class EngineOffered:
    """An engine as a player, and the games that it plays, each with the rules that it knows."""

    player: Player
    about: str
    games: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_preferred: bool = False  # True for the opponent by default


class Offer:
    """Holds all that a page offers; the engines of the configs first."""

    def __init__(self, configs: Iterable[Path] = ()) -> None:
        """ConfigError if a config is none."""
        self._configured = [each for config in configs for each in _configured(config)]

    @cached_property
    def games(self) -> list[GameOffered]:
        return [
            GameOffered(
                name, about("game", name), tuple(_offered_values(name)), rules_of(load_game(name))
            )
            for name in load.names("game")
        ]

    @cached_property
    def engines(self) -> list[EngineOffered]:
        return [*self._configured, *_along()]

    @property
    def players(self) -> list[Player]:
        own = [each.player for each in self.engines]
        return [*own, *(replace(player, limit=None) for player in own if player.limit)]

    def data(self) -> dict[str, Any]:
        return {
            "games": [
                {
                    "name": game.name,
                    "about": game.about,
                    "rules": list(game.rules),
                    "parameters": [
                        {
                            "name": parameter.name,
                            "about": parameter.about,
                            "values": list(values),
                            "default": values.index(parameter.default),
                        }
                        for parameter, values in game.parameters
                    ],
                }
                for game in self.games
            ],
            "engines": [
                {
                    "name": each.player.name,
                    "about": each.about,
                    "games": each.games,
                    "preferred": each.is_preferred,
                }
                for each in self.engines
            ],
            "limits": [words for words, _ in LIMITS],
        }

    def setup(self, wish: Any) -> Setup:
        """The game that a browser wants, as it was sent; ConfigError if that is not on offer."""
        named = self.game(wish)
        _, limit = choice_at(LIMITS, wish.get("limit"))
        first, second = (self._seated(seat, limit) for seat in _list_of(wish.get("seats"), 2))
        # Engines that draw lots should not draw the same in each game.
        seed = randbelow(10**9)
        terms = friendly_terms(named, limit or Limit(), seed)
        rules = load_game(terms.game)
        if (rule := wish.get("rule")) is not None:
            if rule not in rules_of(rules):
                raise ConfigError(NO_CHOICE)
            opening = next(suggested(rule, rules, count=1, seed=seed))
        else:
            opening = " ".join(map(rules.text, moves_wanted(rules, wish.get("opening", []))))
        setup = Setup(rules, (first, second), terms, opening)
        if message := fault_of(rules, setup.opening, terms):
            raise ConfigError(message)
        return setup

    def game(self, wish: Any) -> Named:
        """The game of a wish, with its parameters; ConfigError if that is not on offer."""
        if not isinstance(wish, Mapping):
            raise ConfigError(NO_CHOICE)
        game = choice_at(self.games, wish.get("game"))
        values = _list_of(wish.get("values"), len(game.parameters))
        parameters = {
            parameter.name: choice_at(choices, value)
            for (parameter, choices), value in zip(game.parameters, values, strict=True)
        }
        return Named(game.name, parameters)

    def player(self, number: Any) -> Player:
        player: Player = choice_at(self.engines, number).player
        return player

    def _seated(self, number: Any, limit: Limit | None) -> Seated:
        if number is None:
            return HUMAN
        player = self.player(number)
        return player if limit is None else replace(player, limit=None)


def _configured(file: Path) -> list[EngineOffered]:
    config, offered = read_config(file), []
    for player in config.players:
        if player.name == HUMAN:
            raise ConfigError(f"{file}: an engine cannot be called {HUMAN} here")
        own = player.limit_in(config.terms)
        limited = replace(player, limit=None if own == Limit() else own, place="")
        words = f"{player.engine.name}, of {config.name}"
        offered.append(EngineOffered(limited, words, _playable(player.engine.name), True))
    return offered


def _along() -> Iterator[EngineOffered]:
    """The engines that come with the project, with their defaults and at each of their levels."""
    for name in opponents():
        for level in (*levels_of(name), None):
            named = at_level(name, level)
            player = Player(str(named), checked("engine", named))
            is_preferred = level is not None and level == middle_level(name)
            yield EngineOffered(player, about("engine", name), _playable(name), is_preferred)


def _playable(engine: str) -> dict[str, list[str]]:
    """The games that an engine plays, each with the rules that it knows if there is a choice."""
    known = load.names("game")
    return {game: known_rules(engine, game) for game in partners("engine", engine) if game in known}


def _offered_values(game: str) -> Iterable[tuple[Parameter, tuple[Any, ...]]]:
    """The parameters of a game that have few enough values to choose from."""
    for parameter in parameters(load.factory("game", game)):
        if parameter.choices:
            yield parameter, parameter.choices
        elif parameter.range and parameter.type is int:
            low, high = int(parameter.range.low), int(parameter.range.high)
            yield parameter, tuple(range(low, high + 1))


def choice_at(choices: Sequence[Any], number: Any) -> Any:
    """The choice of this number; ConfigError if there is none."""
    if type(number) is not int or not 0 <= number < len(choices):
        raise ConfigError(NO_CHOICE)
    return choices[number]


def _list_of(values: Any, count: int) -> list[Any]:
    if not isinstance(values, list) or len(values) != count:
        raise ConfigError(NO_CHOICE)
    return values


def moves_wanted(rules: Any, moves: Any) -> list[int]:
    """The moves to start from; ConfigError if they are none of the game's."""
    if not isinstance(moves, list) or len(moves) > MOST_OPENING:
        raise ConfigError(NO_CHOICE)
    area = rules.size**2
    most = area * area if any(rules.start().cells) else area
    if not all(type(move) is int and 0 <= move < most for move in moves):
        raise ConfigError(NO_CHOICE)
    return moves
