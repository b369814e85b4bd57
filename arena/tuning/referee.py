"""The engines of a process that plays a study: points of its space, built as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from arena.config.settings import Player
from arena.engine import Engine
from arena.plugins.load import parse_parameters
from arena.tuning.settings.conditions import AT, Condition
from arena.tuning.settings.config import TuningConfig
from arena.workers.referee import Referee

KEPT = 4
"""Number of points whose engines are kept under each condition: those of two trials. Each may hold
a large table."""

Change = Callable[[Player], Player]


class StudyReferee(Referee):
    """Holds the engines of the config's players, and of the points last played."""

    def __init__(self, config: TuningConfig, change: Change | None = None) -> None:
        """Play a study; with every player changed, if that is said."""
        self._conditions = {each.label: each for each in config.conditions}
        self._change = change or (lambda player: player)
        players = map(self._change, _players_under(config, self._conditions.values()))
        super().__init__(config.terms, players)
        self._config = config
        self._points: dict[str, Player] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as it was made."""
        return StudyReferee, (self._config,)

    def changed(self, change: Change) -> StudyReferee:
        """The referee with every player as it is to be elsewhere."""
        return StudyReferee(self._config, change)

    def player(self, name: str) -> Player:
        """One of the config, or the point that the name spells, with its condition."""
        if name in self.players:
            return self.players[name]
        return self._points.get(name) or self._change(self._point(name))

    def _point(self, name: str) -> Player:
        if "" in self._conditions:
            return self._config.player(name, parse_parameters(name))
        point, _, label = name.rpartition(AT)
        player = self._config.player(point, parse_parameters(point))
        return self._conditions[label].tuned(player)

    def engine(self, name: str) -> Engine:
        """A player's engine; the points that were not played for longest make room."""
        if name not in self.players:
            point = self.player(name)
            self._points.pop(name, None)
            self._points[name] = point
            for old in list(self._points)[: -KEPT * len(self._conditions)]:
                del self._points[old]
                self.discard(old)
        return super().engine(name)


def _players_under(config: TuningConfig, conditions: Iterable[Condition]) -> Iterator[Player]:
    """The engine with its default weights, and its opponents, under each condition."""
    for each in conditions:
        yield each.tuned(config.default)
        yield from map(each.rival, config.opponents)
