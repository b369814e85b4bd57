"""One game as it is asked for, and its players."""

from __future__ import annotations

from dataclasses import dataclass

from arena.config.settings import Player
from arena.engine import Limit
from arena.errors import ConfigError
from arena.game import Game
from arena.match.terms import Terms
from arena.plugins.load import HUMAN, Named, parse_named

Seated = str | Player
"""A player as typed (`human`, or an engine with its parameters), or one of a config."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One game outside a tournament, before it is played."""

    game: Game
    players: tuple[Seated, Seated]
    terms: Terms  # The terms of the game; their limit is the engine's, as a person is never hurried
    opening: str = ""
    with_scores: bool = False
    """True if persons are told the engine's score and expected line after each of its moves."""

    @property
    def names(self) -> tuple[str, str]:
        """The players' names in the record: two persons are told apart."""
        first, second = map(seat_name, self.players)
        return first, f"{HUMAN}-2" if first == second == HUMAN else second

    @property
    def persons(self) -> list[int]:
        """The seats, 1 or 2, where a person sits."""
        return [seat for seat, player in enumerate(self.players, 1) if is_human(player)]

    @property
    def engine(self) -> Seated | None:
        """The engine that plays against a person; None if two persons play."""
        return next((player for player in self.players if not is_human(player)), None)

    @property
    def limits(self) -> tuple[Limit, Limit]:
        """The limit of either seat."""
        first, second = (limit_of(player, self.terms) for player in self.players)
        return first, second


def limit_of(player: Seated, terms: Terms) -> Limit:
    """A player's limit: a person has none."""
    if is_human(player):
        return Limit()
    return player.limit_in(terms) if isinstance(player, Player) else terms.limit


def seat_name(player: Seated) -> str:
    """The name of a player in records, where no other has it."""
    if is_human(player):
        return HUMAN
    return player.name if isinstance(player, Player) else player


def engine_named(player: Seated) -> str | Named:
    """The engine of a player that is not a person, as `load_engine` takes it."""
    return player.engine if isinstance(player, Player) else player


def is_human(player: Seated) -> bool:
    """True if a player is a person; ConfigError if one is given parameters."""
    if isinstance(player, Player):
        return player.engine.name == HUMAN
    named = parse_named(player)
    if named.name == HUMAN and named.parameters:
        raise ConfigError(f"{player}: {HUMAN} has no parameters")
    return named.name == HUMAN
