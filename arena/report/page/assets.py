"""The static files of pages, put into one inline script and one inline style, with their digests.

Every script in `static/` is a module as browsers have them, and stays one: no build step. Only a
page that is one file needs them together. The tests hold the scripts to the forms of imports and
exports that are known here.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"
ENTRY = "report.js"

IMPORT = re.compile(r'import \{ (\w+(?:, \w+)*) \} from "\./([\w-]+\.js)";')
COMMENT_LINE = re.compile(r"\s*(//|/?\*)")


@dataclass(frozen=True)
class Inline:
    text: str

    @property
    def digest(self) -> str:
        """`sha256-...`, as in a Content-Security-Policy."""
        found = hashlib.sha256(self.text.encode()).digest()
        return f"sha256-{base64.b64encode(found).decode()}"


@cache
def page_script() -> Inline:
    return Inline(assembled(sources(STATIC), ENTRY))


@cache
def page_style() -> Inline:
    """The style of all pages."""
    files = sorted(STATIC.glob("*.css"), key=lambda file: (file.name != "page.css", file.name))
    return Inline("".join(read_lines(file) for file in files))


@cache
def chart_style() -> str:
    """The style of a chart in a file of its own: light colours, and no variable.

    Only browsers know variables; other programs that show drawings do not.
    """
    light, _, _ = read_lines(STATIC / "page.css").partition("}")
    colours = dict(re.findall(r"(--[\w-]+): (.+);", light))
    lines = read_lines(STATIC / "charts.css").splitlines()
    rules = "\n".join(line for line in lines if line.startswith("svg "))
    return re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], rules)


def sources(folder: Path) -> dict[str, str]:
    return {file.name: read_lines(file) for file in sorted(folder.glob("*.js"))}


def read_lines(file: Path) -> str:
    """A file's text with the line ends that browsers take digests of."""
    return file.read_text(encoding="utf-8").replace("\r\n", "\n").replace("\r", "\n")


def assembled(files: Mapping[str, str], entry: str) -> str:
    """The entry and all modules that it imports, joined to one module in order of dependence."""
    graph: dict[str, set[str]] = {}
    wanted = [entry]
    while wanted:
        name = wanted.pop()
        if name not in graph:
            lines = files[name].splitlines()
            graph[name] = {found[2] for line in lines if (found := IMPORT.fullmatch(line))}
            wanted += graph[name]
    order = TopologicalSorter(graph).static_order()
    return "\n" + "\n".join(f"// {name}\n{_stripped(files[name])}" for name in order)


def _stripped(text: str) -> str:
    lines = [line for line in text.splitlines() if not IMPORT.fullmatch(line)]
    kept = [line if COMMENT_LINE.match(line) else line.removeprefix("export ") for line in lines]
    return "\n".join(kept).strip("\n") + "\n"
