"""A small storm over a queue; `tests/support/queue_storm.py` makes larger ones by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.queue_storm import blown


@pytest.mark.slow
def test_a_queue_outlives_the_deaths_of_its_processes(tmp_path: Path) -> None:
    deaths = blown(tmp_path, tests=2, deaths=2, seed=1, pause=1)
    assert deaths.total() == 2, "the tests take longer than the pauses"
