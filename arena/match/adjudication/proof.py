"""A win that the referee sees: the side to move wins by fours against any defence."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Annotated, Any, cast

from arena.engine import Range, Remark
from arena.errors import ConfigError
from arena.game import Game, Outcome, Position
from arena.plugins.build import ForcedWin, forced_win_search

ORDER = 0


def rule(
    game: Game,
    *,
    fours: Annotated[int, Range(1, 50), "in a row, at most, five not counted"],
    nodes: Annotated[int, Range(1, 10**9), "of the search after each move"] = 2000,
) -> ProvenWin:
    """The game ends before a player's turn that a search for forced wins shows to be won.

    It takes no time from any player's clock. An opening that is won already is played on.
    """
    return ProvenWin(search_of(cast(Hashable, game), fours, nodes))


@lru_cache(maxsize=8)
def search_of(game: Any, fours: int, nodes: int) -> ForcedWin:
    """The search that all games by these rules have in common. ConfigError if there is none."""
    search = forced_win_search(game, fours=fours, nodes=nodes)
    if search is None:
        raise ConfigError(f"proof: no engine looks for forced wins in {game.name} by its rule")
    return search


class ProvenWin:
    def __init__(self, search: ForcedWin) -> None:
        self._search = search

    def outcome(self, p: Position, said: Remark | None) -> Outcome | None:
        """The win of the side to move, with its line, if the search finds one."""
        line = said and self._search(p)
        return Outcome(p.turn, "won by proof", tuple(line)) if line else None
