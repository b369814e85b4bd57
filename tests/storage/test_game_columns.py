"""Games in a database as columns, and what was played in them."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from support.samples import Write

import arena
from arena import ConfigError
from arena.match.columns import games_of
from arena.match.packed import PACKED, packed
from arena.report.moves.score_scales import moves_frame
from arena.storage import game_columns


@pytest.fixture
def run(write: Write) -> arena.Run:
    """Twelve games."""
    return arena.run(write(), workers=0, results=write().parent)


def test_games_of_any_order_are_read_in_it(run: arena.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    records = list(run.kept().records())
    monkeypatch.setattr(game_columns, "BATCH", 5)
    for places in ([3, 1, 2, 11, 0], [11, 0], list(range(12)), []):
        part = run.kept().part(np.array(places, np.int64))
        assert list(part.records()) == [records[i] for i in places]
        found = dict[int, list[bytes]]()
        for where, columns in part.packed(PACKED):
            assert sorted(where) == list(where)
            found |= dict(zip(where.tolist(), map(list, zip(*columns, strict=True)), strict=True))
        assert [found[i] for i in range(len(places))] == [
            [packed(name, getattr(records[i], name)) for name in PACKED] for i in places
        ]


def test_columns_of_a_database_are_those_of_its_games(run: arena.Run) -> None:
    kept = run.kept()
    expected = games_of(list(kept.records()))
    for field in ("keys", "identities", "points", "scored", "plies", "is_opened"):
        np.testing.assert_array_equal(getattr(kept, field), getattr(expected, field))


@pytest.mark.parametrize("change", ["DELETE FROM games", "UPDATE games SET digest = 'other'"])
def test_games_that_were_thrown_away_since_are_told(run: arena.Run, change: str) -> None:
    report = run.report()
    with closing(sqlite3.connect(run.folder / "arena.db")) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(ConfigError, match="were thrown away, or changed, while they were read"):
        _ = report.games
    with pytest.raises(ConfigError, match="were thrown away, or changed, while they were read"):
        report.moves()
    assert report.count == 12


def test_moves_are_in_the_order_of_the_schedule_however_they_are_read(
    run: arena.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, games = run.report(), run.kept()
    names = list(report.standings["name"])
    mixed = {"round": games.part(np.arange(12)[::-1], np.arange(1, 13))}
    whole = moves_frame(names, mixed, report.scales)
    monkeypatch.setattr("arena.storage.game_columns.BATCH", 5)
    assert_frame_equal(moves_frame(names, mixed, report.scales), whole)
    assert whole["game"].is_monotonic_increasing
