"""When a run was played, and on how busy a machine."""

from __future__ import annotations

import os
import time

import pytest

from arena.engine import Limit
from arena.storage import history
from arena.storage.history import PERIOD, Recorder, Session, load_of, overload_notes

TIMED = Limit(seconds=0.1)


@pytest.fixture
def kept() -> list[Session]:
    return []


def busy(monkeypatch: pytest.MonkeyPatch, load: float, at: float = 0.0, cores: int = 4) -> None:
    """The machine has this load, so many seconds after the start."""
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0 + at)
    monkeypatch.setattr(time, "time", lambda: 5000.0 + at)
    monkeypatch.setattr(history, "cores", lambda: cores)


def test_a_session_has_the_least_and_the_most_load(
    monkeypatch: pytest.MonkeyPatch, kept: list[Session]
) -> None:
    busy(monkeypatch, 2.0)
    recorder = Recorder(3, kept.append)
    for number, load in enumerate((1.0, 3.0, 1.5)):
        busy(monkeypatch, load, at=number * PERIOD)
        recorder.look()
    assert kept[-1] == Session(5000.0, 5000.0 + 2 * PERIOD, 3, 4, 1.0, 3.0)


def test_it_is_kept_from_time_to_time_and_at_its_end(
    monkeypatch: pytest.MonkeyPatch, kept: list[Session]
) -> None:
    busy(monkeypatch, 1.0)
    recorder = Recorder(1, kept.append)
    for at in (1.0, 2.0, PERIOD):
        busy(monkeypatch, 1.0, at=at)
        recorder.look()
    recorder.close()
    assert [session.ended - 5000 for session in kept] == [1.0, PERIOD]


def test_one_without_a_game_is_none(kept: list[Session]) -> None:
    Recorder(1, kept.append).close()
    assert not kept


def test_a_load_is_one_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = [Session(0, 1, 1, cores, 0.0, load) for cores, load in ((2, 3.0), (8, 4.0))]
    assert load_of(sessions) == 1.5
    busy(monkeypatch, 8.5, cores=4)
    assert [*overload_notes([TIMED])]
    busy(monkeypatch, 8.5, cores=8)
    assert not [*overload_notes([TIMED])]
    busy(monkeypatch, 8.5, cores=1)
    assert not [*overload_notes([Limit(depth=3)])]
