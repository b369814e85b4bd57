"""A test that is submitted in a real browser: watched, stopped, and gone on with."""

from __future__ import annotations

import time
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from support.browsers import SCHEMES, WIDTHS, complaints_of, node_module
from support.page_requests import Served, serving
from support.samples import player
from support.watched_run import NAP

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PATIENCE = 120_000
"""Milliseconds; the machine may be busy."""
CONFIG = """
    name: watched
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 3, seed: 1}}
    engines:
      - {name: one, engine: ./nap.py}
      - {name: two, engine: ./nap.py}
"""


def link_to_submit(page: Served) -> str:
    assert page.process.stdout
    return str(page.process.stdout.readline().split()[-1])


def fault(tab: Page) -> str:
    tab.locator("textarea").fill("game: chess\nengines: []\n")
    tab.get_by_role("button", name="Submit").click()
    said = tab.locator("#queue-said")
    until = time.monotonic() + 60
    while "unknown game" not in said.inner_text() and time.monotonic() < until:
        tab.wait_for_timeout(200)
    return said.inner_text()


def submit(tab: Page, engine: Path) -> None:
    tab.locator("textarea").fill(dedent(CONFIG))
    tab.locator("input[type=file]").set_input_files(engine)
    tab.get_by_role("button", name="Submit").click()
    tab.locator("#queue-said", has_text="watched is in the queue, at most 6 games").wait_for()


def await_state(tab: Page, state: str) -> None:
    tab.locator("tbody tr", has=tab.get_by_role("cell", name=state, exact=True)).wait_for()


def check_looks(tab: Page) -> None:
    """AssertionError if axe finds a fault, or the page is wider than the window."""
    axe = node_module("axe-core/axe.min.js").read_text(encoding="utf-8")
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert tab.evaluate("document.documentElement.scrollWidth") == width
            tab.evaluate(axe)
            assert tab.evaluate("axe.run().then(each => each.violations)") == []


def test_a_test_is_submitted_watched_stopped_and_gone_on_with(
    browser: Browser, tmp_path: Path
) -> None:
    engine = tmp_path / "nap.py"
    hurry = tmp_path / "hurry"
    engine.write_text(player(NAP.format(seconds=f"0 if os.path.exists({str(hurry)!r}) else 1")))
    options = ("--queue", "--cores", "1")
    with serving(tmp_path / "results", tmp_path / "state", *options) as page:
        context = browser.new_context(bypass_csp=True)
        context.set_default_timeout(PATIENCE)
        tab = context.new_page()
        complaints = complaints_of(tab)
        tab.goto(link_to_submit(page))
        tab.get_by_role("link", name="Queue").click()
        assert fault(tab).startswith("test.yaml:1:7: unknown game 'chess'")
        complaints.clear()  # the browser itself notes that a request was refused
        submit(tab, engine)
        await_state(tab, "playing")
        tab.get_by_role("link", name="watched").click()
        tab.locator(".live-board .stone").first.wait_for()
        tab.go_back()
        tab.get_by_role("button", name="Stop: watched").click()
        await_state(tab, "stopped")
        check_looks(tab)
        hurry.touch()
        tab.get_by_role("button", name="Go on: watched").click()
        await_state(tab, "done")
        assert "6" in tab.locator("tbody td.number").first.inner_text()
        assert not complaints
        context.close()
