"""A worker: its jobs and its end, whose answer is due, and games that are lost with it."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from support.samples import Write, player

from arena.config.settings import Player
from arena.engine import Limit, Remark
from arena.game import Position
from arena.match.record import Job
from arena.match.terms import Clock, Terms
from arena.match.verdicts import CUT_OFF
from arena.plugins.load import Named, checked
from arena.processes.child import Child, ValuePipe
from arena.workers import pool
from arena.workers.heartbeat import MOST_CHOICES, Heartbeat
from arena.workers.logs import LogFile
from arena.workers.pool import Pool
from arena.workers.referee import Referee
from arena.workers.worker import Reaper, Worker


def idle(pipe: ValuePipe) -> None:
    time.sleep(98)


def test_the_reaper_ends_what_it_was_not_told_to_forget() -> None:
    kept, forgotten = Child.executed(idle), Child.executed(idle)
    try:
        with closing(Reaper()) as reaper:
            reaper.add(kept.pid)
            reaper.add(forgotten.pid)
            reaper.remove(forgotten.pid)
        kept.await_end(9)
        assert kept.code == -9
        assert forgotten.code is None
    finally:
        kept.end()
        forgotten.end()


def test_an_overdue_worker_whose_answer_has_come_is_not_killed() -> None:
    heartbeat = SimpleNamespace(overdue=lambda: 9.0, due=(1, 5))
    worker = SimpleNamespace(job=object(), heartbeat=heartbeat, has_result=lambda: True)
    assert Pool._stop_if_overdue(SimpleNamespace(), worker) is None  # type: ignore[arg-type]


@pytest.fixture
def heartbeat(monkeypatch: pytest.MonkeyPatch) -> Iterator[Heartbeat]:
    """One that this process writes to, at a moment that stands still."""
    monkeypatch.setattr(time, "monotonic_ns", lambda: 10**9)
    heartbeat = Heartbeat(hang=60)
    with Path(os.devnull).open() as pipe:
        heartbeat.become_writer(pipe.fileno())
        yield heartbeat


def test_nobody_is_due_before_anybody_is_asked_nor_after_a_reset(heartbeat: Heartbeat) -> None:
    assert (heartbeat.seat, heartbeat.overdue()) == (0, None)
    heartbeat.prepares(2)
    assert (heartbeat.seat, heartbeat.overdue()) == (2, -60)
    heartbeat.reset()
    assert (heartbeat.seat, heartbeat.overdue()) == (0, None)


@pytest.mark.parametrize(
    ("limit", "overdue", "margin"),
    [(Limit(seconds=2), -2.5, 0.5), (Limit(time_left=9), -9.5, 0.5), (Limit(depth=1), -60, None)],
)
def test_an_answer_is_due_within_its_budget_or_else_before_it_counts_as_a_hang(
    heartbeat: Heartbeat, limit: Limit, overdue: float, margin: float | None
) -> None:
    heartbeat.asks(Position(b"", 1), Clock(limit, 0.5), 1)
    assert (heartbeat.seat, heartbeat.overdue(), heartbeat.margin) == (1, overdue, margin)


def test_an_engine_that_is_built_has_no_limit_of_time(heartbeat: Heartbeat) -> None:
    heartbeat.asks(Position(b"", 1), Clock(Limit(seconds=2)), 1)
    heartbeat.prepares(1)
    assert (heartbeat.overdue(), heartbeat.margin) == (-60, None)


def test_the_choices_of_a_game_are_told_with_all_numbers(heartbeat: Heartbeat) -> None:
    most = 2**63 - 1
    said = [Remark(2, 0.25, 900, 4, None), Remark(1, 1e6, most, most, -most)]
    for move, remark in zip((7, most), said, strict=True):
        heartbeat.played(Position(b"", 1, (move,)), remark)
    assert heartbeat.choices() == [(7, said[0]), (most, said[1])]
    heartbeat.reset()
    assert heartbeat.choices() == []


def test_of_a_very_long_game_the_first_choices_are_noted(heartbeat: Heartbeat) -> None:
    for move in range(MOST_CHOICES + 5):
        heartbeat.played(Position(b"", 1, (move,)), Remark(1))
    assert [move for move, _ in heartbeat.choices()] == list(range(MOST_CHOICES))


@pytest.mark.parametrize(
    "goes_on",
    [
        lambda heartbeat: heartbeat.asks(Position(b"", 2, (7,)), Clock(Limit()), 2),
        lambda heartbeat: heartbeat.prepares(2),
        lambda heartbeat: heartbeat.growth(),
    ],
    ids=["asked", "prepared", "over"],
)
def test_a_closed_pipe_ends_the_process_before_anybody_else_is_to_act(
    heartbeat: Heartbeat, goes_on: Callable[[Heartbeat], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat.asks(Position(b"", 1), Clock(Limit()), 1)
    with Path(os.devnull).open() as pipe:
        heartbeat.become_writer(pipe.fileno())
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit, match=str(CUT_OFF)):
        goes_on(heartbeat)
    assert (heartbeat.seat, heartbeat.moves(opening=0)) == (1, [])


def test_growth_is_told_once(heartbeat: Heartbeat) -> None:
    heartbeat.prepares(1)
    assert heartbeat.growth()[0] > 0
    assert heartbeat.growth()[0] == 0


def test_growth_is_of_whoever_took_time(
    heartbeat: Heartbeat, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = iter((1000, 1500, 1600))
    monkeypatch.setattr(resource, "getrusage", lambda _: Mock(ru_maxrss=next(sizes)))
    for moment, seat in ((1.0, 1), (2.0, 2), (2.00003, 1), (2.00006, 2)):
        monkeypatch.setattr(time, "monotonic_ns", lambda moment=moment: int(moment * 1e9))
        heartbeat.prepares(seat)
    assert heartbeat.growth() == [1000, 500, 100], "nobody looks after short turns"


KILLED_TWICE = player("""
    with open(f"{__file__}.turns", "a+") as turns:
        turns.write(f"{time.monotonic()}\\n")
        turns.seek(0)
        if len(list(turns)) <= 2:
            os.kill(os.getpid(), signal.SIGKILL)
    return Choice(self.game.moves(p)[0])
