"""Drawings as SVG, in a page or as a file: elements, whose texts are escaped when written."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite
from textwrap import wrap
from xml.etree.ElementTree import Element, fromstring, tostring

from markupsafe import Markup

from arena.report.page.assets import chart_style
from arena.report.table import Figure

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


def picture(
    width: float,
    height: float,
    label: str,
    *children: Element | None,
    style: str = "",
    is_elastic: bool = False,
) -> Markup:
    """A drawing that says in words what it shows; an elastic one can be made narrow alone."""
    root = element(
        "svg",
        element("title", label),
        *(child for child in children if child is not None),
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
    """A straight line."""
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
