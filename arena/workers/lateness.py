"""Machines of a cluster that lose more games on time than the others: their games tell nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from arena.match.record import GameRecord
from arena.stats.excess import chance_of_excess
from arena.storage.database import Store
from arena.storage.history import PERIOD
from arena.storage.machines import LateGames, Machine, keep_machine, late_games, void
from arena.workers.site import Site

LEAST_GAMES = 20
"""Games of all other machines, before which nobody can tell what is usual."""
CHANCE = 1e-6
"""Chance below which it is no explanation. All machines are looked at after each loss on time: in
ten thousand such looks, one that is like the others is left out with a chance of at most 1 %."""


class Lateness:
    """Holds the games, and those lost on time, of each machine."""

    def __init__(self, late_games: Mapping[str, LateGames]) -> None:
        self._late_games = {**late_games}

    def add(self, record: GameRecord) -> str:
        """Take in a game; the reason to leave its machine out, or nothing."""
        is_late = record.reason == "time"
        own = self._late_games.get(record.machine, LateGames()) + LateGames(1, is_late)
        self._late_games[record.machine] = own
        if not (record.machine and is_late):
            return ""
        return excess_text(own, sum(self._late_games.values(), LateGames()) - own)


def excess_text(own: LateGames, others: LateGames) -> str:
    """The excess of a machine's losses on time in words; nothing if chance explains it."""
    if others.games < LEAST_GAMES:
        return ""
    if chance_of_excess(own.late, own.games, others.late, others.games) >= CHANCE:
        return ""
    return (
        f"{own.late} of its {own.games} games were lost on time, and {others.late} of "
        f"{others.games} on the other machines"
    )


class GamesVoided(Exception):  # noqa: N818
    """Raised when games that were counted do not count any more: all is to be counted anew."""


def again_when_voided(play: Callable[[], None]) -> None:
    """Play what is missing, and again from what still counts whenever games are voided."""
    while True:
        with suppress(GamesVoided):
            return play()


class MachineWatch:
    """Holds the machines of a site while a run is played there: none, if that is this process."""

    def __init__(self, store: Store, site: Site) -> None:
        self._store = store
        self._site = site
        self._lateness = Lateness(late_games(store))
        self._kept = 0.0

    def look(self, record: GameRecord) -> None:
        """Take in a game that was kept; GamesVoided if its machine is left out from now on."""
        if record.machine and time.monotonic() - self._kept >= PERIOD:
            self.close()
        if reason := self._lateness.add(record):
            self._leave_out(record.machine, reason)
            raise GamesVoided

    def _leave_out(self, name: str, reason: str) -> None:
        """Void the games of a machine, and let it play no more."""
        known = {machine.name: machine for machine in self._site.machines()}
        machine = known.get(name, Machine(name, 0, 0))
        games = void(self._store, replace(machine, left_out=reason))
        self._site.leave_out(name, f"{reason}; all {games} are voided, and played anew elsewhere")

    def close(self) -> None:
        """Keep what is known of the machines."""
        self._kept = time.monotonic()
        for machine in self._site.machines():
            keep_machine(self._store, machine)
