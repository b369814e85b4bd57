"""The site: built without a warning, whole, and readable by all."""

from __future__ import annotations

import re
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from support.browsers import WIDTHS, chromium, node_module, opened
from support.processes import finished
from support.samples import ROOT
from support.sweep import sampled

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
FIRST = "index.html"
SHOWN = (FIRST, "api.html", "commands.html", "numbers.html", "tutorial/engine.html", "gallery.html")
"""Pages to be looked at in a browser: one of each kind."""
PARTS = 6  # Tests into which the pages are dealt, so that none takes minutes
LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=\"([^\"]*)\"")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once with warnings as errors."""
    for package in ("sphinx", "furo", "myst_parser", "sphinx_click"):
        pytest.importorskip(package, reason=f"no {package}: the extra docs")
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", folder / "trees"]
    done = finished([*build, ROOT / "docs", folder / "html"], text=True)
    assert not done.returncode, done.stderr
    return folder / "html"


def pages(site: Path) -> list[Path]:
    found = sorted(site.glob("**/*.html"))
    assert len(found) > 30
    return found


def ids(page: Path) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', page.read_text(encoding="utf-8"))


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in pages(site):
        for address in LOADED.findall(page.read_text(encoding="utf-8")):
            assert "//" not in address, (page, address)
    for file in site.glob("_static/**/*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//|@import", file.read_text()), file


def test_links_within_lead_to_a_page_and_a_place(site: Path) -> None:
    places = {page: {*ids(page)} for page in pages(site)}
    for page in places:
        for link in re.findall(r'<a\b[^>]*?\bhref="([^"]*)"', page.read_text(encoding="utf-8")):
            if ":" in link or not link:
                continue
            path, _, place = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), (page, link)
            assert not place or target not in places or place in places[target], (page, link)


def test_pages_are_strict_html(site: Path) -> None:
    html5lib = pytest.importorskip("html5lib", reason="no html5lib: the extra docs")
    for page in pages(site):
        html5lib.HTMLParser(strict=True).parse(page.read_text(encoding="utf-8"))
        assert len(ids(page)) == len({*ids(page)}), page


def test_every_page_for_readers_is_there_and_in_the_navigation(site: Path) -> None:
    first = (site / FIRST).read_text(encoding="utf-8")
    for page in ROOT.glob("docs/**/*.md"):
        shown = page.relative_to(ROOT / "docs").with_suffix(".html")
        assert (site / shown).exists()
        is_named = f'href="{shown}"' in first or shown.name == FIRST
        assert is_named or page.parent.name == "tutorial", shown  # its own list names its steps


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(PARTS))
def test_pages_hold_nothing_against_readers(site: Path, part: int) -> None:
    """In all parts together, all pages; one page of each kind is the first of a part."""
    axe = node_module("axe-core/axe.min.js")
    ordered = sorted(pages(site), key=lambda page: str(page.relative_to(site)) not in SHOWN)
    with chromium() as browser:
        for file in sampled(ordered[part::PARTS]):
            with opened(browser, file) as page:
                page.add_script_tag(path=axe)
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 900})
                    page.emulate_media(color_scheme="light")
                    assert not violations(page, "{preload: false}"), (file, width)
                    page.emulate_media(color_scheme="dark")  # where colours alone are others
                    only_colours = "{preload: false, runOnly: ['color-contrast']}"
                    assert not violations(page, only_colours), (file, width)


def test_the_search_finds_a_page_by_a_word_in_it(site: Path) -> None:
    """Served, since a browser lets no script read pages from the disk."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, chromium() as browser:
        Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/search.html?q=jackknife")
        found = page.locator("#search-results li a")
        found.first.wait_for()
        assert "Books of openings compared" in found.all_inner_texts()
        server.shutdown()


def violations(page: Page, options: str) -> list[tuple[str, str]]:
    """The rules that a page breaks, each with the first element that does."""
    found = page.evaluate(f"axe.run({options})")["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found]


def test_pages_fit_phones_and_are_read_without_scripts(site: Path) -> None:
    with chromium() as browser:
        for name in SHOWN:
            with opened(browser, site / name, WIDTHS[0], java_script_enabled=False) as page:
                assert page.locator("h1").is_visible()
                assert page.locator("article p").first.is_visible()
            for width in WIDTHS:
                with opened(browser, site / name, width) as page:
                    assert page.evaluate("document.documentElement.scrollWidth") <= width
