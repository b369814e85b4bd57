"""The processes below one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.processes import running

from arena.gomocup.supervisor import ticks

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")


def test_a_process_that_waits_has_used_so_much_and_one_that_runs_is_never_done() -> None:
    waits = [sys.executable, "-c", "print(flush=True); input()"]
    with running(waits, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        while (used := ticks([process.pid])) is None:
            pass
        assert used == ticks([process.pid])
    runs = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    with running(runs, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        assert ticks([process.pid]) is None
    assert ticks([process.pid]) == 0
