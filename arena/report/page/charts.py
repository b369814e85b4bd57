"""Charts as SVG: drawings, scales, charts with axes, in rows of tables, and of an LLR."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil, floor, isfinite, isnan, log, log10, nan
from operator import itemgetter
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeVar
from xml.etree.ElementTree import Element, fromstring, tostring

from markupsafe import Markup

from arena.format import TOGETHER
from arena.match.game_row import GameRow, pair_identity
from arena.match.pairs import pair_points
from arena.report.numbers import OPEN, format_digits, format_interval, format_range, marked, unit_of
from arena.report.page.assets import chart_style
from arena.report.table import Column, Figure, Row
from arena.stats.sprt import llr
from arena.storage.database import Games

if TYPE_CHECKING:
    import pandas as pd

ROUND_STEPS = (1.0, 2.0, 5.0, 10.0)
LOG_STEPS = ((1.0, 2.0, 5.0), (1.0, 5.0), (1.0,))
"""Marks of each ten on a scale of equal ratios: the first of these that are not too many."""

Point = tuple[float, float]

UNITS = ((1e6, 1e6, "M"), (1e4, 1e3, "K"))
"""Values from which on a mark is written in a unit, the unit, and its letter."""


@dataclass(frozen=True)
class AxisScale:
    """A range of values on a range of places."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def at(self, value: float) -> float:
        """The place of a value; of one beyond the range, or of none, that of the nearer end."""
        low, high, value = (self._unit(each) for each in (self.low, self.high, value))
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    def ticks(self, most: int = 5) -> list[float]:
        if self.is_log:
            return self._log_ticks(most)
        step = _round_step((self.high - self.low) / max(most, 1))
        return [i * step for i in range(ceil(self.low / step), floor(self.high / step) + 1)]

    def _log_ticks(self, most: int) -> list[float]:
        """1, 2, 5, 10, 20 and so on within the range; if they are many, fewer of each ten."""
        powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        for steps in LOG_STEPS:
            values = [step * 10.0**power for power in powers for step in steps]
            inside = list(filter(self.holds, values))
            if len(inside) <= most:
                break
        return inside[:: ceil(len(inside) / most)] if inside else [self.low, self.high]

    def _unit(self, value: float) -> float:
        return log(max(value, self.low * 1e-9)) if self.is_log else value


def _round_step(least: float) -> float:
    if not (isfinite(least) and least > 0):
        return 1.0
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in ROUND_STEPS if step * power >= least * (1 - 1e-9))


def around(
    values: Iterable[float], start: float, end: float, least: float = 1.0, zero: bool = True
) -> AxisScale:
    """A scale that holds all finite values, and zero if that is asked for, with room at its ends.

    Its range is not less than `least`.
    """
    found = [value for value in values if isfinite(value)] + ([0.0] if zero else [])
    low, high = (min(found), max(found)) if found else (0.0, 1.0)
    room = max(0.05 * (high - low), (least - (high - low)) / 2, 1e-9)
    return AxisScale(low - room, high + room, start, end)


def tick_text(value: float, is_signed: bool = False) -> str:
    """A value beside its mark: `5,000`, `20K`, `1M`."""
    sizes = (each[1:] for each in UNITS if abs(value) >= each[0])
    unit, letter = next(sizes, (1.0, ""))
    text = format_digits(value / unit, 6) + letter
    return "0" if value == 0 else f"+{text}" if is_signed and value > 0 else text


LINE_HEIGHT, LETTER, ROOM = 16.0, 6.2, 14.0
"""Height of a line of text, mean width of a letter, and the room around a figure in a file."""


def element(tag: str, *children: Element | str, **attributes: object) -> Element:
    """An element; of a name with `_`, that is `-` (`class_` is `class`), and None is left out."""
    found = Element(tag)
    for name, value in attributes.items():
        if value is not None:
            found.set(name.rstrip("_").replace("_", "-"), number_or_text(value))
    for child in children:
        if isinstance(child, str):
            found.text = (found.text or "") + child
        else:
            found.append(child)
    return found


def number_or_text(value: object) -> str:
    """A value as an attribute has it: no more digits than a screen shows."""
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"nothing can be drawn at {value}")
        return f"{value:.1f}".removesuffix(".0")
    return str(value)


def points_text(points: Iterable[Point]) -> str:
    return " ".join(f"{number_or_text(x)},{number_or_text(y)}" for x, y in points)


