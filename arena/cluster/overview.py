"""The machines of a cluster, as they are seen from here: what each has done, and what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.cluster.link import Seat
from arena.cluster.orders import Played

QUIET_FROM = 10.0
"""Seconds without a word from which on a line says so."""


@dataclass(slots=True)
class Deeds:
    """The games of one machine."""

    games: int = 0
    seconds: float = 0.0


class Overview:
    """Holds what is known of each machine, by its name, or until a game comes from it, its host."""

    def __init__(self) -> None:
        self.seats: Sequence[Seat] = ()
        self._names: dict[str, str] = {}
        """Machines by the addresses of their workers."""
        self._deeds: dict[str, Deeds] = {}

    @property
    def slots(self) -> int:
        """Games that can be played at a time."""
        return sum(seat.slots for seat in self.seats)

    def take(self, played: Played) -> None:
        """Count the games of one task."""
        self._names[played.address] = played.machine
        deeds = self._deeds.setdefault(played.machine, Deeds())
        deeds.games += len(played.reply.records)
        deeds.seconds += played.reply.seconds

    def machine_of(self, seat: Seat) -> str:
        """The name of a worker's machine, as far as it is known."""
        return self._names.get(seat.address, seat.host)

    def lines(self) -> list[str]:
        """One line for each machine: those that are here, then those that have gone."""
        present: dict[str, list[Seat]] = {}
        for seat in self.seats:
            present.setdefault(self.machine_of(seat), []).append(seat)
        return [
            machine_line(name, self._deeds.get(name, Deeds()), present.get(name, []))
            for name in sorted({*present, *self._deeds})
        ]


def machine_line(name: str, deeds: Deeds, seats: Sequence[Seat]) -> str:
    """A machine in one line."""
    done = f"{name}: {deeds.games} games"
    if deeds.games:
        done += f", {deeds.seconds / deeds.games:.3g} s each"
    return f"{done}; {state_text(seats)}"


def state_text(seats: Sequence[Seat]) -> str:
    """The state of a machine with these workers."""
    if not seats:
        return "gone"
    slots = sum(seat.slots for seat in seats)
    quiet = [seat.silence for seat in seats if seat.silence > QUIET_FROM]
    text = f"{slots} at a time" if slots else "offers no place for games"
    if quiet:
        text += f"; {len(quiet)} of {len(seats)} workers silent for {max(quiet):.0f} s"
    return text
