"""Drawings as SVG inside a page: elements, whose texts are escaped as they are written."""

from __future__ import annotations

from math import isfinite
from xml.etree.ElementTree import Element, tostring

from markupsafe import Markup


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
    width: float, height: float, label: str, *children: Element | None, style: str = ""
) -> Markup:
    """A drawing that says in words what it shows."""
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
    )
    # The text of elements is escaped by the serializer.
    return Markup(tostring(root, encoding="unicode"))


def text_at(x: float, y: float, text: str, style: str = "", anchor: str = "middle") -> Element:
    """A text at a point, which is its middle, its `start` or its `end`."""
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=style or None)


def line_between(x1: float, y1: float, x2: float, y2: float, style: str) -> Element:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style)