def picture(
    width: float,
    height: float,
    label: str,
    *children: Element,
    style: str = "",
    is_elastic: bool = False,
) -> Markup:
    """A drawing that says in words what it shows; an elastic one can be made narrow alone."""
    root = element(
        "svg",
        element("title", label),
        *children,
        role="img",
        aria_label=label,
        viewBox=f"0 0 {number_or_text(width)} {number_or_text(height)}",
        width=width,
        height=height,
        class_=style or None,
        preserveAspectRatio="none" if is_elastic else None,
    )
    # The text of elements is escaped by the serializer.
    return Markup(tostring(root, encoding="unicode"))


def text_at(x: float, y: float, text: str, style: str = "", anchor: str = "middle") -> Element:
    """A text at a point, which is its middle, its `start` or its `end`."""
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=style or None)


def line_between(x1: float, y1: float, x2: float, y2: float, style: str) -> Element:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style)


def sheet(figures: Sequence[Figure], columns: int = 1, text: str = "") -> str:
    """An SVG file of figures side by side, each below its caption, with a text above them all."""
    columns = min(columns, len(figures))
    drawings = [fromstring(figure.drawing) for figure in figures]
    wide = max(float(each.attrib["width"]) for each in drawings)
    high = max(float(each.attrib["height"]) for each in drawings)
    captions = [wrap(figure.caption, int(wide / LETTER)) for figure in figures]
    head = wrap(text, int(columns * wide / LETTER))
    top, above = LINE_HEIGHT * len(head) + ROOM, LINE_HEIGHT * max(map(len, captions))
    marks = _lines_at(ROOM, 0, head)
    for i, drawing in enumerate(drawings):
        x, y = ROOM + i % columns * (wide + ROOM), top + i // columns * (above + high + ROOM)
        drawing.attrib |= {"x": number_or_text(x), "y": number_or_text(y + above)}
        marks += [*_lines_at(x, y, captions[i]), drawing]
    width = columns * (wide + ROOM) + ROOM
    height = top + ceil(len(figures) / columns) * (above + high + ROOM)
    root = element(
        "svg",
        element("style", chart_style()),
        element("rect", width="100%", height="100%", fill="#ffffff"),
        *marks,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number_or_text(width)} {number_or_text(height)}",
        width=width,
        height=height,
        font_family="sans-serif",
    )
    return tostring(root, encoding="unicode")


def _lines_at(x: float, y: float, lines: Sequence[str]) -> list[Element]:
    return [
        text_at(x, y + LINE_HEIGHT * (i + 1), line, anchor="start") for i, line in enumerate(lines)
    ]


WIDE_LETTER = LETTER * 15 / 11
"""The width of a letter in the size that wide charts have on a phone: see `static/charts.css`."""


@dataclass(frozen=True)
class ChartFrame:
    width: float = 520.0
    height: float = 240.0
    left: float = 66.0
    right: float = 24.0
    top: float = 14.0
    bottom: float = 48.0

    def across(self, low: float, high: float, is_log: bool = False) -> AxisScale:
        return AxisScale(low, high, self.left, self.width - self.right, is_log)

    def upwards(self, low: float, high: float) -> AxisScale:
        return AxisScale(low, high, self.height - self.bottom, self.top)

    @property
    def letter(self) -> float:
        """The width of a letter of a mark: larger in wide charts, which phones draw smaller."""
        return LETTER if self.width < 400 else WIDE_LETTER


PANE = ChartFrame(width=320, height=200, left=52, right=12, top=10, bottom=40)
"""The size of charts that stand side by side."""


