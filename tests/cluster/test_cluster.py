"""Games on a cluster of real processes: the same as at home."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from samples import ROUND, Write

import arena

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


def digests(folder: Path) -> dict[tuple[str, ...], str]:
    """Each game's digest by its place in the tournament."""
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        rows = database.execute(
            "SELECT first, second, opening, round, digest FROM games"
        ).fetchall()
    found = {row[:4]: row[4] for row in rows}
    assert len(found) == len(rows)
    return found


def test_a_round_is_the_same_as_at_home(write: Write) -> None:
    file = write(ROUND)
    results = file.parent / "results"
    home = arena.run(file, workers=1, results=results / "home")
    away = arena.run(file, cluster="local:2", results=results / "away")
    assert digests(home.folder) == digests(away.folder) != {}
