"""Colours as a browser draws them."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator

Colour = tuple[int, ...]
SHADES: dict[str, Callable[[Colour], bool]] = {
    "black": lambda colour: max(colour) < 60,
    "white": lambda colour: min(colour) > 230,
}  # the colours that the stones of each player must have


def colour_at(place: Locator) -> Colour:
    box = place.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return pixel(place.page.screenshot(clip={"x": x, "y": y, "width": 1, "height": 1}))


def pixel(png: bytes) -> Colour:
    at, packed = 8, b""
    while at < len(png):
        length, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        packed += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    row = zlib.decompress(packed)
    return row[1], row[2], row[3]
