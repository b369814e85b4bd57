"""The contract of `openings/`, and a run's openings: moves' texts, drawn when first asked for.

A source's file has `openings(game, *, parameter=default, ...)`, which yields openings, and
`part(parameters, start, count)`: the parameters that give just these of them. `count(parameters)`
is their number. A source that can make as many as are wanted says DRAWS = True.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from arena.game import Game
from arena.match.adjudication import draw
from arena.match.play import moves_text, place_opening
from arena.plugins import load
from arena.plugins.load import Named


class Openings(Sequence[str]):
    """The openings of a run; a test may need few of very many, so none is drawn before it must."""

    def __init__(self, source: Named, game: Named, drawn: Sequence[str] = ()) -> None:
        """`drawn` are the first of them, if they are known already."""
        self.source = source
        self._game = game
        self._module = load.module("source of openings", source.name)
        self._drawn = list(drawn)
        self._rest: Iterator[str] | None = None

    @property
    def can_grow(self) -> bool:
        """True if the source has as many openings as are wanted."""
        return bool(getattr(self._module, "DRAWS", False))

    def part(self, start: int, count: int) -> Openings:
        """As many of the openings from this one on; a source that draws has more than are here."""
        parameters = self._module.part(self.source.parameters, start, count)
        known = self._drawn[start : start + count]
        return Openings(Named(self.source.name, parameters), self._game, known)

    def __len__(self) -> int:
        return int(self._module.count(self.source.parameters))

    def __getitem__(self, index: Any) -> Any:
        wanted = range(len(self))[index]
        if isinstance(wanted, int):
            self._draw(wanted + 1)
            return self._drawn[wanted]
        self._draw(max(wanted, default=-1) + 1)
        return [self._drawn[i] for i in wanted]

    def _draw(self, count: int) -> None:
        """Draw until so many are known; ConfigError if the source has no more."""
        if len(self._drawn) >= count:
            return
        if self._rest is None:
            make = load.factory("source of openings", self.source.name)
            whole = make(load.load_game(self._game), **self.source.parameters)
            self._rest = islice(whole, len(self._drawn), None)
        self._drawn += islice(self._rest, count - len(self._drawn))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Openings) and self.source == other.source


def fault_of(game: Game, opening: str, max_plies: int | None = None) -> str | None:
    """The reason why an opening cannot be played on; None if it can."""
    try:
        p = place_opening(game, opening)
    except ValueError as error:
        return f"opening {opening!r}: {error}"
    if max_plies is not None and p.ply >= max_plies:
        return f"opening {opening!r}: its {p.ply} plies leave none of max_plies {max_plies}"
    if outcome := draw(game, p):
        return f"opening {opening!r}: a draw ({outcome.reason}) before an engine moves"
    return None


def spelt(game: Game, opening: str) -> str:
    """The opening as the game itself writes it; ValueError if it is none."""
    return moves_text(game, place_opening(game, opening).moves)
