"""Pages as they are read: whether their elements are closed, and what they hold."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "link", "br", "hr", "input", "img", "col", "wbr"}
Attributes = Sequence[tuple[str, str | None]]


class Outline(HTMLParser):
    """Holds the outline of a page; AssertionError for elements that cross."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.inline: list[tuple[str, dict[str, str], str]] = []
        """Scripts and styles: tag, attributes, text."""
        self.headings: list[int] = []
        self.feed(page)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        self._see(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        self._see(tag, attrs)

    def _see(self, tag: str, attrs: Attributes) -> None:
        found = {name: value or "" for name, value in attrs}
        assert len(found) == len(attrs), attrs
        self.tags.append((tag, found))
        if tag in ("script", "style"):
            self.inline.append((tag, found, ""))
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"nothing open at the end of {tag}"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            tag, found, text = self.inline[-1]
            self.inline[-1] = tag, found, text + data
        else:
            self.texts.append(data)

    @property
    def ids(self) -> list[str]:
        return [found["id"] for _, found in self.tags if "id" in found]

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def data(self) -> dict[str, Any]:
        for _, found, text in self.inline:
            if found.get("id") == "data":
                return dict(json.loads(text))
            if found.get("id") == "packed":
                return dict(json.loads(zlib.decompress(b64decode(text), wbits=31)))
        raise LookupError("no games")
