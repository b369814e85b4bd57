"""Trials whose games were voided on a cluster: played anew, and told to the method anew."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pandas.testing import assert_frame_equal
from support.samples import Write
from support.studies import UNPROVED, mirrored, tuned

from arena.storage.database import Store
from arena.storage.machines import Machine, void, voided_games

pytestmark = pytest.mark.slow


def void_middle(file: Path) -> None:
    """Void some games in the middle, which a machine is said to have played."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE games SET machine = 'slow' WHERE rowid BETWEEN 20 AND 30")
        database.commit()
    with closing(Store(file)) as store:
        assert void(store, Machine("slow", 2, 4096, left_out="it is late")) == 11


def test_a_study_goes_on_as_if_the_voided_games_had_never_been(write: Write) -> None:
    study = tuned(write, UNPROVED)
    before = study.frames().trials
    void_middle(study.folder / "arena.db")
    again = tuned(write, UNPROVED)
    assert_frame_equal(again.frames().trials, before)
    with mirrored(again) as mirror:
        assert len(mirror.get_trials()) == len(before)
    with closing(Store(again.folder / "arena.db", read_only=True)) as store:
        assert len(voided_games(store)) == 11
        assert len(store.games()) == before["games"].sum()


def test_optunas_tables_lose_the_trials_that_were_voided(write: Write) -> None:
    study = tuned(write, UNPROVED)
    void_middle(study.folder / "arena.db")
    told = len(study.trials.told)
    stopped = tuned(write, UNPROVED, stop=lambda: True)
    assert len(stopped.trials.told) < told
    with mirrored(stopped) as mirror:
        assert len(mirror.get_trials()) == len(stopped.trials.told)
