"""The seats of a game whose engines think elsewhere: the persons, the engines, and the adviser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arena.config.settings import Player
from arena.engine import Choice, Limit
from arena.game import Game, Position
from arena.human.archive import player_of
from arena.human.hints import adviser_of, hint_words
from arena.human.player import Human
from arena.human.setup import Setup, is_human, limit_of, seat_name
from arena.human.take_back import Help, Note, Seat
from arena.human.terminal import Talk
from arena.server.play.remote_engine import RemoteAdviser, RemoteEngine, Room

ADVISER = "adviser"
"""The adviser's name in the process; those of the others are the numbers of their seats."""
Show = Callable[[Choice], object]


def staff(setup: Setup) -> tuple[Player, ...]:
    """The players for the process of a game."""
    found = [
        replace(player_of("", player), name=str(seat))
        for seat, player in enumerate(setup.players, 1)
        if not is_human(player)
    ]
    if setup.persons and (adviser := adviser_of(setup)) is not None:
        found.append(replace(player_of("", adviser), name=ADVISER))
    return tuple(found)


def seats_of(setup: Setup, notes: list[Note], room: Room, person: Human) -> tuple[Seat, Seat]:
    """Both seats: persons, and engines in their room."""
    first, second = (
        Seat(person if is_human(player) else RemoteEngine(room, seat), notes)
        for seat, player in enumerate(setup.players, 1)
    )
    return first, second


def guest(
    setup: Setup, notes: list[Note], taken: Help, room: Room, talk: Talk, show: Show
) -> Human:
    """The person, or both; hints are shown as well as said."""
    asked = adviser_of(setup) if setup.persons else None
    limit = limit_of(asked, setup.terms) if asked else Limit()
    ask = RemoteAdviser(room, ADVISER, limit).choice
    advice = ShownAdvice(setup.game, seat_name(asked) if asked else None, ask, show)
    return Guest(setup, notes, advice, talk, taken)


class Guest(Human):
    """A person who sees the board anyway."""

    def _board(self, p: Position) -> None:
        """Do nothing."""


class ShownAdvice:
    """Hints, whose moves are shown as well."""

    def __init__(
        self,
        game: Game,
        name: str | None,
        ask: Callable[[Position], Choice],
        show: Show,
    ) -> None:
        self._game = game
        self.name = name
        self._ask = ask
        self._show = show

    def hint(self, p: Position) -> str:
        """The move that the engine would play, in words; or the reason why there is none."""

        def ask(p: Position) -> Choice:
            choice = self._ask(p)
            self._show(choice)
            return choice

        return hint_words(self._game, p, self.name, ask)
