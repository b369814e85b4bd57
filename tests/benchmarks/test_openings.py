"""`python -m benchmarks openings`: openings made and checked, by a file that comes along."""

from __future__ import annotations

import pytest
from support.samples import Write

from arena.books import read_book
from arena.config.shipped import CONFIGS
from benchmarks.measures import openings


@pytest.mark.slow
def test_openings_are_timed_as_the_files_that_come_along_make_them(write: Write) -> None:
    text = (CONFIGS / "book_freestyle15.yaml").read_text().replace("nodes: 10000", "nodes: 400")
    row = openings.made(read_book(write(text, "book.yaml")), draws=4)
    assert row["draws"] == 4
    assert 0 < row["openings"] <= 4
    assert row["made_an_hour"] == pytest.approx(3600 * row["openings"] / row["seconds"])
