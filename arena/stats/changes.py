"""Changes between two measurements of which neither knows of the other, and how sure they are."""

from __future__ import annotations

from math import hypot, inf, isfinite
from statistics import NormalDist
from typing import NamedTuple

from arena.stats.elo import ELO_LIMIT, QUANTILE, TAIL

FAR = ELO_LIMIT - 1e-6
"""The distance from which an end of an interval of Elo is not known."""


class Estimate(NamedTuple):
    """An Elo with the ends of its 95 % interval; infinite where they are not known."""

    elo: float
    low: float
    high: float
    doubtful: bool = False  # True if faults carry it: see `arena.stats.faults`


UNKNOWN = Estimate(0.0, -inf, inf)
"""The Elo of who has no games."""


def estimate(elo: float, low: float, high: float) -> Estimate:
    """The Elo of a rating, whose ends lie at the limit of Elo where they are not known."""
    return Estimate(elo, low if elo - low < FAR else -inf, high if high - elo < FAR else inf)


def change(before: Estimate, after: Estimate) -> Estimate:
    """The gain from one to the other, with its 95 % interval.

    Each end is as far away as the two ends that lead there, as the legs of a right angle: exact for
    normal errors, and good for intervals that lean (Zou and Donner, 2008).
    """
    gain = after.elo - before.elo
    down = hypot(after.elo - after.low, before.high - before.elo)
    up = hypot(after.high - after.elo, before.elo - before.low)
    return Estimate(gain, gain - down, gain + up)


def is_beyond_chance(found: Estimate, tried: int, tail: float = TAIL) -> bool:
    """True for a change that chance would hardly make the largest of this number (in a share `tail`
    of cases on either side).

    The interval is widened as Bonferroni has it.
    """
    wider = NormalDist().inv_cdf(1 - tail / max(tried, 1)) / QUANTILE
    reach = found.elo - found.low if found.elo > 0 else found.high - found.elo
    return isfinite(reach) and abs(found.elo) > wider * reach