@dataclass
class Plot:
    frame: ChartFrame
    x: AxisScale
    y: AxisScale
    marks: list[Element] = field(default_factory=list)

    def axes(
        self,
        x_title: str,
        y_title: str,
        x_text: Callable[[float], str] = tick_text,
        y_text: Callable[[float], str] = tick_text,
        x_ticks: Sequence[float] | None = None,
    ) -> None:
        frame, middle = self.frame, (self.y.start + self.y.end) / 2
        for value in self.y.ticks(4):
            place = self.y.at(value)
            style = "zero" if value == 0 else "grid"
            self.marks.append(line_between(self.x.start, place, self.x.end, place, style))
            self.marks.append(text_at(frame.left - 8, place + 4, y_text(value), "tick", "end"))
        end_of_last = 0.0
        ticks = self.x.ticks(6) if x_ticks is None else x_ticks
        for value in sorted(ticks):
            place, text = self.x.at(value), x_text(value)
            self.marks.append(line_between(place, self.y.start, place, self.y.start + 4, "axis"))
            half = len(text) * frame.letter / 2
            centre = min(max(place, half), frame.width - half)
            if centre - half >= end_of_last:  # else it would touch the one before
                self.marks.append(text_at(centre, self.y.start + 18, text, "tick"))
                end_of_last = centre + half + frame.letter
        self.marks.append(
            line_between(self.x.start, self.y.start, self.x.end, self.y.start, "axis")
        )
        across = (self.x.start + self.x.end) / 2
        self.marks.append(text_at(across, frame.height - 6, x_title, "label"))
        title = text_at(14, middle, y_title, "label")
        title.set("transform", f"rotate(-90 14 {number_or_text(middle)})")
        self.marks.append(title)

    def line(self, points: Iterable[Point], style: str = "line") -> None:
        """Draw a line through points; those that are no numbers are left out."""
        places = [(self.x.at(x), self.y.at(y)) for x, y in _finite(points)]
        self.marks.append(element("polyline", points=points_text(places), class_=style))

    def ribbon(self, points: Iterable[tuple[float, float, float]], style: str = "ribbon") -> None:
        """Draw a band along x between low and high values; what is not known is left out."""
        known = [each for each in points if all(map(isfinite, each))]
        low = [(x, low) for x, low, _ in known]
        high = [(x, high) for x, _, high in reversed(known)]
        places = ((self.x.at(x), self.y.at(y)) for x, y in [*low, *high])
        if known:
            self.marks.append(element("polygon", points=points_text(places), class_=style))

    def dots(self, points: Iterable[Point], style: str = "dot", radius: float = 2.5) -> None:
        """Draw points; those beyond the scale are left out."""
        inside = [(x, y) for x, y in _finite(points) if self.x.holds(x) and self.y.holds(y)]
        for x, y in inside:
            self.marks.append(
                element("circle", cx=self.x.at(x), cy=self.y.at(y), r=radius, class_=style)
            )

    def specks(self, points: Iterable[Point], style: str = "specks") -> None:
        """Draw very many points as one small shape; those beyond the scale are left out."""
        inside = [(x, y) for x, y in _finite(points) if self.x.holds(x) and self.y.holds(y)]
        places = (f"M{self.x.at(x):.0f} {self.y.at(y):.0f}h0" for x, y in inside)
        self.marks.append(element("path", d="".join(places), class_=style))

    def level(self, value: float, text: str, style: str = "bound") -> None:
        """Draw a line across at a value, with a word on it."""
        place = self.y.at(value)
        self.marks.append(line_between(self.x.start, place, self.x.end, place, style))
        # On the left, as lines lead to levels from there.
        self.marks.append(text_at(self.x.start + 4, place - 5, text, "tick", "start"))

    def upright(self, value: float, style: str) -> None:
        """Draw a line from the bottom to the top at a value."""
        place = self.x.at(value)
        self.marks.append(line_between(place, self.y.start, place, self.y.end, style))

    def band(self, low: float, high: float, style: str = "band") -> None:
        """Draw a band from the bottom to the top between two values."""
        left, right = sorted((self.x.at(low), self.x.at(high)))
        height = abs(self.y.start - self.y.end)
        self.marks.append(
            element("rect", x=left, y=self.y.end, width=right - left, height=height, class_=style)
        )

    def errors(self, x: float, y: float, low: float, high: float, style: str = "interval") -> None:
        """Draw a value with its interval; an end that is not known reaches to the edge."""
        if not isfinite(y):
            return
        place = self.x.at(x)
        ends = (
            self.y.at(low if isfinite(low) else self.y.low),
            self.y.at(high if isfinite(high) else self.y.high),
        )
        self.marks.append(line_between(place, ends[0], place, ends[1], style))
        self.marks.append(element("circle", cx=place, cy=self.y.at(y), r=4, class_="dot " + style))

    def drawn(self, label: str, style: str = "plot") -> Markup:
        return picture(self.frame.width, self.frame.height, label, *self.marks, style=style)


def reliability_plot(frame: ChartFrame) -> Plot:
    """A chart of results by expected results, 0 to 1, with the line on which both are equal."""
    plot = Plot(frame, frame.across(0, 1), frame.upwards(0, 1))
    plot.axes("expected", "result")
    plot.line([(0, 0), (1, 1)], "axis")
    return plot


def _finite(points: Iterable[Point]) -> list[Point]:
    return [(x, y) for x, y in points if isfinite(x) and isfinite(y)]


Drawn = TypeVar("Drawn")

