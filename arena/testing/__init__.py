"""Checks of users' own engines, games, formats and tuning methods. pytest is not needed.

Each function puts one object through the checks of its contract, and raises a `ContractError` that
names every check which it fails. The names of all checks are in `ENGINE_CHECKS` and the like.
"""

from arena.testing.engines import ENGINE_CHECKS, check_engine
from arena.testing.formats import FORMAT_CHECKS, check_format
from arena.testing.games import GAME_CHECKS, check_game
from arena.testing.methods import METHOD_CHECKS, check_method
from arena.testing.running import ContractError, Failure

__all__ = [
    "ENGINE_CHECKS",
    "FORMAT_CHECKS",
    "GAME_CHECKS",
    "METHOD_CHECKS",
    "ContractError",
    "Failure",
    "check_engine",
    "check_format",
    "check_game",
    "check_method",
]
