"""Machines of a cluster, asked about themselves before the first game, or as they join."""

from __future__ import annotations

import asyncio
import os
import pickle
import time
from contextlib import suppress

from distributed import Client

from arena.cluster.address import OPTION
from arena.cluster.link import DaskWorker, Lost, roll_call
from arena.cluster.lookout import LOOK_INTERVAL, Lookout
from arena.cluster.machines import Inspected, is_fit, machines_text, versions_here
from arena.cluster.orders import Brief
from arena.cluster.shipping import cargo_of
from arena.cluster.speed import is_speed_wanted, own_speed
from arena.cluster.task import Players, inspect_machine
from arena.errors import ConfigError, Fault, own_words
from arena.workers.referee import Referee

REGISTER_PATIENCE = 5.0
INSPECTION = 60.0
"""Seconds for an answer, beside what engines may take to be built."""
UNFIT = "the cluster has machines that differ from this one, or cannot build every engine:\n"


def brief_of(referee: Referee) -> Brief:
    """All that the workers need; ConfigError if engines are too large to travel."""
    speed = own_speed() if is_speed_wanted(referee) else None
    cargo = cargo_of(referee.players.values())
    return Brief(pickle.dumps(referee), cargo, versions_here(), speed)


def check_machines(lookout: Lookout, referee: Referee) -> None:
    """Ask all machines that are there; ConfigError with one table if some cannot play.

    Those that do not answer in time may play: what they say comes with their first games.
    """
    players = Players(brief_of(referee))
    deadline = time.monotonic() + INSPECTION + referee.preparation * len(referee.players)
    while True:
        try:
            lookout.look()
            asking = asked_machines(lookout, players, deadline)
            found = lookout.link.wait(asking, None)
            break
        except Lost:
            lookout.link.reconnect()
    for each in found:
        lookout.seen.meet(each)
    if not all(map(is_fit, found)):
        raise ConfigError(Fault(OPTION, UNFIT + machines_text(found, list(referee.players))))


async def asked_machines(lookout: Lookout, players: Players, deadline: float) -> list[Inspected]:
    """The answers of all workers that are there, but for those that are silent, or die."""
    client, run = lookout.link.client, f"arena-check-{os.urandom(6).hex()}"
    with suppress(TimeoutError):  # one who does not answer keeps it from ending
        await asyncio.wait_for(client.register_plugin(players, name=run), REGISTER_PATIENCE)
    asking = {
        address: asyncio.ensure_future(asked_machine(client, run, address))
        for address in lookout.seen.all_asked()
    }
    try:
        while time.monotonic() < deadline:
            here = await answering(lookout)
            late = [each for name, each in asking.items() if name in here and not each.done()]
            if not late:
                break
            await asyncio.wait(late, timeout=LOOK_INTERVAL)
        return [found for each in asking.values() if each.done() and (found := each.result())]
    finally:
        for each in asking.values():
            each.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(client.unregister_worker_plugin(run), REGISTER_PATIENCE)


async def answering(lookout: Lookout) -> set[str]:
    """The addresses of the workers that are there, and not silent."""
    found = await lookout.link.client.run_on_scheduler(roll_call)
    workers = [DaskWorker(*each) for each in found]
    return {each.address for each in workers if each.silence < lookout.patience.silence}


async def asked_machine(client: Client, run: str, address: str) -> Inspected | None:
    """The answer of the worker at an address; None if it dies, or is gone."""
    future = client.submit(
        inspect_machine,
        run,
        key=f"{run}-{os.urandom(6).hex()}",
        workers=[address],
        allow_other_workers=False,
        pure=False,
    )
    try:
        found: Inspected = await future
    except (AttributeError, ImportError, TypeError) as error:
        # Another arena than ours, or none at all.
        return Inspected(address, None, {"": own_words(error)})
    except Exception:
        return None
    finally:
        future.release()
    return found
