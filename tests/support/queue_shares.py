"""The core time of tests that share a core, as the queue's server tells it and as Linux does.

By hand: python tests/support/queue_shares.py --minutes 40 1 2 5
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

sys.path.insert(0, str(Path(__file__).parent.parent))
from support.processes import children_of
from support.queue_server import QueueServer

from arena.queue.sending import send
from arena.queue.submission import Submission

LOOK_INTERVAL = 0.25
"""Seconds between two looks at the processes: what one does between its last look and its end is
not counted."""
TELL_INTERVAL = 300.0
TOLERANCE = 0.1
"""The part of its due by which a test's time may be off."""
TEST = """
    name: share{number}
    game: {{gomoku: {{size: 15}}}}
    openings: {{random: {{plies: 4, count: 200, seed: {number}}}}}
    rounds: 200
    max_plies: 60
    engines:
      - {{name: one, engine: {engine}, depth: 4}}
      - {{name: two, engine: {engine}, depth: 4}}
"""
ENGINES = ["five_tuple", "balance", "live_dead"]


class ProcessClock:
    """Counts the CPU time of the processes that play tests, by test."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._ticks: dict[tuple[int, str], int] = {}
        self._tests: dict[tuple[int, str], str] = {}

    def look(self, server: int) -> None:
        """Note the time of all processes two levels below the server: those that play a test."""
        for pid in [each for runner in children_of(server) for each in children_of(runner)]:
            with suppress(OSError, IndexError):
                key = pid, stat(pid)[19]  # its start, since numbers are used again
                self._ticks[key] = max(ticks_of(pid), self._ticks.get(key, 0))
                if key not in self._tests and (name := test_of(pid, self._results)):
                    self._tests[key] = name

    def seconds(self) -> Counter[str]:
        """CPU seconds by the names of the tests; "" for processes that opened no test's folder."""
        found = Counter[str]()
        for key, ticks in self._ticks.items():
            found[self._tests.get(key, "")] += ticks
        return Counter({name: round(ticks / TICKS_A_SECOND) for name, ticks in found.items()})


TICKS_A_SECOND = 100
"""Linux tells CPU time in units of USER_HZ, which is 100."""


def stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third one on. Raises OSError if it is over."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()


def ticks_of(pid: int) -> int:
    """CPU time of a process, of those below it, and of those that it has awaited."""
    own = sum(int(each) for each in stat(pid)[11:15])
    for child in children_of(pid):
        with suppress(OSError, IndexError):
            own += ticks_of(child)
    return own


def test_of(pid: int, results: Path) -> str:
    """The name of the run whose files a process holds open; empty if there is none."""
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError, ValueError):
            name = each.readlink().relative_to(results.resolve()).parts[0]
            if name != "queue":
                return name
    return ""


def measure(folder: Path, shares: Sequence[float], minutes: float) -> bool:
    """Play tests of these shares, and tell of their times; True if all are within a tenth."""
    server = QueueServer(folder, "--shares", "--cores", "1")
    clock = ProcessClock(server.results)
    try:
        for number, share in enumerate(shares):
            text = TEST.format(number=number, engine=ENGINES[number % len(ENGINES)])
            send(server.at, Submission(dedent(text), share=share))
        began = time.monotonic()
        told = began
        while time.monotonic() < began + 60 * minutes:
            time.sleep(LOOK_INTERVAL)
            clock.look(server.process.pid)
            if time.monotonic() > told + TELL_INTERVAL:
                told += TELL_INTERVAL
                tell(server, shares, clock.seconds())
        return tell(server, shares, clock.seconds())
    finally:
        server.close()


def tell(server: QueueServer, shares: Sequence[float], used: Counter[str]) -> bool:
    """Print the times of all tests so far; True if all are within a tenth of their due."""
    facts = {each["name"]: each for each in server.facts()}
    charged = {name: each["core_seconds"] for name, each in facts.items()}
    is_kept = True
    print("test    share    due  games  core s   part   off   CPU s   part   off")
    for number, share in enumerate(shares):
        name, due = f"share{number}", share / sum(shares)
        parts = [
            times[name] / max(1, sum(times[each] for each in charged)) for times in (charged, used)
        ]
        offs = [part / due - 1 for part in parts]
        is_kept = is_kept and all(abs(off) <= TOLERANCE for off in offs)
        print(
            f"{name:7} {share:5g} {due:6.1%} {facts[name]['games']:6}"
            f" {charged[name]:7.0f} {parts[0]:6.1%} {offs[0]:+5.1%}"
            f" {used[name]:7} {parts[1]:6.1%} {offs[1]:+5.1%}"
        )
    print(f"CPU time that belongs to no test: {used['']} s", flush=True)
    return is_kept


def main() -> None:
    """Measure for as long, and with such shares, as the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shares", type=float, nargs="*", default=[1, 2, 5])
    parser.add_argument("--minutes", type=float, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        is_kept = measure(Path(folder), given.shares, given.minutes)
    print("within a tenth" if is_kept else "not within a tenth")
    sys.exit(not is_kept)


if __name__ == "__main__":
    main()
