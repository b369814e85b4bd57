"""The pages for readers: their links lead somewhere, and the files that they name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from screenshots import PICTURES
from support.outside_links import PAGES, fault, outside_links
from support.samples import ROOT

STARTER = ROOT / "configs/starter"
"""The files that `arena init` writes."""
FOLDERS = r"(?:arena|benchmarks|configs|docs|engines|tests)/"


def is_there(name: str) -> bool:
    """True for a file of the repository, and of a folder that `arena init` has filled."""
    return (ROOT / name).exists() or (STARTER / name).exists()


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as links have them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]*)\)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_is_named_is_there(page: Path) -> None:
    for name in re.findall(rf"`({FOLDERS}[\w./]*)`", page.read_text(encoding="utf-8")):
        assert is_there(name) or "/NAME." in name, name  # any name: a file to be added


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_command_is_given_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"(?:arena|pytest)[^`\n]* ((?:configs|tests)/[\w./]+)", text):
        is_shown = f"# {name}\n" in text  # the page has it, to be saved
        assert is_there(name) or is_shown or "bold_threes" in name, name


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in ROOT.glob("docs/*.md"):
        assert f"(docs/{page.name})" in readme


def test_links_to_other_sites_are_sound() -> None:
    links = outside_links()
    assert "https://github.com/dhbloo/rapfi" in links
    assert not {address: fault(address) for address in links if fault(address)}


@pytest.mark.parametrize(
    "address", ["http://gomocup.org", "https://gomocup", "https://me@gomocup.org", "ftp://a.org"]
)
def test_an_unsound_link_is_found(address: str) -> None:
    assert fault(address)


def test_the_first_page_leads_to_the_answers_that_strangers_ask_for() -> None:
    first = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    questions = re.findall(r"^\| ([^|]*\?) \|.*?\]\(([^)]*)\)", first, re.MULTILINE)
    asked = dict(questions)
    for words, link in {
        "Why this tool": "why.md",
        "my brain against Rapfi": "tutorial/rapfi.md",
        "my change better": "tutorial/test.md",
        "tune two weights": "tutorial/study.md",
        '"95 %" mean': "numbers.md#what-counts-as-evidence",
    }.items():
        assert [asked[each] for each in asked if words in each] == [link]


def test_pictures_of_pages_are_small_and_made_by_the_script() -> None:
    gallery = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+)\.png\)", gallery)) == {*PICTURES}
    for picture in ROOT.glob("docs/*.png"):
        assert picture.stem in PICTURES
        assert picture.stat().st_size < 60_000
