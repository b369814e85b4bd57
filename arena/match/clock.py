"""One player's time: for each move, and for the game."""

from __future__ import annotations

from dataclasses import replace

from arena.engine import Limit

MARGIN = 0.05
"""Seconds that a busy machine may add to an obedient engine's move, if the config does not say."""


class Clock:
    """Holds the limit of the player's next move."""

    def __init__(self, limit: Limit, margin: float = MARGIN) -> None:
        self.limit = limit
        self._margin = margin

    def budget(self) -> float | None:
        """Seconds that the next move may take, margin included; None if it may take any."""
        limits = [each for each in (self.limit.seconds, self.limit.time_left) if each is not None]
        return min(limits) + self._margin if limits else None

    def charge(self, seconds: float) -> float | None:
        """Take a move off the clock; the seconds that it was too long, if it was, else None."""
        limit = self.limit
        if limit.seconds is not None and seconds > limit.seconds + self._margin:
            return seconds - limit.seconds
        if limit.time_left is not None:
            left = limit.time_left - seconds
            if left < -self._margin:
                return -left
            self.limit = replace(limit, time_left=max(left, 0.0) + (limit.increment or 0.0))
        return None
