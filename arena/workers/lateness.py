"""Machines of a cluster that lose more games on time than the others: their games tell nothing."""

from __future__ import annotations

from collections.abc import Mapping

from arena.match.record import GameRecord
from arena.stats.excess import chance_of_excess
from arena.storage.machines import Toll

LEAST_GAMES = 20
"""Games of all other machines, before which nobody can tell what is usual."""
CHANCE = 1e-6
"""Chance below which it is no explanation. All machines are looked at after each loss on time: in
ten thousand such looks, one that is like the others is left out with a chance of at most 1 %."""


class Lateness:
    """Holds the games, and those lost on time, of each machine."""

    def __init__(self, tolls: Mapping[str, Toll]) -> None:
        self._tolls = {**tolls}

    def add(self, record: GameRecord) -> str:
        """Take in a game; the reason to leave its machine out, or nothing."""
        is_late = record.reason == "time"
        own = self._tolls.get(record.machine, Toll()) + Toll(1, is_late)
        self._tolls[record.machine] = own
        if not (record.machine and is_late):
            return ""
        return excess_text(own, sum(self._tolls.values(), Toll()) - own)


def excess_text(own: Toll, others: Toll) -> str:
    """The excess of a machine's losses on time in words; nothing if chance explains it."""
    if others.games < LEAST_GAMES:
        return ""
    if chance_of_excess(own.late, own.games, others.late, others.games) >= CHANCE:
        return ""
    return (
        f"{own.late} of its {own.games} games were lost on time, and {others.late} of "
        f"{others.games} on the other machines"
    )