WIDTH, HEIGHT, EDGE = 240.0, 22.0, 10.0  # Size of a chart in a row, and the room at either end
MIDDLE = HEIGHT / 2
FAR = 800.0  # Elo beyond which a scale does not reach: an interval that goes on is open there


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
    has_low = low > value - OPEN and low > -OPEN
    has_high = high < value + OPEN and high < OPEN
    return (
        low if has_low else nan,
        value if has_low or has_high else nan,
        high if has_high else nan,
    )


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
    marks = [*more]
    if scale.holds(0):
        marks.insert(0, line_between(scale.at(0), 0, scale.at(0), HEIGHT, "zero"))
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
    return element("polygon", points=points_text(points), class_="arrow")


def axis_mark(scale: AxisScale, label: str, is_signed: bool = True) -> Markup:
    marks: list[Element] = []
    for value in scale.ticks(6):
        place = scale.at(value)
        marks.append(line_between(place, 0, place, 4, "axis"))
        marks.append(text_at(place, 16, tick_text(value, is_signed), "tick"))
    return picture(WIDTH, HEIGHT, label, *marks, style="mark")


def _bar_between(one: float, other: float, style: str) -> Element:
    return element(
        "rect", x=min(one, other), y=MIDDLE - 5, width=abs(other - one), height=10, class_=style
    )


def row_scale(low: float, high: float, is_log: bool = False) -> AxisScale:
    return AxisScale(low, high, EDGE, WIDTH - EDGE, is_log)


def results_bar(wins: int, draws: int, losses: int, width: float = 140.0) -> Markup:
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
    marks = [_bar_between(0, width, "none")]
    if isfinite(share):
        marks.append(_bar_between(0, width * min(max(share, 0.0), 1.0), "bar"))
    marks.append(line_between(width / 2, 2, width / 2, HEIGHT - 2, "zero"))
    return picture(width, HEIGHT, label, *marks, style="mark")


def part_bar(part: float, whole: float, label: str, width: float = 140.0) -> Markup:
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
    step = ceil(len(values) / most)
    return [*values[:-1:step], values[-1]]


MOST_PLACES = 300  # Points of a line: more than a screen could show apart


def llr_path(
    games: Games, test: Mapping[str, Any], most: int = MOST_PLACES
) -> list[tuple[int, float]]:
    """Pairs that counted so far, and the LLR, after each pair, or at about `most` of them.

    They come in the order of the schedule. `test` is the row of its match: see `formats/sprt.py`.
    Copies do not count, nor do pairs that come after one that is not complete.
    """
    counts, seen = [0] * 5, set[int]()
    side = {test["one"], *test["one"].split(TOGETHER)}
    found = [tuple(counts)]
    for row, other in _complete_pairs(games):
        pair = pair_identity(row, other)
        if sum(counts) == test["pairs"]:
            break  # what is played on after the decision is no part of the test
        if pair not in seen:
            seen.add(pair)
            points = pair_points(row.result, other.result)
            counts[points if row.result.first in side else 4 - points] += 1
            found.append(tuple(counts))
    hypotheses = test["elo0"], test["elo1"], test["model"]
    return [(sum(each), llr(each, *hypotheses)) for each in thinned(found, most)]


def _complete_pairs(games: Games) -> Iterator[tuple[GameRow, GameRow]]:
    """The pairs in the order of the schedule, up to the first that is not complete."""
    for _, pair in groupby(zip(games.pair_numbers, games.rows, strict=True), itemgetter(0)):
        rows = [row for _, row in pair]
        if len(rows) == 1:
            return
        yield rows[0], rows[1]


def llr_figure(games: Games, test: Mapping[Any, Any]) -> Figure:
    path = llr_path(games, test)
    lower, upper, llr = (float(test[each]) for each in ("lower", "upper", "llr"))
    frame, pairs = ChartFrame(), max(path[-1][0], 1)
    reach = around([lower, upper, *(llr for _, llr in path)], 0, 1)
    plot = Plot(frame, frame.across(0, pairs), frame.upwards(reach.low, reach.high))
    plot.axes("distinct pairs", "LLR")
    unit = unit_of(test["model"])
    plot.level(upper, f"H1: {test['elo1']:g} {unit}")
    plot.level(lower, f"H0: {test['elo0']:g} {unit}")
    plot.line(path)
    is_decided = test["decision"] in ("H0", "H1")
    decision = f"decided for {test['decision']}" if is_decided else "not decided"
    caption = (
        f"LLR of {test['one']} against {test['other']}: {llr:.2f} after {path[-1][0]:,} pairs, "
        f"bounds {lower:.2f} and {upper:.2f}; {decision}."
    )
    return Figure(plot.drawn(caption), caption)
