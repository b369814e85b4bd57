"""Processes that tests start: none outlives its test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
from support.processes import finished, nothing_left, running
from support.samples import ROOT

FAMILY = "sleep 86398 & echo $!; wait"
"""A process that starts another, and tells its number."""


def ends_soon(pid: int) -> bool:
    """True if a process is over, or becomes so within seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


def test_a_process_and_those_it_started_end_with_the_test_that_failed() -> None:
    with (  # noqa: PT012
        pytest.raises(ZeroDivisionError),
        running(FAMILY, shell=True, stdout=subprocess.PIPE) as process,
    ):
        child = int(process.stdout.readline())
        assert psutil.pid_exists(child)
        1 / 0  # noqa: B018
    assert process.returncode == -signal.SIGKILL
    assert ends_soon(child)


def test_what_a_process_leaves_behind_ends_too() -> None:
    with running("sleep 86398 & echo $!", shell=True, stdout=subprocess.PIPE) as process:
        child = int(process.stdout.readline())
        assert process.wait(10) == 0
        assert psutil.pid_exists(child)
    assert ends_soon(child)


def test_a_process_that_does_not_end_is_ended() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        finished(["sleep", "86398"], timeout=0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells a child")
def test_a_process_ends_if_the_tests_are_killed() -> None:
    tests = (
        "from support import processes\nwith processes.running(['sleep', '86398']) as process:\n"
    )
    tests += "    print(process.pid, flush=True)\n    process.wait()"
    command = [sys.executable, "-c", tests]
    with running(command, stdout=subprocess.PIPE, cwd=ROOT / "tests") as process:
        child = int(process.stdout.readline())
        assert psutil.pid_exists(child)
        process.kill()
        assert ends_soon(child)


class Garbage:
    """Holds a file open until the garbage collector comes, which alone sees that it may go."""

    def __init__(self) -> None:
        self.descriptor, self.itself = os.open(os.devnull, os.O_RDONLY), self

    def __del__(self) -> None:
        os.close(self.descriptor)


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")


@pytest.mark.slow
@needs_proc
def test_what_a_test_leaves_open_is_seen_and_its_garbage_forgiven(tmp_path: Path) -> None:
    with nothing_left(tmp_path):
        Garbage()
    with pytest.raises(AssertionError), nothing_left(tmp_path):
        left = os.open(os.devnull, os.O_RDONLY)
    os.close(left)


@needs_proc
def test_a_process_that_a_test_leaves_is_seen(tmp_path: Path) -> None:
    already = running(["sleep", "9"], cwd=tmp_path)
    with already, pytest.raises(AssertionError), nothing_left(tmp_path):
        pass
    with ExitStack() as stack, pytest.raises(AssertionError), nothing_left(tmp_path):
        stack.enter_context(running(["sleep", "9"], cwd="/"))
