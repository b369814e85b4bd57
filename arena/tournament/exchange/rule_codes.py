"""Games by the names and codes that files have for their rules, and back."""

from __future__ import annotations

from functools import lru_cache

from arena.gomocup.protocol import RULES
from arena.plugins.load import Named, checked, names

WITH_RULES = "gomoku"
RULE_OF_CODE = {str(code): name for name, code in RULES.items()}


@lru_cache
def told_game(rule: str, size: int) -> Named | None:
    """The game that a file's rule and size are; None if it tells no rule that is known here.

    ConfigError if that game has no such boards.
    """
    word = " ".join(rule.lower().split())
    word = RULE_OF_CODE.get(word, word)
    if word in names("game") and word != WITH_RULES:
        return checked("game", Named(word))
    if word not in RULES:
        return None
    return checked("game", Named(WITH_RULES, {"size": size, "rule": word}))


def asked_game(game: Named, size: int) -> Named:
    """The game that was asked for; without a size, on a file's board (0: not told). ConfigError."""
    if size and game.name == WITH_RULES and "size" not in game.parameters:
        game = Named(game.name, {**game.parameters, "size": size})
    return checked("game", game)


def rule_text(game: Named) -> str:
    """The mirror of `told_game`: the rule of Gomoku, or the name of the game."""
    return str(game.parameters["rule"]) if game.name == WITH_RULES else game.name
