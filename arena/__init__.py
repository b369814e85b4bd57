"""A referee, a statistician and a tuner for board-game engines, above all Gomoku.

What is listed here is all that a notebook needs; each is imported when it is first used, because
numba and pandas together take longer to import than most questions take to answer.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.engine import Choice as Choice
    from arena.engine import Limit as Limit
    from arena.engine import Range as Range
    from arena.faults import ConfigError as ConfigError
    from arena.friendly import play as play
    from arena.load import load_engine as load_engine
    from arena.load import load_game as load_game
    from arena.match import play_game as play_game
    from arena.pooling import report_runs as report_runs
    from arena.record import GameRecord as GameRecord
    from arena.tournament import Run as Run
    from arena.tournament import open_run as open_run
    from arena.tournament import run as run
    from arena.tuning.shelf import open_study as open_study
    from arena.tuning.study import Study as Study
    from arena.tuning.study import tune as tune

HOMES = {
    "Choice": "engine",
    "ConfigError": "faults",
    "GameRecord": "record",
    "Limit": "engine",
    "Range": "engine",
    "Run": "tournament",
    "load_engine": "load",
    "load_game": "load",
    "open_run": "tournament",
    "play": "friendly",
    "play_game": "match",
    "report_runs": "pooling",
    "run": "tournament",
    "open_study": "tuning.shelf",
    "Study": "tuning.study",
    "tune": "tuning.study",
}
"""Which module each public name comes from."""

__all__ = list(HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name (PEP 562)."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"arena.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
