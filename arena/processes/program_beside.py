"""A program of ours beside this process, which ends when its input does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def program_beside(module: str, *words: str) -> Iterator[tuple[int, int]]:
    """A module at work as a program, while this lasts: its number, and the end of its replies."""
    command = [sys.executable, "-m", module, *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield process.pid, process.stdout.fileno()
        finally:
            process.stdin.close()


def private_replies() -> int:
    """The end for replies, in the program: what else is printed goes to standard error."""
    replies = os.dup(1)
    os.dup2(2, 1)
    return replies
