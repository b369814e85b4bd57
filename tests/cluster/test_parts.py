"""Parts of the cluster by themselves: addresses, tasks, lines for people."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cluster.dispatcher import MOST_PAIRS, BatchSize, Pairs, batches_of
from arena.cluster.link import Address, address_of, unsafe_text
from arena.cluster.places import site_of
from arena.errors import ConfigError
from arena.match.record import Job
from arena.processes.child import Child, ValuePipe
from arena.workers.pool import Local


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("tcp://10.0.0.5:8786", "tcp://10.0.0.5:8786"),
        ("tls://head:8786", "tls://head:8786"),
        ("head:8786", "tcp://head:8786"),
        ("tcp://[::1]:8786", "tcp://[::1]:8786"),
        ("local:4", "local:4"),
    ],
)
def test_an_address_is_a_schedulers_or_a_trial(text: str, shown: str) -> None:
    assert str(address_of(text)) == shown


def test_so_is_the_path_of_a_scheduler_file(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text('{"type": "Scheduler", "address": "tcp://127.0.0.1:8786"}')
    assert address_of(str(file)).file == str(file)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"address": null}', "name: round\n"])
def test_another_file_is_none(text: str, tmp_path: Path) -> None:
    file = tmp_path / "round.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match="is no scheduler file"):
        address_of(str(file))


@pytest.mark.slow
@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n" * 30, b""])
def test_somebody_else_at_an_address_is_a_fault(answer: bytes) -> None:
    pytest.importorskip("distributed")
    from arena.cluster import link

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve() -> None:
            with suppress(OSError):
                while True:
                    with server.accept()[0] as connection:
                        connection.sendall(answer)

        Thread(target=serve, daemon=True).start()
        ours = link.Link(Address(url=f"tcp://127.0.0.1:{port}"), print)
        with closing(ours), pytest.raises(ConfigError, match="no dask scheduler answers at tcp:"):
            ours.connect()


@pytest.mark.parametrize(
    "text", ["local:0", "local:x", "http://head:8786", "tcp://head", "no.json"]
)
def test_anything_else_is_a_fault_that_says_what_is_wanted(text: str) -> None:
    with pytest.raises(ConfigError, match="tcp://HOST:PORT"):
        address_of(text)


@pytest.mark.parametrize("url", ["tcp://127.0.0.1:1", "tcp://localhost:1", "tls://192.0.2.1:1"])
def test_nobody_is_warned_who_stays_here_or_uses_tls(url: str) -> None:
    assert unsafe_text(url) is None


def test_who_sends_engines_in_clear_text_to_others_is_warned() -> None:
    assert "not encrypted" in (unsafe_text("tcp://192.0.2.1:8786") or "")


def job(first: str, second: str, round: int) -> Job:
    return Job(first, second, "3,3", round)


def pairs(count: int) -> list[Job | None]:
    return [
        job(*players, round)
        for round in range(count)
        for players in (("one", "two"), ("two", "one"))
    ]


def test_both_games_of_a_pair_go_together_and_what_is_left_of_one_alone() -> None:
    jobs = [*pairs(2)[1:], job("one", "three", 5)]
    assert [len(pair) for pair in Pairs(iter(jobs))] == [1, 2, 1]


def test_no_job_is_taken_beyond_the_next_one_and_none_is_lost() -> None:
    source: Iterator[Job | None] = iter([*pairs(1), None, *pairs(2)])
    found = Pairs(source)
    assert [len(pair) for pair in found] == [2]
    assert [len(pair) for pair in found] == [2, 2]


@pytest.mark.parametrize(("seconds", "expected"), [(0.1, 2), (0.001, MOST_PAIRS), (5.0, 1)])
def test_short_games_go_out_in_batches(seconds: float, expected: int) -> None:
    batch_size = BatchSize()
    assert batch_size.pairs(4) == 1
    batch_size.add(2, 2 * seconds)
    assert batch_size.pairs(4) == expected


def test_many_workers_get_longer_tasks_so_that_the_driver_keeps_up() -> None:
    batch_size = BatchSize()
    batch_size.add(2, 0.4)
    assert batch_size.pairs(4) == 1
    assert batch_size.pairs(400) == 5


def test_few_pairs_are_shared_among_those_who_are_free() -> None:
    batches = batches_of(Pairs(iter(pairs(5))), free=4, size=8)
    assert [len(batch) for batch in batches] == [4, 4, 2]


def test_without_the_extra_an_address_is_a_fault_that_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install distributed$"), site_of(None, "local:2"):
        pass
    with site_of(3) as site:
        assert site == Local(3)


def test_workers_and_a_cluster_are_not_both_given() -> None:
    with pytest.raises(ConfigError, match="either --workers or --cluster"), site_of(2, "local:2"):
        pass


@pytest.mark.slow
def test_a_resource_says_how_many_games_a_worker_plays_at_a_time() -> None:
    pytest.importorskip("distributed")
    from arena.cluster.link import DaskWorker, roll_call

    def worker(address: str, **resources: float) -> SimpleNamespace:
        return SimpleNamespace(
            address=address, host="here", nthreads=6, resources=resources, last_seen=0.0
        )

    def slots(*workers: SimpleNamespace) -> list[int]:
        scheduler = SimpleNamespace(workers={each.address: each for each in workers})
        return [DaskWorker(*each).slots for each in roll_call(scheduler)]  # type: ignore[arg-type]

    assert slots(worker("a"), worker("b")) == [6, 6]
    assert slots(worker("a", game=2), worker("b")) == [2, 0]


@pytest.mark.slow
def test_a_scheduler_without_arena_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from arena.cluster import link

    class Bare:
        """A client of a scheduler that cannot import what it is sent."""

        status = "running"

        def __init__(self, **_: object) -> None:
            pass

        def __await__(self) -> Iterator[None]:
            yield from ()

        async def run_on_scheduler(self, _: object) -> None:
            raise ModuleNotFoundError("No module named 'arena'")

        async def close(self, timeout: float) -> None:
            pass

    monkeypatch.setattr(link, "Client", Bare)
    ours = link.Link(Address(url="tcp://127.0.0.1:1"), print)
    with closing(ours), pytest.raises(ConfigError, match="another gomoku-arena, or none: No mod"):
        ours.connect()


@pytest.mark.slow
def test_places_are_counted_at_each_look_and_not_for_each_task_that_is_out() -> None:
    pytest.importorskip("distributed")
    from arena.cluster.dispatcher import Dispatcher

    counted, looks = list[int](), count(1)

    class Places:
        workers = ()

        @property
        def slots(self) -> int:
            counted.append(1)
            return 200

    def look() -> None:
        if next(looks) > 3:
            raise StopAsyncIteration

    monitor: Any = SimpleNamespace(
        look=look,
        link=SimpleNamespace(wait=lambda work, *_: work.close()),
        seen=Places(),
        patience=SimpleNamespace(task=600.0),
        registration=SimpleNamespace(prepare=lambda *told: None, patience=1.0),
    )
    nothing: Any = None
    dispatcher = Dispatcher(monitor, nothing, nothing)
    with pytest.raises(StopAsyncIteration):
        list(dispatcher.run(iter(pairs(50))))
    assert len(counted) <= 3 * 2


def test_without_a_scheduler_there_are_no_places_until_it_names_workers_again() -> None:
    pytest.importorskip("distributed")
    from arena.cluster.link import DaskWorker
    from arena.cluster.machines import Overview
    from arena.cluster.worker_monitor import Timeouts, WorkerMonitor

    said, found = [], [DaskWorker("tcp://one:1", "one", 2, 0.0, False)]
    seen = Overview()
    link = SimpleNamespace(
        workers=lambda: found,
        tell=lambda words: said.append((words, seen.slots)),
        reconnect=lambda: link.tell("gone"),
    )
    monitor = WorkerMonitor(link, seen, Timeouts(30.0, 600.0))  # type: ignore[arg-type]
    monitor.look()
    assert (said, seen.slots) == ([], 2)
    monitor.reconnect()
    monitor.look()
    assert said == [("gone", 0), ("There are workers again: 2 games at a time.", 2)]


def unreadable() -> None:
    raise ImportError("no module of theirs")


def test_a_machine_that_cannot_read_the_players_says_why() -> None:
    pytest.importorskip("distributed")
    from arena.cluster.shipping import Call, Envelope
    from arena.cluster.task import processes_for

    envelope = Envelope(Call(unreadable))  # type: ignore[arg-type]
    worker = SimpleNamespace(plugins={"run": envelope})
    envelope.setup(worker)  # type: ignore[arg-type]
    with pytest.raises(ImportError, match="no module of theirs"):
        processes_for(worker, "run")  # type: ignore[arg-type]


def idle(pipe: ValuePipe) -> None:
    """Do nothing for long."""
    time.sleep(98)


def test_a_batch_is_given_up_once_it_is_withdrawn_or_its_child_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    from arena.cluster import task

    executed = SimpleNamespace(executed=lambda *_: Child.forked(idle))
    monkeypatch.setattr(task, "Child", executed)
    order = SimpleNamespace(log=tmp_path / "log")
    process = task.PlayingProcess(order)  # type: ignore[arg-type]
    with pytest.raises(task.Unwanted):
        process.play((), lambda: False)
    assert process.is_alive
    process.end()
    with pytest.raises(task.ChildLost):
        process.play((), lambda: True)
