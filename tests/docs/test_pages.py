"""The pages for readers: their links lead somewhere, and the files that they name are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support.samples import ROOT

PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("changes/*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("research/**/*.md"),
    *ROOT.glob("results/*.md"),
]
STARTER = ROOT / "configs/starter"
"""The files that `arena init` writes."""
FOLDERS = r"(?:arena|configs|docs|engines|research|tests)/"


def found(pattern: str) -> Iterator[tuple[Path, str]]:
    """Everything on all pages that a pattern finds, with the page."""
    for page in PAGES:
        for match in re.findall(pattern, page.read_text(encoding="utf-8")):
            yield page, match


def is_there(name: str, page: Path) -> bool:
    """True for a file of the repository, of the folder that `arena init` fills, or, on a page of
    `research/`, of that folder."""
    folders = ROOT, STARTER, *(each for each in page.parents if each == ROOT / "research")
    return any((folder / name).exists() for folder in folders)


@cache
def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as links have them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_somewhere(page: Path, link: str) -> bool:
    """True if the file of a link is there, and its heading too."""
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.exists() and (not anchor or anchor in anchors(target))


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    links = [(page, link) for page, link in found(r"\]\(([^)\s]*)\)") if "://" not in link]
    assert len(links) > 50
    assert not [(page.name, link) for page, link in links if not leads_somewhere(page, link)]


def test_every_file_that_is_named_is_there() -> None:
    named = [*found(rf"`({FOLDERS}[\w./]*)`")]
    named = [(page, name) for page, name in named if "NAME." not in name]  # a file to be added
    assert len(named) > 50
    assert not [(page.name, name) for page, name in named if not is_there(name, page)]


def test_every_file_that_a_command_is_given_is_there() -> None:
    typed = [*found(r"(?:arena|pytest)[^`\n]* ((?:configs|research|tests)/[\w./]+)")]
    typed = [(page, name) for page, name in typed if not re.search("bold_threes|NAME\\.", name)]
    assert len(typed) > 10
    for page, name in typed:
        is_shown = f"# {name}\n" in page.read_text(encoding="utf-8")  # the page has it, to be saved
        assert is_there(name, page) or is_shown, (page.name, name)
