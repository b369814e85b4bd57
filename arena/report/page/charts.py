"""Charts with two axes: lines, points and means with their errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from xml.etree.ElementTree import Element

from markupsafe import Markup

from arena.report.page.scales import AxisScale, tick_text
from arena.report.page.svg import LETTER, element, line_between, number_or_text, picture, text_at

Point = tuple[float, float]
WIDE_LETTER = LETTER * 15 / 11
"""The width of a letter in the size that wide charts have on a phone: see `static/charts.css`."""


@dataclass(frozen=True)
class ChartFrame:
    """The size of a chart, and the room that its axes take on each side."""

    width: float = 520.0
    height: float = 240.0
    left: float = 66.0
    right: float = 24.0
    top: float = 14.0
    bottom: float = 48.0

    def across(self, low: float, high: float, is_log: bool = False) -> AxisScale:
        """The scale from left to right."""
        return AxisScale(low, high, self.left, self.width - self.right, is_log)

    def upwards(self, low: float, high: float) -> AxisScale:
        """The scale from the bottom to the top."""
        return AxisScale(low, high, self.height - self.bottom, self.top)

    @property
    def letter(self) -> float:
        """The width of a letter of a mark: larger in wide charts, which phones draw smaller."""
        return LETTER if self.width < 400 else WIDE_LETTER


PANE = ChartFrame(width=320, height=200, left=52, right=12, top=10, bottom=40)
"""The size of charts that stand side by side."""


@dataclass
class Plot:
    """Holds the marks of a chart while it is drawn."""

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
        """Draw both axes, with their titles and round values."""
        frame, middle = self.frame, (self.y.start + self.y.end) / 2
        for value in self.y.ticks(4):
            place = self.y.at(value)
            style = "zero" if value == 0 else "grid"
            self.marks.append(line_between(self.x.start, place, self.x.end, place, style))
            self.marks.append(text_at(frame.left - 8, place + 4, y_text(value), "tick", "end"))
        taken = 0.0
        for value in sorted(self.x.ticks(6) if x_ticks is None else x_ticks):
            place, text = self.x.at(value), x_text(value)
            self.marks.append(line_between(place, self.y.start, place, self.y.start + 4, "axis"))
            half = len(text) * frame.letter / 2
            centre = min(max(place, half), frame.width - half)
            if centre - half >= taken:  # else it would touch the one before
                self.marks.append(text_at(centre, self.y.start + 18, text, "tick"))
                taken = centre + half + frame.letter
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
        text = " ".join(f"{number_or_text(x)},{number_or_text(y)}" for x, y in places)
        self.marks.append(element("polyline", points=text, class_=style))

    def ribbon(self, points: Iterable[tuple[float, float, float]], style: str = "ribbon") -> None:
        """Draw a band along x between low and high values; what is not known is left out."""
        known = [each for each in points if all(map(isfinite, each))]
        low = [(x, low) for x, low, _ in known]
        high = [(x, high) for x, _, high in reversed(known)]
        places = ((self.x.at(x), self.y.at(y)) for x, y in [*low, *high])
        text = " ".join(f"{number_or_text(x)},{number_or_text(y)}" for x, y in places)
        if known:
            self.marks.append(element("polygon", points=text, class_=style))

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
        """The chart."""
        return picture(self.frame.width, self.frame.height, label, *self.marks, style=style)


def reliability_plot(frame: ChartFrame) -> Plot:
    """A chart of results by expected results, 0 to 1, with the line on which both are equal."""
    plot = Plot(frame, frame.across(0, 1), frame.upwards(0, 1))
    plot.axes("expected", "result")
    plot.line([(0, 0), (1, 1)], "axis")
    return plot


def _finite(points: Iterable[Point]) -> list[Point]:
    return [(x, y) for x, y in points if isfinite(x) and isfinite(y)]
