"""The jobs that a dispatcher gives out, to workers that deliver when a test wants them to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed")

from arena.cluster import dispatcher
from arena.cluster.dispatcher import Dispatcher
from arena.cluster.link import Address, DaskWorker, Link
from arena.cluster.machines import Overview
from arena.cluster.shipping import Call, Delivery, Reply
from arena.game import Outcome
from arena.match.record import Job, record, to_send

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
        task = HeldTask()
        task.number = number = jobs[0].round  # type: ignore[index]
        if number not in self._late:
            task.set_result(delivered(jobs[0]))  # type: ignore[index]
        elif (first := self._late[number]) is None:
            self._late[number] = task
        elif not first.done():
            first.set_result(delivered(jobs[0]))  # type: ignore[index]
        return task

    async def cancel(self, tasks: Sequence[HeldTask], force: bool) -> None:
        assert force
        for task in tasks:
            self.withdrawn.add(task.number)
            task.cancel()


def delivered(job: Job) -> Delivery:
    reply = Reply([to_send(record(job, Outcome(1, "line"), "", ""))], 0.001)
    return Delivery(WORKER.host, WORKER.address, reply)


async def told() -> str:
    return "run"


def test_copies_of_what_has_come_take_no_place_and_do_not_end_a_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = LateWorkers(late=(2, 3))
    monkeypatch.setattr(dispatcher, "LOOK_INTERVAL", 0.02)
    monkeypatch.setattr(dispatcher, "submitted", workers.submitted)
    monkeypatch.setattr(Link, "client", workers)
    seen = Overview()
    seen.workers, seen.asked = [WORKER], {WORKER.address}
    with closing(Link(Address(url=WORKER.address), print)) as link:
        monitor: Any = SimpleNamespace(
            link=link,
            look=lambda: None,
            seen=seen,
            patience=SimpleNamespace(task=0.1),
            registration=SimpleNamespace(prepare=lambda *_: None, patience=1.0, told=told),
        )
        jobs = iter(Job("one", "two", round=number) for number in range(COUNT))
        referee: Any = None
        log: Any = SimpleNamespace(append=lambda text: None)
        with closing(Dispatcher(monitor, referee, log, pairs=1)) as ours:
            found = sorted(each.round for each in ours.run(jobs))
    assert found == [*range(COUNT)]
    assert workers.withdrawn == {2, 3}
