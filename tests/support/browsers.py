"""A real browser for tests of pages, where there is one; and what npm has for them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS = (390, 1400)
SCHEMES = ("light", "dark")
LONGEST = 120_000
"""Milliseconds that a page from the disk may take on a machine that has much else to do."""

PUBLIC_NAME = "arena.example.org"  # the name of a machine on the network, for pages behind a proxy


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium as the system has it, which finds PUBLIC_NAME here; skips the test without it."""
    sync = pytest.importorskip("playwright.sync_api", reason="no playwright")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("no chromium")
    rule = f"--host-resolver-rules=MAP {PUBLIC_NAME} 127.0.0.1"
    with sync.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", rule])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, file: Path, width: int = 1400, **options: Any) -> Iterator[Page]:
    """A page from the disk, without a network; AssertionError if it complained about anything."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    context.set_offline(True)
    page = context.new_page()
    complaints = complaints_of(page)
    try:
        page.goto(file.as_uri(), timeout=LONGEST)
        yield page
        assert not complaints, complaints
    finally:
        context.close()


def complaints_of(page: Page) -> list[str]:
    complaints = list[str]()
    page.on("console", lambda each: complaints.append(each.text))
    page.on("pageerror", lambda each: complaints.append(str(each)))
    return complaints


def node_module(path: str) -> Path:
    folder = os.environ.get("ARENA_NODE_MODULES")
    if not folder:
        pytest.skip("ARENA_NODE_MODULES is not set")
    file = Path(folder) / path
    if not file.exists():
        pytest.skip(f"no {path} in ARENA_NODE_MODULES")
    return file


def faults_by_axe(page: Page, part: str = "", *, is_grave: bool = False) -> list[object]:
    """The rules that a page breaks, or a part of it, with the elements that do; skips the test
    where there is no axe."""
    page.evaluate(node_module("axe-core/axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(f"axe.run({repr(part) if part else ''}).then(each => each.violations)")
    return [
        (each["id"], [node["html"] for node in each["nodes"]])
        for each in found
        if not is_grave or each["impact"] in ("serious", "critical")
    ]
