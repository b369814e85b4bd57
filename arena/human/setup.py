"""One game as it is asked for at the command line, and who plays in it."""

from __future__ import annotations

from dataclasses import dataclass

from arena.engine import Limit
from arena.errors import ConfigError
from arena.game import Game
from arena.match.terms import Terms
from arena.plugins.load import HUMAN, parse_named


@dataclass(frozen=True, slots=True)
class Setup:
    """One game outside a tournament, before it is played."""

    game: Game
    players: tuple[str, str]
    """Each as typed: `human`, or an engine with its parameters."""
    terms: Terms
    """The terms of the game; their limit is the engine's, as a person is never hurried."""
    opening: str = ""
    with_scores: bool = False
    """True if persons are told the engine's score and expected line after each of its moves."""

    @property
    def names(self) -> tuple[str, str]:
        """The players' names in the record: two persons are told apart."""
        first, second = (HUMAN if is_human(player) else player for player in self.players)
        return first, f"{HUMAN}-2" if first == second == HUMAN else second

    @property
    def persons(self) -> list[int]:
        """The seats, 1 or 2, where a person sits."""
        return [seat for seat, player in enumerate(self.players, 1) if is_human(player)]

    @property
    def engine(self) -> str | None:
        """The engine that plays against a person; None if two persons play."""
        return next((player for player in self.players if not is_human(player)), None)

    @property
    def limits(self) -> tuple[Limit, Limit]:
        """The limit of either seat."""
        first, second = (
            Limit() if is_human(player) else self.terms.limit for player in self.players
        )
        return first, second


def is_human(player: str) -> bool:
    """True if a player, as typed, is a person; ConfigError if it is given parameters."""
    named = parse_named(player)
    if named.name == HUMAN and named.parameters:
        raise ConfigError(f"{player}: {HUMAN} has no parameters")
    return named.name == HUMAN
