"""A scheduler and workers as processes, started again when they end: as systemd would do it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from support.processes import running

MARK = "ARENA_TEST_CLUSTER"
"""Variable by which every process of a cluster is known, and all that it has started."""
LOOK = 0.1
START_TIMEOUT = 60.0  # Seconds in which a scheduler starts, on a machine that has much else to do


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Held:
    """Holds processes that end one by one, and with the tests at the latest."""

    def __init__(self) -> None:
        self._ends: dict[int, ExitStack] = {}

    def start(self, command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
        stack = ExitStack()
        process = stack.enter_context(running(command, **options))
        self._ends[process.pid] = stack
        return process

    def end(self, process: subprocess.Popen[bytes]) -> None:
        self._ends.pop(process.pid, ExitStack()).close()


class Supervisor:
    """Holds the processes, and starts those again that have ended."""

    def __init__(
        self,
        folder: Path,
        workers: int,
        *options: str,
        own: Mapping[int, Mapping[str, str]] = MappingProxyType({}),
        **variables: str,
    ) -> None:
        """`own`: variables that single workers have beside all others, by their numbers."""
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self._own = own
        self.port = free_port()
        protocol = "tls" if "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in variables else "tcp"
        self.address = f"{protocol}://127.0.0.1:{self.port}"
        self.mark = os.urandom(8).hex()
        self._environment = {
            **os.environ,
            **variables,
            MARK: self.mark,
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
        }
        self._options = options
        self.held = Held()
        self.is_over = False
        self.scheduler = self._scheduler()
        self.await_scheduler()
        self.nannies = [self._nanny(number) for number in range(workers)]
        self._thread = threading.Thread(target=self._keep)
        self.lock = threading.Lock()

    def _start(self, *words: str, **own: str) -> subprocess.Popen[bytes]:
        with (self.folder / "dask.log").open("ab") as log:
            return self.held.start(
                [sys.executable, "-m", *words],
                env={**self._environment, **own},
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )

    def _scheduler(self) -> subprocess.Popen[bytes]:
        where = ["--host", "127.0.0.1", "--port", str(self.port)]
        where += ["--protocol", self.address[:3]]
        return self._start("distributed.cli.dask_scheduler", *where, "--no-dashboard")

    def await_scheduler(self) -> None:
        """Wait until a scheduler listens: a command gives up after ten seconds."""
        deadline = time.monotonic() + START_TIMEOUT
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(LOOK)

    def _nanny(self, number: int) -> subprocess.Popen[bytes]:
        folder = self.folder / f"worker-{number}"
        folder.mkdir(exist_ok=True)
        options = ["--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
        options += ["--local-directory", str(folder), *self._options]
        own = self._own.get(number, {})
        return self._start("distributed.cli.dask_worker", self.address, *options, **own)

    def __enter__(self) -> Supervisor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over = True
        self._thread.join()
        for process in [*self.nannies, self.scheduler]:
            self.held.end(process)
        for pid in marked(self.mark):
            if "arena.cluster" not in command_of(pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _keep(self) -> None:
        while not self.is_over:
            with self.lock:
                if self.scheduler.poll() is not None:
                    self.held.end(self.scheduler)
                    self.scheduler = self._scheduler()
                for number, nanny in enumerate(self.nannies):
                    if nanny.poll() is not None:
                        self.held.end(nanny)
                        self.nannies[number] = self._nanny(number)
            time.sleep(LOOK)

    def workers(self) -> list[int]:
        """The processes of the workers themselves, each below a nanny."""
        found = []
        for nanny in self.nannies:
            with suppress(OSError):
                found += [pid for pid in started_by(nanny.pid) if "spawn_main" in command_of(pid)]
        return found


def started_by(pid: int) -> list[int]:
    """The children of all threads of a process."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in lists for child in each.read_text().split()]


def command_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def marked(mark: str) -> list[int]:
    found, wanted = [], f"{MARK}={mark}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
            if state != "Z" and wanted in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found


def players_among(pids: list[int]) -> list[int]:
    """The processes that play: children of workers, and all that these have forked or started."""
    dask = ("distributed.cli", "spawn_main", "resource_tracker", "forkserver")
    return [pid for pid in pids if not any(word in command_of(pid) for word in dask)]


def await_none(mark: str, seconds: float) -> list[int]:
    """The players that are left after so long, at most."""
    deadline = time.monotonic() + seconds
    while (left := players_among(marked(mark))) and time.monotonic() < deadline:
        time.sleep(0.2)
    return left
