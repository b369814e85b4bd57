"""A referee, a statistician and a tuner for board-game engines, above all Gomoku.

A notebook needs no more than the names listed here; each is imported when it is first used, because
numba and pandas together take longer to import than most questions take to answer.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

# That of `typing`, which takes longer to import than all else that a program's guard needs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from arena.engine import Choice as Choice, Limit as Limit, Range as Range
    from arena.errors import ConfigError as ConfigError
    from arena.match.play import play_game as play_game
    from arena.match.record import GameRecord as GameRecord
    from arena.plugins.build import load_engine as load_engine
    from arena.plugins.load import load_game as load_game
    from arena.report.page.games import draw_game as draw_game
    from arena.tournament.combine import report_runs as report_runs
    from arena.tournament.match import match as match
    from arena.tournament.replay import play as play
    from arena.tournament.run import Run as Run, open_run as open_run, run as run
    from arena.tuning.fit.fit import Fit as Fit, fit as fit, open_fit as open_fit
    from arena.tuning.optuna.objective import objective as objective, prove as prove
    from arena.tuning.study import Study as Study, open_study as open_study, tune as tune

HOMES = {
    "Choice": "engine",
    "ConfigError": "errors",
    "GameRecord": "match.record",
    "draw_game": "report.page.games",
    "Limit": "engine",
    "Range": "engine",
    "Run": "tournament.run",
    "load_engine": "plugins.build",
    "load_game": "plugins.load",
    "match": "tournament.match",
    "open_run": "tournament.run",
    "play": "tournament.replay",
    "play_game": "match.play",
    "report_runs": "tournament.combine",
    "run": "tournament.run",
    "open_fit": "tuning.fit.fit",
    "Fit": "tuning.fit.fit",
    "fit": "tuning.fit.fit",
    "open_study": "tuning.study",
    "Study": "tuning.study",
    "tune": "tuning.study",
    "objective": "tuning.optuna.objective",
    "prove": "tuning.optuna.objective",
}
"""The module that each public name comes from."""

__all__ = list(HOMES)


class _Front(ModuleType):
    """This module, of which a public name is never hidden by a package of that name.

    An import of `arena.match.record` makes the package the attribute `match`, which it does not
    need: it finds packages in `sys.modules`.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:  # of a notebook's function that is sent by cloudpickle
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _Front


def __getattr__(name: str) -> Any:
    """Import a public name (PEP 562)."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"arena.{HOMES[name]}"), name)
    if not isinstance(found, type):
        from arena.arguments import called_from_python

        found = globals()[name] = called_from_python(found)
        if package := sys.modules.get(f"arena.{name}"):
            # `import arena.match.record as record` asks for the package's modules here.
            vars(package).update(vars(found))
            found.__dict__ = vars(package)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
