"""A worker by itself: a job to it, a record from it, and its end."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

from support.samples import ROUND, Write

from arena.config.reader import read_config
from arena.match.record import Job
from arena.processes.child import Child, ValuePipe, ready_ends
from arena.workers.logs import LogFile
from arena.workers.pool import Pool
from arena.workers.referee import Referee
from arena.workers.worker import Reaper, Worker


def test_a_record_is_seen_before_it_is_taken_and_the_worker_is_free_then(
    write: Write, tmp_path: Path
) -> None:
    config = read_config(write(ROUND))
    job = Job("one", "two", "", 0, 1)
    with (
        closing(LogFile(tmp_path / "log")) as log,
        closing(Reaper()) as reaper,
        closing(Referee(config.terms, config.players)) as referee,
    ):
        worker = Worker(1, referee, log, reaper)
        assert not worker.has_result()
        worker.start(job)
        assert ready_ends(worker.ends, 60)
        assert worker.has_result()
        record = worker.result()
        assert record
        assert (record.first, record.second) == ("one", "two")
        assert worker.job is None
        assert not worker.has_result()
        assert worker.reap() == 0


def idle(pipe: ValuePipe) -> None:
    """Do nothing for long."""
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
