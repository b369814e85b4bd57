"""The page beside a run: CPU seconds that its games take more while two look on."""

from __future__ import annotations

import http.client
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from urllib.parse import urlsplit

from arena.bench import SPINS, Measurement, spin
from arena.config.settings import Config, Player
from arena.errors import install_command
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.processes.child import fork_context
from arena.server.page_process import page_process
from arena.server.serving import has_packages
from arena.tournament.run import Run
from arena.workers.pool import Local

SERVE_BLOCKS = 10
WATCHERS = 2
WATCHED_OPENINGS, WATCHED_PLIES = 30, 40
LOOK = 0.5
"""Seconds between two questions of a page."""


def rows(repeat: int) -> Iterator[Measurement]:
    """CPU seconds per game of the run's own processes without and with a page, and their ratio.

    Ten blocks at least, in turn; the ratio is the median of those within each turn.
    """
    if not has_packages():
        yield {"name": "serve", "needs": install_command("web")}
        return
    spin(0)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        page = stack.enter_context(page_process(folder))
        turns = []
        for block in range(max(repeat, SERVE_BLOCKS)):
            found = {}
            for is_watched in (False, True) if block % 2 else (True, False):
                with looked_upon(page.address) if is_watched else nullcontext():
                    found[is_watched] = cpu_per_game(folder / f"{block}-{is_watched}")
            turns.append((found[False], found[True]))
    yield {
        "name": "serve",
        "games": 2 * WATCHED_OPENINGS,
        "alone": median(alone for alone, _ in turns),
        "watched": median(seen for _, seen in turns),
        "ratio": median(seen / alone for alone, seen in turns),
    }


def cpu_per_game(folder: Path) -> float:
    """CPU seconds a game of a whole run: of its process and its workers."""
    context = fork_context()
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=play_and_tell, args=(folder, theirs))
    process.start()
    seconds: float = ours.recv()
    process.join()
    return seconds / (2 * WATCHED_OPENINGS)


def play_and_tell(folder: Path, pipe: Connection) -> None:
    """Play a run, and send the CPU seconds that it took."""
    before = own_cpu_seconds()
    Run(folder, watched_config(folder.name)).play(Local(2))
    pipe.send(own_cpu_seconds() - before)


def own_cpu_seconds() -> float:
    """CPU seconds of this process, and of its children that have ended."""
    found = (getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in found)


def watched_config(name: str) -> Config:
    """Two equal players of some milliseconds a move."""
    engine, game = Named(spin.__module__, {"rounds": SPINS}), Named("gomoku")
    drawn = {"plies": 2, "count": WATCHED_OPENINGS, "seed": 0, "spread": 7}
    return Config(
        name=name,
        terms=Terms(game=game, max_plies=2 + WATCHED_PLIES, margin=0.0),
        format=Named("round_robin"),
        openings=Openings(Named("random", drawn), game),
        players=(Player("one", engine), Player("two", engine)),
    )


@contextmanager
def looked_upon(address: str) -> Iterator[None]:
    """Two pages look at what is played while this lasts, as browsers' pages do."""
    watchers = [start_watcher(address) for _ in range(WATCHERS)]
    try:
        yield
    finally:
        for each in watchers:
            each.kill()
            each.join()


def start_watcher(address: str) -> BaseProcess:
    """A process that looks on."""
    process = fork_context().Process(target=look_on, args=(address,), daemon=True)
    process.start()
    return process


def look_on(address: str) -> None:
    """Send the requests of a page, as often as it does."""
    os.nice(10)  # a browser is not on the machine, and is not what is measured
    parts = urlsplit(address)
    cookie = taken(parts.netloc, f"{parts.path}?{parts.query}", "")[1]
    run, mark = "", ""
    while True:
        with suppress(OSError, http.client.HTTPException, ValueError):
            _, _, place = taken(parts.netloc, parts.path, cookie)
            if place.startswith("/runs/"):
                run = place
            if run:
                pulse = json.loads(taken(parts.netloc, f"{run}/pulse", cookie)[0])
                if pulse["mark"] != mark:
                    mark = pulse["mark"]
                    taken(parts.netloc, f"{run}/report", cookie)
                    taken(parts.netloc, f"{run}/games", cookie)
        time.sleep(LOOK)


def taken(host: str, path: str, cookie: str) -> tuple[str, str, str]:
    """An answer: its text, its cookie, and where it leads."""
    # The name is one that browsers know, but not every system.
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(f"//{host}").port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": host, "Cookie": cookie})
        answer = connection.getresponse()
        text = answer.read().decode()
        own = (answer.getheader("set-cookie") or "").split(";")[0]
        return text, own, answer.getheader("location") or ""
    finally:
        connection.close()
