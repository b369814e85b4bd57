"""Small storms over a queue; `tests/support/queue_storm.py` makes larger ones by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.queue_storm import blown

TOO_SHORT = "the tests take longer than the pauses"


@pytest.mark.slow
def test_a_queue_outlives_the_deaths_of_its_processes(tmp_path: Path) -> None:
    deaths = blown(tmp_path, tests=2, deaths=2, seed=1, pause=1)
    assert deaths.total() == 2, TOO_SHORT


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.xdist_group("cluster")
def test_a_queue_on_a_cluster_outlives_the_deaths_of_its_workers(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    kinds = ("worker", "player")
    deaths = blown(tmp_path, tests=2, deaths=2, seed=1, pause=1, kinds=kinds, on_cluster=True)
    assert deaths == dict.fromkeys(kinds, 1), TOO_SHORT