""")


@pytest.mark.slow
def test_a_game_that_one_more_kill_would_end_waits_for_the_kills_of_other_players_only(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "QUIET", 2.0)
    files = [write(KILLED_TWICE, f"{name}.py") for name in ("one", "two")]
    players = [Player(each.stem, checked("engine", str(each))) for each in files]
    referee = Referee(Terms(game=Named("tictactoe")), players)
    job = Job("one", "two", "", 1, 1)
    (record,) = pool.Local(1).play([job], referee, LogFile(tmp_path / "log"))
    assert record.reason == "line"
    turns = [Path(f"{each}.turns").read_text().split() for each in files]
    one, two = [[float(moment) for moment in each] for each in turns]
    # Both are killed twice. From then on it is one whom another kill would cost the game, and two
    # has been killed since; at last both are suspects, and nobody else is killed.
    again = [later - earlier for earlier, later in pairwise([*one[:3], two[1], two[2]])]
    assert again[2] > 2.0
    assert max(again[0], again[1], again[3]) < 2.0


def test_a_worker_that_still_writes_its_log_is_waited_for() -> None:
    waits: list[float] = []
    child = SimpleNamespace(
        code=None,
        pid=0,
        pipe=SimpleNamespace(close=lambda: None),
        await_end=lambda: waits.append(1.0),
        end=lambda: 0,
    )
    flowing = iter([True, True, False])
    worker = SimpleNamespace(
        _child=child,
        _log=SimpleNamespace(is_flowing=lambda: next(flowing), close=lambda: None),
        _reaper=SimpleNamespace(remove=lambda leader: None),
    )
    assert Worker.reap(worker) == 0  # type: ignore[arg-type]
    assert len(waits) == 3
