"""An experiment at one moment: its report, and its games, as its folder keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from arena.experiment import Status, open_experiment
from arena.game import Game
from arena.match.record import Numbered
from arena.plugins.load import load_game
from arena.report.answer import Answer


@dataclass(frozen=True)
class Snapshot:
    """All that a page shows of a folder beside the games at play."""

    document: Answer
    status: Status
    rules: Game
    players: Sequence[str]
    games: Numbered
    scales: Mapping[str, float] = field(default_factory=dict)
    """K of the players whose games tell it: see `report/moves.py`."""


def warm_up() -> None:
    """Import the libraries of reports, which takes seconds that are no measure of their cost."""
    for name in ("report.run_answer", "tournament.run", "tuning.report.study_answer"):
        import_module(f"arena.{name}")


def snapshot_of(folder: Path) -> Snapshot:
    """The folder as it is now; no engine is imported. Raises ConfigError if it is none of ours."""
    found = open_experiment(folder)
    answer, games = found.answer().prepared(), found.games()
    ((_, game),) = games.runs.items()
    records = [(number, record) for _, number, record in games.played()]
    rules = load_game(game)
    return Snapshot(answer, found.status(), rules, games.players, records, games.scales)
