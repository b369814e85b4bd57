"""Runs that the page shows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from support.page_requests import page_of
from support.samples import ROOT, ROUND

import arena


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
