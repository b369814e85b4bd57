"""The engines of a process that plays a study: points of its space, built as they come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arena.config.settings import Player
from arena.engine import Engine
from arena.match.terms import Terms
from arena.plugins.load import parse_parameters
from arena.tuning.config import TuningConfig
from arena.workers.referee import Referee

KEPT = 4
"""Number of points whose engines are kept: those of two trials. Each may hold a large table."""


class StudyReferee(Referee):
    """Holds the engines of the config's players, and of the points last played."""

    def __init__(self, config: TuningConfig) -> None:
        super().__init__(config.terms, config.players)
        self._config = config
        self._points: dict[str, Player] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as it was made."""
        return StudyReferee, (self._config,)

    def adapted(self, terms: Terms, change: Callable[[Player], Player]) -> StudyReferee:
        """The same for other terms, with every player as it is to be where these apply."""
        players = tuple(map(change, self._config.players))
        return StudyReferee(replace(self._config, terms=terms, players=players))

    def player(self, name: str) -> Player:
        """One of the config, or the point that the name spells."""
        if name in self.players:
            return self.players[name]
        return self._points.get(name) or self._config.player(name, parse_parameters(name))

    def engine(self, name: str) -> Engine:
        """A player's engine; the points that were not played for longest make room."""
        if name not in self.players:
            point = self.player(name)
            self._points.pop(name, None)
            self._points[name] = point
            for old in list(self._points)[:-KEPT]:
                del self._points[old]
                self.discard(old)
        return super().engine(name)
