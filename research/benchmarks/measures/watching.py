"""Many that look on: games a second of a run beside 200 clients against those of the run alone."""

from __future__ import annotations

import http.client
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from arena.bench import Measurement, spin
from arena.errors import install_command
from arena.processes.child import fork_context
from arena.server.page_process import page_process
from arena.server.serving import has_packages
from arena.storage.database import Store
from arena.storage.folder import read_store, run_id
from arena.tournament.run import Run
from arena.workers.pool import Local
from benchmarks.measures.serve import taken, watched_config

CLIENTS = 200
BLOCK = 10.0
"""Seconds of each."""
SETTLED = 3.0
"""Seconds before the first block, and after each, that do not count."""
ROUNDS = 1_000
RUN = "watched"


def rows(repeat: int) -> Iterator[Measurement]:
    """The median ratio of games a second with and without clients in blocks next to each other.

    With it the share of one core that the page took, answers a second, and their median seconds.
    """
    if not has_packages():
        yield {"name": "watching", "needs": install_command("web")}
        return
    spin(0)
    context = fork_context()
    with tempfile.TemporaryDirectory() as name, page_process(Path(name)) as page:
        folder, stop = Path(name) / RUN, context.Event()
        process = context.Process(target=play_on, args=(folder, stop))
        process.start()
        try:
            while not games_in(folder):
                time.sleep(0.1)
            blocks: dict[bool, list[Block]] = {False: [], True: []}
            for turn in range(repeat):
                for is_watched in (False, True) if turn % 2 else (True, False):
                    block = measured_block(folder, page.address, page.pid, is_watched)
                    blocks[is_watched].append(block)
        finally:
            stop.set()
            process.join()
    alone, watched = blocks[False], blocks[True]
    yield {
        "name": "watching",
        "clients": CLIENTS,
        "alone": median(block.pace for block in alone),
        "watched": median(block.pace for block in watched),
        "ratio": median(seen.pace / by.pace for by, seen in zip(alone, watched, strict=True)),
        "page_share": median(block.page_share for block in watched),
        "answers": median(len(block.waits) / BLOCK for block in watched),
        "median_wait": median(wait for block in watched for wait in block.waits),
    }


def play_on(folder: Path, stop: Any) -> None:
    """Play until that is to stop."""
    config = replace(watched_config(folder.name), rounds=ROUNDS)
    Run(folder, config).play(Local(2), stop=stop.is_set)


@dataclass(frozen=True, slots=True)
class Block:
    """Some seconds of the run."""

    pace: float
    """Games a second."""
    page_share: float
    """The share of one core that the page took."""
    waits: Sequence[float]
    """The seconds that each answer took."""


def measured_block(folder: Path, address: str, page: int, is_watched: bool) -> Block:
    """A block with clients or without; `page` is the page's process."""
    time.sleep(SETTLED)
    before, games, began = cpu_seconds(page), games_in(folder), time.monotonic()
    waits: list[float] = []
    if is_watched:
        waits = waits_of_clients(address)
    else:
        time.sleep(BLOCK)
    took = time.monotonic() - began
    return Block((games_in(folder) - games) / took, (cpu_seconds(page) - before) / took, waits)


def games_in(folder: Path) -> int:
    """The games that are kept."""
    return sum((read_store(folder, Store.meetings) or {}).values())


def cpu_seconds(process: int) -> float:
    """CPU seconds of a process so far; of its children none."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waits_of_clients(address: str) -> list[float]:
    """The seconds that each answer to the clients took, in a block of time."""
    ours, theirs = fork_context().Pipe(duplex=False)
    process = fork_context().Process(target=ask_on, args=(address, theirs))
    process.start()
    theirs.close()
    found: list[float] = ours.recv()
    process.join()
    return found


def ask_on(address: str, pipe: Connection) -> None:
    """Ask again and again, each client as soon as it has its answer; send how long all took."""
    os.nice(19)  # browsers are on other machines, or are not what is measured
    parts = urlsplit(address)
    cookie = ""
    while not cookie:  # on a busy machine the page starts slowly
        with suppress(OSError, http.client.HTTPException):
            cookie = taken(parts.netloc, f"{parts.path}?{parts.query}", "")[1]
    run = f"/runs/{run_id(Path(RUN))}"
    paths = ("/", run, f"{run}/report", f"{run}/pulse", f"{run}/games")
    end, waits = time.monotonic() + BLOCK, list[float]()

    def ask_in_turn(client: int) -> None:
        for number in count(client):
            began = time.monotonic()
            if began >= end:
                return
            with suppress(OSError, http.client.HTTPException):
                taken(parts.netloc, paths[number % len(paths)], cookie)
                waits.append(time.monotonic() - began)

    for client in range(CLIENTS):
        Thread(target=ask_in_turn, args=(client,), daemon=True).start()
    time.sleep(max(0.0, end - time.monotonic()))
    pipe.send(list(waits))
