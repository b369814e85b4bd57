"""Where a study's games are played: the players are points of its space, built as they come."""

from __future__ import annotations

from arena.config.settings import Player
from arena.engine import Engine
from arena.plugins.load import parse_parameters
from arena.tuning.config import TuningConfig
from arena.workers.referee import Referee

KEPT = 4
"""Engines of points that are kept: those of two trials. Each may hold a large table."""


class TuningTable(Referee):
    """Holds the engines of the config's players, and of the points last played."""

    def __init__(self, config: TuningConfig) -> None:
        super().__init__(config.base)
        self._tuning = config
        self._points: dict[str, None] = {}

    def player(self, name: str) -> Player:
        """One of the config, or the point that the name spells."""
        if name in self.players:
            return self.players[name]
        return self._tuning.player(name, parse_parameters(name))

    def engine(self, name: str) -> Engine:
        """A player's engine; the points that were not played for longest make room."""
        if name not in self.players:
            self._points.pop(name, None)
            self._points[name] = None
            for old in list(self._points)[:-KEPT]:
                del self._points[old]
                self.discard(old)
        return super().engine(name)
