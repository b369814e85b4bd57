"""Small charts that stand in the rows of a table, all rows on one scale."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite, isnan, nan
from typing import TypeVar
from xml.etree.ElementTree import Element

import pandas as pd
from markupsafe import Markup

from arena.report.numbers import OPEN, format_interval, format_range, marked
from arena.report.page.scales import AxisScale, around, tick_text
from arena.report.page.svg import element, line_between, number_or_text, picture, text_at
from arena.report.table import Column, Row

Drawn = TypeVar("Drawn")

WIDTH, HEIGHT, EDGE = 240.0, 22.0, 10.0
"""Size of a chart in a row, and the room at either end."""
MIDDLE = HEIGHT / 2
FAR = 800.0
"""Elo beyond which a scale does not reach: an interval that goes on is open there."""


def elo_intervals(
    frame: pd.DataFrame,
    low: Hashable,
    elo: Hashable,
    high: Hashable,
    doubtful: Hashable = "doubtful",
    *,
    is_bar: bool = False,
) -> Column:
    """A column with the interval of each row of a frame, whose columns these are, on one scale."""
    names = [low, elo, high]
    ends = [known(*each) for each in zip(*(frame[name] for name in names), strict=True)]
    # A bound may lie far from all intervals, which would shrink to dots beside it.
    whole = [each for each in ends if all(map(isfinite, each)) and abs(each[1]) <= FAR]
    shown = [min(max(value, -FAR), FAR) for each in whole or ends for value in each]
    reach = around(shown, 0, 1, least=20)
    scale = row_scale(reach.low, reach.high)

    def draw(row: Row) -> Markup:
        found = known(*(row[name] for name in names))
        label = marked(_interval_label(*found), row[doubtful] and not isnan(found[1]))
        return interval_mark(scale, *found, label, is_bar=is_bar)

    if not any(map(isfinite, shown)):
        return Column("Elo with 95 %", draw=lambda row: Markup())
    return Column("Elo with 95 %", draw=draw, foot=axis_mark(scale, "Scale of Elo"))


def range_mark(
    row: Row, default: float, low: float, value: float, high: float, ends: str
) -> Markup:
    """A value with its interval, whose ends are told, and the default, within the range of a row.

    Nothing without a range; without an interval, both values alone.
    """
    if isnan(row["range_low"]):
        return Markup()
    scale = row_scale(row["range_low"], row["range_high"], bool(row["log"]))
    if not (isfinite(low) and isfinite(high)):
        low, high, ends = value, value, "interval not known"
    label = f"{ends} of {format_range(scale.low, scale.high)}"
    mark = line_between(scale.at(default), 2, scale.at(default), HEIGHT - 2, "default")
    return interval_mark(scale, low, value, high, label, mark)


def known(low: float, value: float, high: float) -> tuple[float, float, float]:
    """The value with its interval; NaN for ends, and for a value, that results do not tell."""
    has_low, has_high = low > value - OPEN and low > -OPEN, high < value + OPEN and high < OPEN
    ends = low if has_low else nan, high if has_high else nan
    return ends[0], value if has_low or has_high else nan, ends[1]


def _interval_label(low: float, value: float, high: float) -> str:
    if isnan(value):
        return "not known"
    ends = (-2 * OPEN if isnan(low) else low, 2 * OPEN if isnan(high) else high)
    is_bound = isnan(low) or isnan(high)
    return format_interval(*ends) if is_bound else f"{value:+.0f}, {format_interval(*ends)}"


def interval_mark(
    scale: AxisScale,
    low: float,
    value: float,
    high: float,
    label: str,
    *more: Element,
    is_bar: bool = False,
) -> Markup:
    """A value with its interval, a dot or a bar from zero; and `more` below it.

    An arrow at the edge stands for an end that is not known, or that lies beyond the scale. Where
    only one end is known, there is no value; where neither is, nothing but the line of zero.
    """
    marks: list[Element | None] = [_zero_line(scale), *more]
    has_low, has_high = isfinite(low), isfinite(high)
    is_whole = has_low and has_high and isfinite(value)
    if is_bar and is_whole:
        marks.append(_bar_between(scale.at(0), scale.at(value), "bar soft"))
    if has_low or has_high:
        left = scale.at(low if has_low else scale.low)
        right = scale.at(high if has_high else scale.high)
        marks.append(line_between(left, MIDDLE, right, MIDDLE, "interval"))
        for end, place in ((low, left), (high, right)):
            if scale.holds(end):
                marks.append(line_between(place, MIDDLE - 4, place, MIDDLE + 4, "interval"))
        if not low >= scale.low:
            marks.append(_arrow(left, -EDGE))
        if not high <= scale.high:
            marks.append(_arrow(right, EDGE))
    if is_whole and scale.holds(value):
        # A line of no length, whose round ends stay round however wide the drawing is.
        marks.append(line_between(scale.at(value), MIDDLE, scale.at(value), MIDDLE, "point"))
    return picture(WIDTH, HEIGHT, label, *marks, style="mark elastic", is_elastic=True)


def _arrow(place: float, length: float) -> Element:
    points = [(place, MIDDLE - 5), (place + length, MIDDLE), (place, MIDDLE + 5)]
    text = " ".join(f"{number_or_text(x)},{number_or_text(y)}" for x, y in points)
    return element("polygon", points=text, class_="arrow")


def axis_mark(scale: AxisScale, label: str, is_signed: bool = True) -> Markup:
    """The scale of the marks above it."""
    marks: list[Element] = []
    for value in scale.ticks(6):
        place = scale.at(value)
        marks.append(line_between(place, 0, place, 4, "axis"))
        marks.append(text_at(place, 16, tick_text(value, is_signed), "tick"))
    return picture(WIDTH, HEIGHT, label, *marks, style="mark")


def _zero_line(scale: AxisScale) -> Element | None:
    """The line of zero, if that is within the scale."""
    return line_between(scale.at(0), 0, scale.at(0), HEIGHT, "zero") if scale.holds(0) else None


def _bar_between(one: float, other: float, style: str) -> Element:
    return element(
        "rect",
        x=min(one, other),
        y=MIDDLE - 5,
        width=abs(other - one),
        height=10,
        class_=style,
    )


def row_scale(low: float, high: float, is_log: bool = False) -> AxisScale:
    """A scale across a row."""
    return AxisScale(low, high, EDGE, WIDTH - EDGE, is_log)


def results_bar(wins: int, draws: int, losses: int, width: float = 140.0) -> Markup:
    """Wins, draws and losses side by side, as shares of all."""
    games = wins + draws + losses
    label = f"{wins} won, {draws} drawn, {losses} lost"
    marks, place = [_bar_between(0, width, "none")], 0.0
    for count, style in ((wins, "win"), (draws, "draw"), (losses, "loss")):
        if count:
            end = place + width * count / games
            marks.append(_bar_between(place, end, style))
            place = end
    return picture(width, HEIGHT, label, *marks, style="mark")


def share_bar(share: float, label: str, width: float = 100.0) -> Markup:
    """A share of one as a bar, with the mark of one half."""
    marks = [_bar_between(0, width, "none")]
    if isfinite(share):
        marks.append(_bar_between(0, width * min(max(share, 0.0), 1.0), "bar"))
    marks.append(line_between(width / 2, 2, width / 2, HEIGHT - 2, "zero"))
    return picture(width, HEIGHT, label, *marks, style="mark")


def part_bar(part: float, whole: float, label: str, width: float = 140.0) -> Markup:
    """A part of a whole as a bar."""
    share = part / whole if whole > 0 and isfinite(part) else 0.0
    bars = [
        _bar_between(0, width, "none"),
        _bar_between(0, width * min(max(share, 0.0), 1.0), "bar"),
    ]
    return picture(width, HEIGHT, label, *bars, style="mark")


def heat_style(share: float, steps: int = 5) -> str:
    """The class of a cell with this score: `heat-p5` at one, `heat-m5` at nought."""
    if not isfinite(share):
        return "heat-none"
    step = round((2 * min(max(share, 0.0), 1.0) - 1) * steps)
    return "heat-0" if not step else f"heat-{'p' if step > 0 else 'm'}{abs(step)}"


def thinned(values: Sequence[Drawn], most: int) -> list[Drawn]:
    """About `most` of the values or fewer, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    step = -(-len(values) // most)
    return [*values[:-1:step], values[-1]]
