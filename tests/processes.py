"""The processes of a run, found by their parent."""

from __future__ import annotations

import gc
import re
import subprocess
from collections import Counter
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


def living_in(folder: Path) -> list[int]:
    """The processes at work in a folder, whoever started them and whatever session they are in."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (entry / "cwd").readlink() == folder:
                found.append(int(entry.name))
    return found


def open_descriptors() -> Counter[str]:
    """What this process holds open, by kind: files by name, pipes, sockets, and so on."""
    gc.collect()
    found = Counter[str]()
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            path = str(entry.readlink())
            found[re.split(r"[:#]|/pym-", path)[0]] += 1
    return found


def children_of(pid: int) -> list[int]:
    """The children of a process, dead ones that nobody has waited for included."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
