"""Schedulers, dispatchers and workers by themselves, with partners that do as a test wants."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed")

from arena.cluster import dispatcher, link, task
from arena.cluster.address import Address
from arena.cluster.dispatcher import MOST_PAIRS, BatchSize, Dispatcher, Pairs, batches_of
from arena.cluster.envelope import Call, Envelope
from arena.cluster.link import DaskWorker, Link, roll_call
from arena.cluster.machines import Overview
from arena.cluster.shipping import Delivery, Reply
from arena.cluster.task import processes_for
from arena.cluster.worker_monitor import Timeouts, WorkerMonitor
from arena.errors import ConfigError
from arena.game import Outcome
from arena.match.record import Job, record, to_send
from arena.processes.child import Child, ValuePipe

WORKER = DaskWorker("tcp://one:1", "one", 1, 0.0, False)
COUNT = 8


class HeldTask(asyncio.Future):  # type: ignore[type-arg]
    """A game that is out, by the number of its round."""

    number = -1

    def release(self) -> None:
        """Do nothing: no scheduler holds it."""


class LateWorkers:
    """Deliver each game at once, but late ones only as a copy is given out, which hangs."""

    def __init__(self, late: Sequence[int]) -> None:
        self._late: dict[int, HeldTask | None] = dict.fromkeys(late)
        self.withdrawn: set[int] = set()

    def submitted(self, _: object, call: Call, **__: object) -> HeldTask:
        _, (_, jobs) = call.__reduce__()
        held = HeldTask()
        held.number = number = jobs[0].round  # type: ignore[index]
        if number not in self._late:
            held.set_result(delivered(jobs[0]))  # type: ignore[index]
        elif (first := self._late[number]) is None:
            self._late[number] = held
        elif not first.done():
            first.set_result(delivered(jobs[0]))  # type: ignore[index]
        return held

    async def cancel(self, tasks: Sequence[HeldTask], force: bool) -> None:
        assert force
        for each in tasks:
            self.withdrawn.add(each.number)
            each.cancel()


def delivered(job: Job) -> Delivery:
    reply = Reply([to_send(record(job, Outcome(1, "line"), "", ""))], 0.001)
    return Delivery(WORKER.host, WORKER.address, reply)


async def told() -> str:
    return "run"


def test_copies_of_what_has_come_take_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = LateWorkers(late=(2, 3))
    monkeypatch.setattr(dispatcher, "LOOK_INTERVAL", 0.02)
    monkeypatch.setattr(dispatcher, "submitted", workers.submitted)
    monkeypatch.setattr(Link, "client", workers)
    seen = Overview()
    seen.workers, seen.asked = [WORKER], {WORKER.address}
    with closing(Link(Address(url=WORKER.address), print)) as ours:
        monitor: Any = SimpleNamespace(
            link=ours,
            look=lambda: None,
            seen=seen,
            patience=SimpleNamespace(task=0.1),
            registration=SimpleNamespace(prepare=lambda *_: None, patience=1.0, told=told),
        )
        jobs = iter(Job("one", "two", round=number) for number in range(COUNT))
        referee: Any = None
        log: Any = SimpleNamespace(append=lambda text: None)
        with closing(Dispatcher(monitor, referee, log, pairs=1)) as given:
            found = sorted(each.round for each in given.run(jobs))
    assert found == [*range(COUNT)]
    assert workers.withdrawn == {2, 3}


@pytest.mark.slow
@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n" * 30, b""])
def test_somebody_else_at_an_address_is_a_fault(answer: bytes) -> None:
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


@pytest.mark.slow
def test_a_resource_says_how_many_games_a_worker_plays_at_a_time() -> None:
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
    ours = Dispatcher(monitor, nothing, nothing)
    jobs = iter(
        Job(*seats, "", round) for round in range(50) for seats in (("one", "two"), ("two", "one"))
    )
    with pytest.raises(StopAsyncIteration):
        list(ours.run(jobs))
    assert len(counted) <= 3 * 2


def test_without_a_scheduler_there_are_no_places_until_it_names_workers_again() -> None:
    said, found = [], [DaskWorker("tcp://one:1", "one", 2, 0.0, False)]
    seen = Overview()
    partner = SimpleNamespace(
        workers=lambda: found,
        tell=lambda words: said.append((words, seen.slots)),
        reconnect=lambda: partner.tell("gone"),
    )
    monitor = WorkerMonitor(partner, seen, Timeouts(30.0, 600.0))  # type: ignore[arg-type]
    monitor.look()
    assert (said, seen.slots) == ([], 2)
    monitor.reconnect()
    monitor.look()
    assert said == [("gone", 0), ("There are workers again: 2 games at a time.", 2)]


def unreadable() -> None:
    raise ImportError("no module of theirs")


def test_a_machine_that_cannot_read_the_players_says_why() -> None:
    envelope = Envelope(Call(unreadable))  # type: ignore[arg-type]
    worker = SimpleNamespace(plugins={"run": envelope})
    envelope.setup(worker)  # type: ignore[arg-type]
    with pytest.raises(ImportError, match="no module of theirs"):
        processes_for(worker, "run")  # type: ignore[arg-type]


def idle(pipe: ValuePipe) -> None:
    time.sleep(98)


def test_a_batch_is_given_up_once_it_is_withdrawn_or_its_child_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
