"""Machines of a cluster, asked about themselves before the first game, or as they join."""

from __future__ import annotations

import asyncio
import os
import time

from distributed import Client, KilledWorker

from arena.cluster.address import OPTION
from arena.cluster.envelope import Call, lacks_arena, submitted
from arena.cluster.link import CANCELLED, DaskWorker, Lost, roll_call
from arena.cluster.machines import Inspected, is_fit, machines_text
from arena.cluster.task import ChildLost, Unready, Unwanted, inspect_machine
from arena.cluster.worker_monitor import LOOK_INTERVAL, WorkerMonitor
from arena.errors import DISTRIBUTION, ConfigError, Fault, own_words
from arena.workers.referee import Referee

INSPECTION = 60.0
"""Seconds for an answer, beside what engines may take to be built."""
REMEDY = "install it as it is here, and start the worker again"
UNFIT = "the cluster has machines that differ from this one, or cannot build every engine:\n"


def check_machines(monitor: WorkerMonitor, referee: Referee) -> None:
    """Ask all machines that are there; ConfigError with one table if some cannot play.

    Those that do not answer in time may play: what they say comes with their first games.
    """
    monitor.registration.prepare(referee)
    monitor.await_first()
    deadline = time.monotonic() + INSPECTION + referee.preparation * len(referee.players)
    while True:
        try:
            monitor.look()
            asking = asked_machines(monitor, deadline)
            found = monitor.link.wait(asking, None)
            break
        except Lost:
            monitor.link.reconnect()
    for each in found:
        monitor.seen.meet(each)
    if not all(map(is_fit, found)):
        raise ConfigError(Fault(OPTION, UNFIT + machines_text(found, list(referee.players))))


async def asked_machines(monitor: WorkerMonitor, deadline: float) -> list[Inspected]:
    """The answers of all workers that are there, but for those that are silent, or die."""
    client, run = monitor.link.client, await monitor.registration.told()
    asking = {
        address: asyncio.ensure_future(asked_machine(client, run, address))
        for address in monitor.seen.all_asked()
    }
    try:
        while time.monotonic() < deadline:
            here = await answering(monitor)
            late = [each for name, each in asking.items() if name in here and not each.done()]
            if not late:
                break
            await asyncio.wait(late, timeout=LOOK_INTERVAL)
        return [found for each in asking.values() if each.done() and (found := each.result())]
    finally:
        for each in asking.values():
            each.cancel()


async def answering(monitor: WorkerMonitor) -> set[str]:
    """The addresses of the workers that are there, and not silent."""
    found = await monitor.link.client.run_on_scheduler(roll_call)
    workers = [DaskWorker(*each) for each in found]
    return {each.address for each in workers if each.silence < monitor.patience.silence}


async def asked_machine(client: Client, run: str, address: str) -> Inspected | None:
    """The answer of the worker at an address; None if it dies, or is gone."""
    future = submitted(
        client,
        Call(inspect_machine, run),
        key=f"{run}-{os.urandom(6).hex()}",
        workers=[address],
        allow_other_workers=False,
    )
    try:
        found: Inspected = await future
    except (KilledWorker, ChildLost, Unready, Unwanted, OSError, *CANCELLED):
        return None
    except Exception as error:  # another arena than ours, or none at all, may fail in any way
        return Inspected(address, None, {"": stranger_text(error)})
    finally:
        future.release()
    return found


def stranger_text(error: Exception) -> str:
    """The reason why a worker could not do what it was asked in terms of arena."""
    if lacks_arena(error):
        return f"{DISTRIBUTION} is not installed there: {REMEDY}"
    return f"another {DISTRIBUTION} is installed there: {REMEDY} ({own_words(error)})"
