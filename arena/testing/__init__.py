"""Checks of users' own engines and games. pytest is not needed.

Each function puts one object through the checks of its contract, and raises a `ContractError` that
names every check which it fails. The names of all checks are in `ENGINE_CHECKS` and `GAME_CHECKS`.
"""

from typing import NoReturn

from arena.errors import gone
from arena.testing.engines import ENGINE_CHECKS, check_engine
from arena.testing.games import GAME_CHECKS, check_game
from arena.testing.running import ContractError, Failure

__all__ = ["ENGINE_CHECKS", "GAME_CHECKS", "ContractError", "Failure", "check_engine", "check_game"]


def __getattr__(name: str) -> NoReturn:
    """Raise an ImportError for a name that was taken away, and an AttributeError for any other."""
    if message := gone("name", name, [__name__]):
        raise ImportError(message)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
