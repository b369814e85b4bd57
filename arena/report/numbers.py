"""Numbers as people read them, and rounded alike on every machine for programs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.stats.elo import ELO_LIMIT
from arena.stats.precision import Bridge
from arena.stats.rounding import reported

if TYPE_CHECKING:
    import pandas as pd

OPEN = ELO_LIMIT - 1e-6  # An end this far off is as good as none

MOST_SHOWN = int(ELO_LIMIT)  # The most that an Elo in whole numbers may be

DOUBT = "?"  # The mark of an Elo or a rating that faults rather than play have made

SURE = 0.999  # The highest LOS that is told, and its like at the other end: all beyond is not known

SHOWN_MEETINGS = 4  # Meetings that the sentence on a weak bridge names


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
    return "Elo" if model == "logistic" else "nElo"


def about(count: float) -> str:
    """An estimated number of games or pairs, at least 1, with the two digits that mean anything."""
    whole = max(round(count), 1)
    return str(whole) if whole < 100 else format_digits(whole, 2)


def format_number(value: object) -> str:
    if isinstance(value, float):
        return format_digits(value, 5)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def with_short_numbers(text: str) -> str:
    """A text whose long fractions have five significant digits."""
    return re.sub(r"\d+\.\d{3,}(e-?\d+)?", lambda found: format_digits(float(found[0]), 5), text)


def format_range(low: float, high: float) -> str:
    return f"{format_digits(low, 4)} to {format_digits(high, 4)}"


def format_share(share: float, is_doubtful: bool = False) -> str:
    """A share of one as per cent; marked if it is an LOS that rests on faults."""
    return marked(f"{100 * share:.1f} %", is_doubtful)


def format_los(los: float) -> str:
    if los >= SURE:
        return f"above {100 * SURE:.1f} %"
    return f"below {100 - 100 * SURE:.1f} %" if los <= 1 - SURE else format_share(los)


def format_value(value: object) -> str:
    """Any value of a row: shares of one, LLR and their like to two digits; `-` for none."""
    if isinstance(value, float):
        return "-" if isnan(value) else f"{value:z.2f}"
    return str(value)


def bridge_text(names: Sequence[str], bridge: Bridge) -> str:
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


TYPES = {
    "bool": r"(\w+_)?doubtful|chosen|has_hidden_loss|is_sure|log|passed|stopped_early",
    "int64": r"attempt|decile|draws|epoch|(won_by_)?faults|games\w*|group|losses|opponents|openings"
    r"|pairs|proposer|seen|trials?|wins",
    "float64": r"(centre|elo|expected|gain|llr|slope)(_?\w+)?|chance|error|estimate|fitted|held_out"
    r"|(range_)?(high|low)|lower|result|((default|tuned)_)?score|scored|share|upper|value",
}
"""Columns of numbers in frames that may be empty, by their types; others are text."""


def text_type() -> str:
    """The type that pandas has for columns of text, beside mere objects."""
    import pandas as pd

    return "str" if pd.Series([""]).dtype == "str" else "string"


def shaped(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the types that columns without a value would lack: those of all others."""
    text, types, nullable = text_type(), {}, {"bool": "boolean", "int64": "Int64"}
    for column in frame.columns[frame.isna().all()]:
        if frame[column].dtype.kind == "O":
            found = next((kind for kind in TYPES if re.fullmatch(TYPES[kind], column)), text)
            types[column] = found if frame.empty else nullable.get(found, found)
    return frame.astype(types)


def without_home(text: str) -> str:
    """A text for people whose paths begin at the folder that they work in, or at their home."""
    shorter = {os.path.expanduser("~"): "~/"}
    with suppress(OSError):  # that folder may be gone
        shorter = {os.getcwd(): ""} | shorter
    shorter.pop(os.sep, None)
    for folder, short in shorter.items():
        text = re.sub(rf"(?<![\w.~-]){re.escape(folder)}/", short, text)
    return text


def json_text(value: Any, indent: int | None = None) -> str:
    """A value in JSON: floats with the digits that programs are told, null for what is unknown."""
    return json.dumps(_portable(value), indent=indent, allow_nan=False)


def records(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    """The rows of a frame; None where a value is missing."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def portable_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy of a frame, of the same types, whose floats have the digits that programs are told."""
    found = frame.copy()
    for place, (_, column) in enumerate(frame.items()):
        if column.dtype.kind in "fO":
            values = [reported(each) if isinstance(each, float) else each for each in column]
            found.isetitem(place, type(column)(values, dtype=column.dtype).array)
    return found


def _portable(value: Any) -> Any:
    """The value with numbers of Python, and without those that JSON has not."""
    if isinstance(value, Mapping):
        return {key: _portable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_portable(each) for each in value]
    if isinstance(value, float):
        return reported(value) if isfinite(value) else None
    return value
