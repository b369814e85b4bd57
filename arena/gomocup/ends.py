"""The end of a program: the guard's word on it, in plain words, and the end of a guard itself."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress

from arena.game import Reason
from arena.gomocup.supervisor import MOST_PROCESSES
from arena.gomocup.tree import descendants

CODES: dict[str, tuple[Reason, str]] = {
    "exit": ("crash", "exited {when}, exit code {number}"),
    "signal": ("crash", "was killed {when} by signal {number}"),
    "memory": (
        "memory",
        "held {number} MB of memory {when}, with all that it started, and was told {told}"
        " (memory: N in the file tells it N)",
    ),
    "processes": ("exception", f"had {{number}} processes {{when}}, more than {MOST_PROCESSES}"),
    "unwanted": ("crash", "was ended {when}"),
}
"""The guard's words on how a program ended."""


def end_in_words(verdict: str, when: str, told: int) -> tuple[Reason, str] | None:
    """The reason and words for a guard's verdict; None if it is none.

    `told`: megabytes of memory that the program was told to keep to.
    """
    kind, _, number = verdict.partition(" ")
    if kind not in CODES:
        return None
    reason, words = CODES[kind]
    return reason, words.format(when=when, number=number, told=told)


def kill_below(guard: subprocess.Popen[bytes]) -> None:
    """Kill a guard that does not do its work, and all below it."""
    for process in [*descendants(guard.pid), guard.pid]:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
    guard.wait()
