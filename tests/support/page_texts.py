"""A page as text: what a reader sees, line by line, and the data that its scripts read."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from html.parser import HTMLParser

BLOCKS = {"h1", "h2", "h3", "h4", "p", "li", "tr", "caption", "figure", "figcaption", "summary"}
BLOCKS |= {"pre", "section", "div", "table", "details", "option", "dt", "dd", "title"}
"""Elements that begin a line of their own."""
SHOWN = ("href", "data-value", "title", "aria-label")
"""Attributes that a reader or a script goes by."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines = [""]
        self.data: dict[str, str] = {}
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag in ("script", "style"):
            self._inside = found.get("id", tag)
        if tag in BLOCKS:
            self.lines.append("")
        if tag in ("td", "th"):
            self.lines[-1] += " | "
        shown = [f"{name}={found[name]}" for name in SHOWN if found.get(name)]
        if shown and tag not in ("script", "style", "link", "meta"):
            self.lines[-1] += f" [{' '.join(shown)}] "

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.data[self._inside] = self.data.get(self._inside, "") + data
        else:
            head, *others = data.split("\n")
            self.lines[-1] += head
            self.lines += others


def page_text(page: str) -> str:
    """The words of a page with their links and sort values, a line for each row or paragraph."""
    reader = _Reader()
    reader.feed(page)
    lines = (" ".join(line.split()) for line in reader.lines)
    return "\n".join(line for line in lines if line)


def page_data(page: str) -> str:
    """The JSON within a page, a line for each value; packed data are unpacked."""
    reader = _Reader()
    reader.feed(page)
    data = reader.data
    if "packed" in data:
        data["data"] = zlib.decompress(b64decode(data.pop("packed")), wbits=31).decode()
    kept = {name: json.loads(text) for name, text in data.items() if name.endswith("data")}
    return "\n".join(f"{name}{line}" for name, value in kept.items() for line in _leaves(value))


def _leaves(value: object) -> list[str]:
    """A line for each value, with its path; lists of plain values are one line."""
    if isinstance(value, dict):
        pairs = [(f".{key}", each) for key, each in value.items()]
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        pairs = [(f"[{number}]", each) for number, each in enumerate(value)]
    else:
        return [f" = {json.dumps(value, ensure_ascii=False)}"]
    return [f"{key}{line}" for key, each in pairs for line in _leaves(each)]
