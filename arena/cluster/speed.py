"""Speeds of machines: measured by a kernel of our own, and limits of time that follow them."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from arena.config.settings import Player
from arena.engine import Limit
from arena.jit import kernel
from arena.match.record import GameRecord
from arena.match.remarks import times_text
from arena.match.terms import Terms
from arena.workers.referee import Referee

TABLE_BITS = 15
"""The kernel's table takes 256 kB: more than the nearest cache, as those of engines do."""
KERNEL_TURNS = 4_000_000
"""Some 20 ms."""
REPEATS = 5
"""The fastest one counts: other work of the machine can only make one slower."""
MEASURE_PERIOD = 300.0
"""Seconds between two measures of one machine."""


@kernel
def turned(table: np.ndarray, turns: int) -> np.uint64:
    """The last of many numbers, each from the one before and a table that it changes."""
    mask, x, total = np.uint64(len(table) - 1), np.uint64(88172645463325252), np.uint64(0)
    for _ in range(turns):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
        place = x & mask
        if table[place] > x:
            total += table[place]
        else:
            table[place] = x
    return total


def measured_speed() -> float:
    """Turns of the kernel in a second of this thread's time on its core."""
    table = np.zeros(1 << TABLE_BITS, dtype=np.uint64)
    turned(table, 1)  # compiled by now
    return KERNEL_TURNS / min(_seconds_taken(table) for _ in range(REPEATS))


def _seconds_taken(table: np.ndarray) -> float:
    """Seconds on its core that the kernel took."""
    began = time.thread_time()
    turned(table, KERNEL_TURNS)
    return time.thread_time() - began


@lru_cache(1)
def own_speed() -> float:
    """The speed of this machine, measured once in this process."""
    return measured_speed()


def is_speed_wanted(referee: Referee) -> bool:
    """True if a player's time is limited."""
    return any(each.limit_in(referee.terms).is_timed for each in referee.players.values())


def _scaled_limit(limit: Limit, factor: float) -> Limit:
    """The limit with its time multiplied by a factor."""
    names = "seconds", "time_left", "increment"
    given = {name: value for name in names if (value := getattr(limit, name)) is not None}
    return replace(limit, **{name: value * factor for name, value in given.items()})


def _scaled_player(factor: float, player: Player) -> Player:
    """The player with its own limit, if it has one, multiplied by a factor."""
    return replace(player, limit=player.limit and _scaled_limit(player.limit, factor))


def _scaled_terms(terms: Terms, factor: float) -> Terms:
    """The terms with their time multiplied by a factor; the margin stays, which is the system's."""
    return replace(terms, limit=_scaled_limit(terms.limit, factor))


def scaled_referee(referee: Referee, factor: float) -> Referee:
    """The referee of a machine on which everything takes `factor` times as long."""
    if factor == 1:
        return referee
    terms = _scaled_terms(referee.terms, factor)
    return referee.adapted(terms, partial(_scaled_player, factor))


def scaled_record(record: GameRecord, factor: float) -> GameRecord:
    """A game of such a machine, its times as they would be where the limits are from."""
    if factor == 1:
        return record
    times = times_text(float(each) / factor for each in record.times.split())
    efforts = record.efforts
    if efforts:
        efforts = efforts[0].scaled(factor), efforts[1].scaled(factor)
    made = record.made and record.made.scaled(factor)
    return replace(record, times=times, made=made, efforts=efforts)


class MachinePace:
    """Holds a machine's speed, and by how much its time is longer than the driver's."""

    def __init__(self, reference: float | None, is_scaled: bool) -> None:
        """`reference`: the driver's speed; None if no time is limited."""
        self._reference = reference
        self._is_scaled = is_scaled
        self._measured = -MEASURE_PERIOD
        self.speed: float | None = None
        """Relative to the driver's."""
        self.factor = 1.0

    def measure(self) -> None:
        """Measure the machine, if that is wanted and was not done just now."""
        now = time.monotonic()
        if self._reference and now - self._measured >= MEASURE_PERIOD:
            self.speed = measured_speed() / self._reference
            self._measured = now
            if self._is_scaled:
                self.factor = 1 / self.speed
