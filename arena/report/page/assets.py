"""The static files of pages, put into one inline script and one inline style, with their digests.

Every script in `static/` is a module as browsers have them, and stays one: no build step. Only a
page that is one file needs them together. What the assembler does not know it refuses.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"
ENTRY = "report.js"

IMPORT = re.compile(r'import \{ (\w+(?:, \w+)*) \} from "\./([\w-]+\.js)";')
EXPORT = re.compile(r"export ((?:async )?function|const|class) (\w+)")
DECLARED = re.compile(r"(?:async )?(?:function\*?|const|let|var|class) +(\w+)")
MODULE_WORD = re.compile(r"^\s*(import|export)\b|\bimport\s*[(.]")
COMMENT_LINE = re.compile(r"\s*(//|/?\*)")


class AssetError(ValueError):
    """A static file that cannot be put into a page; the message says which, and why."""


@dataclass(frozen=True)
class Inline:
    """A text between two tags, and its digest as a page's policy names it."""

    text: str

    @property
    def digest(self) -> str:
        """`sha256-...`, as in a Content-Security-Policy."""
        found = hashlib.sha256(self.text.encode()).digest()
        return f"sha256-{base64.b64encode(found).decode()}"


@cache
def page_script() -> Inline:
    """The script of a report, with all modules that it needs."""
    return Inline(assembled(sources(STATIC), ENTRY))


@cache
def page_style() -> Inline:
    """The style of all pages."""
    files = sorted(STATIC.glob("*.css"), key=lambda file: (file.name != "page.css", file.name))
    return Inline(checked_text("style", "".join(read_lines(file) for file in files)))


@cache
def chart_style() -> str:
    """The style of a chart in a file of its own: light colours, and no variable.

    Only browsers know variables; other programs that show drawings do not.
    """
    lines = read_lines(STATIC / "page.css").splitlines()
    colours = dict(re.findall(r"(--[\w-]+): (.+);", "\n".join(lines[: lines.index("}")])))
    rules = "\n".join(line for line in lines if line.startswith("svg "))
    return re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], rules)


def sources(folder: Path) -> dict[str, str]:
    """The scripts of a folder by their names."""
    return {file.name: read_lines(file) for file in sorted(folder.glob("*.js"))}


def read_lines(file: Path) -> str:
    """A file's text with the line ends that browsers take digests of."""
    return file.read_text(encoding="utf-8").replace("\r\n", "\n").replace("\r", "\n")


def assembled(files: Mapping[str, str], entry: str) -> str:
    """The modules that the entry needs, each after those that it imports, as one module.

    AssetError for an import or export of any other form than the ones above, for a name that is
    not exported or that two modules give, and for imports in a circle.
    """
    graph: dict[str, set[str]] = {}
    wanted = [entry]
    while wanted:
        name = wanted.pop()
        if name not in graph:
            graph[name] = {module for module, _ in module_imports(files, name)}
            wanted += graph[name]
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise AssetError(f"imports in a circle: {' - '.join(error.args[1])}") from None
    check_names(files, order)
    parts = [f"// {name}\n{stripped(name, files[name])}" for name in order]
    return checked_text("script", "\n" + "\n".join(parts))


def module_imports(files: Mapping[str, str], name: str) -> Iterator[tuple[str, list[str]]]:
    """The modules that one imports, each with the names that it takes."""
    if name not in files:
        raise AssetError(f"there is no {name}")
    for line in code_lines(files[name]):
        if found := IMPORT.fullmatch(line):
            yield found[2], found[1].split(", ")
        elif MODULE_WORD.search(line) and not EXPORT.match(line):
            raise AssetError(f"{name}: not of a form that can be assembled: {line.strip()}")


def code_lines(text: str) -> list[str]:
    """The lines that are no comment: types in comments import, too."""
    return [line for line in text.splitlines() if not COMMENT_LINE.match(line)]


def check_names(files: Mapping[str, str], order: list[str]) -> None:
    """AssetError unless each import is exported there, and each name is given once."""
    exported = {name: exports_of(files[name]) for name in order}
    homes: dict[str, str] = {}
    for name in order:
        for module, taken in module_imports(files, name):
            if missing := sorted(set(taken) - exported[module]):
                raise AssetError(f"{name}: {module} does not export {', '.join(missing)}")
        for each in declared(files[name]):
            if each in homes:
                raise AssetError(f"{name}: {each} is a name in {homes[each]} already")
            homes[each] = name


def exports_of(text: str) -> set[str]:
    """The names that a module exports."""
    return {found[2] for line in code_lines(text) if (found := EXPORT.match(line))}


def declared(text: str) -> list[str]:
    """The names that a module gives at its top level, where nothing is indented."""
    lines = (line.removeprefix("export ") for line in code_lines(text))
    return [found[1] for line in lines if (found := DECLARED.match(line))]


def stripped(name: str, text: str) -> str:
    """A module without its imports, and without the word `export`."""
    lines = [line for line in text.splitlines() if not IMPORT.fullmatch(line)]
    kept = [line if COMMENT_LINE.match(line) else line.removeprefix("export ") for line in lines]
    return "\n".join(kept).strip("\n") + "\n"


def checked_text(tag: str, text: str) -> str:
    """The text, unless it would end its own element."""
    if re.search(rf"</{tag}|<!--", text, re.IGNORECASE):
        raise AssetError(f"a {tag} may not hold its own end, nor the start of a comment")
    return text
