"""Numbers as people read them: Elo, intervals, shares, and players that are hardly comparable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from math import isfinite, isnan

import numpy as np

from arena.stats.elo import ELO_LIMIT
from arena.stats.precision import Bridge

OPEN = ELO_LIMIT - 1e-6
"""An end this far off is as good as none."""

MOST_SHOWN = int(ELO_LIMIT)
"""The most that an Elo in whole numbers may be."""

DOUBT = "?"
"""The mark of an Elo or a rating that faults rather than play have made."""

SURE = 0.999
"""The highest LOS that is told, and its like at the other end: all beyond is not known."""

SHOWN_MEETINGS = 4
"""Meetings that the sentence on a weak bridge names."""


def format_elo(elo: float, low: float, high: float, is_doubtful: bool) -> str:
    """Elo; where its interval has no end on one side, only the bound that is known.

    A dash where that bound does not even tell the side of 0. Marked if it rests on faults.
    """
    if low > -OPEN and high < OPEN:
        text = f"{round(elo):+d}"
    elif high >= OPEN and low >= 0:
        text = f">{round(low):+d}"
    else:
        text = f"<{round(high):+d}" if low <= -OPEN and high <= 0 else "-"
    return marked(text, is_doubtful)


def format_estimate(elo: float, is_doubtful: bool) -> str:
    """An estimated Elo within the bounds of all Elo; marked if it rests on faults."""
    return marked(f"{min(max(elo, -MOST_SHOWN), MOST_SHOWN):+z.0f}", is_doubtful)


def format_rating(elo: float, is_doubtful: bool) -> str:
    """An Elo that is known however far off it is; marked if it rests on faults."""
    return marked(f"{elo:+z.0f}", is_doubtful)


def format_rated(elo: float, low: float, high: float, games: int, is_doubtful: bool) -> str:
    """The Elo of a player on the scale of all; only a bound where it won or lost everything, a dash
    without games. Marked if it rests on faults."""
    has_low, has_high = low > elo - OPEN, high < elo + OPEN
    text = f"{elo:+z.0f}"
    if has_low != has_high:
        text = f">{round(low):+d}" if has_low else f"<{round(high):+d}"
    return marked(text if games else "-", is_doubtful)


def marked(text: str, is_doubtful: bool) -> str:
    """A number of a player's strength, marked if it rests too much on faults; a dash is none."""
    return f"{text}{DOUBT}" if is_doubtful and text != "-" else text


def format_interval(low: float, high: float, around: float = 0.0) -> str:
    """The interval's ends; one as far off as Elo reaches is not known.

    The other one is shown alone only where it tells the side of 0, or the number is `around` some
    other one.
    """
    has_low, has_high = low > around - OPEN, high < around + OPEN
    if has_low and has_high:
        return f"{round(low):+d} to {round(high):+d}"
    if has_low and (low >= 0 or around):
        return f"{round(low):+d} or more"
    return f"{round(high):+d} or less" if has_high and (high <= 0 or around) else "-"


def format_digits(number: float, digits: int) -> str:
    """A number with this many significant digits, its thousands apart, and never an exponent."""
    text = np.format_float_positional(number, digits, fractional=False, trim="-")
    return f"{Decimal(text):,f}" if isfinite(number) else text


def unit_of(model: str) -> str:
    """The unit of a test's hypotheses."""
    return "Elo" if model == "logistic" else "nElo"


def about(count: float) -> str:
    """An estimated number of games or pairs, at least 1, with the two digits that mean anything."""
    whole = max(round(count), 1)
    return str(whole) if whole < 100 else format_digits(whole, 2)


def format_number(value: object) -> str:
    """A parameter's value as people read it."""
    if isinstance(value, float):
        return format_digits(value, 5)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def with_short_numbers(text: str) -> str:
    """A text whose long fractions have five significant digits."""
    return re.sub(r"\d+\.\d{3,}(e-?\d+)?", lambda found: format_digits(float(found[0]), 5), text)


def format_range(low: float, high: float) -> str:
    """The ends of a range with four significant digits each."""
    return f"{format_digits(low, 4)} to {format_digits(high, 4)}"


def format_share(share: float, is_doubtful: bool = False) -> str:
    """A share of one as per cent; marked if it is an LOS that rests on faults."""
    return marked(f"{100 * share:.1f} %", is_doubtful)


def format_los(los: float) -> str:
    """The likelihood of superiority in a sentence."""
    if los >= SURE:
        return f"above {100 * SURE:.1f} %"
    return f"below {100 - 100 * SURE:.1f} %" if los <= 1 - SURE else format_share(los)


def format_value(value: object) -> str:
    """Any value of a row: shares of one, LLR and their like to two digits; `-` for none."""
    if isinstance(value, float):
        return "-" if isnan(value) else f"{value:z.2f}"
    return str(value)


def bridge_text(names: Sequence[str], bridge: Bridge) -> str:
    """The sentence about some players that hardly met the others."""
    some = ", ".join(names[player] for player in bridge.players)
    met = [f"{names[one]} - {names[other]}" for one, other in bridge.meetings]
    more = ", ..." if len(met) > SHOWN_MEETINGS else ""
    openings = "1 opening" if bridge.openings == 1 else f"{bridge.openings} openings"
    apart = "; they are rated apart" if bridge.is_apart else ""
    shown = ", ".join(met[:SHOWN_MEETINGS])
    return f"Few openings join {some} to the other players: {openings} ({shown}{more}){apart}."


def format_duration(seconds: float) -> str:
    """A duration in the units that people would say it in: hours below ten have their minutes."""
    hours, minutes = divmod(round(seconds / 60), 60)
    if 1 <= hours < 10:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    for unit, size in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{format_digits(seconds / size, 2)} {unit}"
    return f"{format_digits(seconds, 2)} s"
