"""Runs that the page shows, and the browser that all tests of pages share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from asked import page_of
from browsers import chromium
from samples import ROOT, ROUND

import arena

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session", name="browser")
def fixture_browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session", name="results")
def fixture_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that is over and a study that is not."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "round.yaml").write_text(dedent(ROUND))
    arena.run(folder / "round.yaml", workers=0, results=folder)
    shutil.copytree(ROOT / "tests/data/half_done_study", folder / "half_done_study")
    return folder


@pytest.fixture(scope="session", name="app")
def fixture_app(results: Path) -> Iterator[Any]:
    with page_of(results) as app:
        yield app
