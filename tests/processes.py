"""The processes of a run, found by their parent."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path


def workers_of(process: subprocess.Popen[bytes]) -> list[int]:
    with suppress(FileNotFoundError):
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]
    return []


def is_worker(pid: int) -> bool:
    """Whether this process (whose number may have been used again) is one of ours, and alive."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return stat[0] != "Z" and "arena" in Path(f"/proc/{pid}/cmdline").read_text()
    return False
