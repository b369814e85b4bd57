"""The contract of `openings/`, and a run's openings: moves' texts, drawn when first asked for.

A source's file has `openings(game, *, parameter=default, ...)`, which yields openings, and
`part(parameters, start, count)`: the parameters that give just these of them. `count(parameters)`
is their number. A source that can make as many as are wanted says DRAWS = True. One that reads
them from elsewhere has `with_places(game, *, parameter, ...)`: its openings, each with its place;
a run then keeps them as a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

from arena.errors import ConfigError
from arena.game import Game
from arena.match.adjudication import draw_after
from arena.match.copies import notes_on
from arena.match.opening_rules import rule_named
from arena.match.play import moves_text, place_opening
from arena.match.record import split_opening
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.load import Named


class Openings(Sequence[str]):
    """The openings of a run; a test may need few of very many, so none is drawn before it must."""

    def __init__(
        self, source: Named, game: Named, whole: Openings | None = None, start: int = 0
    ) -> None:
        """A part of a `whole`, from its opening `start` on, shares what that one has drawn."""
        self.source = source
        self.game = game
        self._whole = whole
        self._start = start
        self._module = load.module("source of openings", source.name)
        self._drawn: list[str] = []
        self._rest: Iterator[str] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the source, which draws these openings again."""
        return Openings, (self.source, self.game)

    @property
    def draws(self) -> bool:
        """True if the source has as many openings as are wanted."""
        return bool(getattr(self._module, "DRAWS", False))

    def part(self, start: int, count: int) -> Openings:
        """`count` openings from number `start` on; a source that draws has more than are here."""
        parameters = self._module.part(self.source.parameters, start, count)
        whole = self if start + count <= len(self) else None
        return Openings(Named(self.source.name, parameters), self.game, whole, start)

    def notes(self) -> list[str]:
        """Warnings about openings that are alike; openings that are drawn all differ."""
        return [] if self.draws else notes_on(load.load_game(self.game), self)

    def __len__(self) -> int:
        return int(self._module.count(self.source.parameters))

    def __iter__(self) -> Iterator[str]:
        """All of them: in a fifth of the time of asking for each by its number."""
        for number in range(len(self)):
            if number >= len(self._drawn):
                self._draw(number + 1)
            yield self._drawn[number]

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        wanted = range(len(self))[index]
        self._draw(1 + (wanted if isinstance(wanted, int) else max(wanted, default=-1)))
        return self._drawn[wanted] if isinstance(wanted, int) else [self._drawn[i] for i in wanted]

    def _draw(self, count: int) -> None:
        """Draw until `count` openings are known. Raises ConfigError if the source has fewer."""
        known = len(self._drawn)
        if known >= count:
            return
        if self._whole is not None:
            self._drawn += self._whole[self._start + known : self._start + count]
            return
        if self._rest is None:
            make = load.factory("source of openings", self.source.name)
            self._rest = iter(make(load.load_game(self.game), **self.source.parameters))
        self._drawn += islice(self._rest, count - known)
        if len(self._drawn) < count:
            raise ConfigError(f"{self.source.name} has {len(self._drawn)} openings, not {count}")


def fault_of(game: Game, opening: str, terms: Terms | None = None) -> str | None:
    """The reason why an opening cannot be played on, by these terms; None if it can."""
    rule, moves = split_opening(opening)
    try:
        p = place_opening(game, moves)
    except ValueError as error:
        return f"opening {opening!r}: {error}"
    if rule and p.ply not in [each.stones for each in rule_named(rule).ANSWERS[()]]:
        return f"opening {opening!r}: {rule} does not begin with {p.ply} stones"
    max_plies = terms.max_plies if terms else None
    if max_plies is not None and p.ply >= max_plies:
        return f"opening {opening!r}: its {p.ply} plies leave none of max_plies {max_plies}"
    if outcome := draw_after(game, p, terms):
        return f"opening {opening!r}: a draw ({outcome.reason}) before an engine moves"
    return None


def spelt(game: Game, opening: str) -> str:
    """The opening as the game itself writes it; ValueError if it is none."""
    rule, moves = split_opening(opening)
    return f"{rule} {moves_text(game, place_opening(game, moves).moves)}".strip()
