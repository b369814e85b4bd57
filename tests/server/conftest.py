"""Runs that the page shows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from support.page_requests import page_of
from support.samples import ROUND

import arena

HALF_DONE = """
game: {gomoku: {size: 7}}
engine: {engine: five_tuple, depth: 1, other_three: 10}
vary: {}
parameters:
  three: {low: 10, high: 10000}
  other_three: {low: 10, high: 100000}
  radius: {low: 1, high: 3}
method: spsa
budget: 96
games: 16
openings: {random: {plies: 3, seed: 5}}
limit: {nodes: 3000}
seed: 5
max_plies: 40
verification: {elo0: -100, elo1: 0, pairs: 10}
"""
"""A study that is stopped after 41 of its 96 games."""


@pytest.fixture(scope="session", name="results")
def fixture_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that is over and a study that is not."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "round.yaml").write_text(dedent(ROUND))
    arena.run(folder / "round.yaml", workers=0, results=folder)
    (folder / "half_done_study.yaml").write_text(HALF_DONE)
    looks = count()
    study = folder / "half_done_study.yaml"
    arena.tune(study, workers=0, results=folder, stop=lambda: next(looks) >= 41)
    return folder


@pytest.fixture(scope="session", name="app")
def fixture_app(results: Path) -> Iterator[Any]:
    with page_of(results) as app:
        yield app
