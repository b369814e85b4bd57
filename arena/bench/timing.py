"""CPU time of this process and of programs, and rows that are timed in turn."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from collections.abc import Callable, Sequence
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any

from arena.engine import Choice
from arena.errors import ConfigError, Fault

Measurement = dict[str, Any]
"""One row of `arena bench`: its name, and figures by their columns."""
Timed = Callable[[], tuple[float, Measurement]]
"""A function that runs something once: its CPU seconds, and what it found."""


def seconds_of(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds that some work takes: of CPU time, or by another clock."""
    began = clock()
    work()
    return clock() - began


def rows_in_turn(timed: dict[str, Timed], repeat: int, against: str | None) -> list[Measurement]:
    """Run all in turn, `repeat` times: medians, and the median of the ratios within each turn."""
    # Kernels are loaded, or compiled; a program, which is the last, may not be there.
    for once in reversed(timed.values()):
        once()
    turns = [{name: once() for name, once in timed.items()} for _ in range(repeat)]
    rows = []
    for name in timed:
        seconds = median(turn[name][0] for turn in turns)
        found = turns[0][name][1]
        row = {"name": name, **found, "seconds": seconds}
        if nodes := found.get("nodes"):
            row["nodes_per_second"] = nodes / seconds
        if against and name != against:
            row["ratio"] = median(turn[name][0] / turn[against][0] for turn in turns)
        rows.append(row)
    return rows


def timed_search(search: Callable[[], Choice]) -> Timed:
    """Time a search in this process."""

    def once() -> tuple[float, Measurement]:
        began = time.process_time()
        choice = search()
        seconds = time.process_time() - began
        return seconds, {"depth": choice.depth, "value": choice.score, "nodes": choice.nodes}

    return once


def timed_program(command: Sequence[str]) -> Timed:
    """Time a program as a whole; from what it prints, `depth 6 value -3 nodes 9` is taken over."""

    def once() -> tuple[float, Measurement]:
        before = sum(getrusage(RUSAGE_CHILDREN)[:2])
        try:
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise ConfigError(Fault(shlex.join(command), str(error))) from None
        seconds = sum(getrusage(RUSAGE_CHILDREN)[:2]) - before
        if not seconds:
            raise ConfigError(Fault(shlex.join(command), "took no measurable time"))
        words = re.findall(r"\b(depth|value|nodes) (-?\d+)", printed)
        return seconds, {key: int(number) for key, number in words}

    return once
