"""Network drives, on which a database is not played into: other machines may write to it, too."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from arena.errors import ConfigError, Fault

NETWORK = {
    *("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "ncpfs", "coda", "davfs"),
    *("lustre", "gpfs", "ceph", "glusterfs", "beegfs", "panfs", "pvfs2", "orangefs", "wekafs"),
    *("gfs2", "ocfs2", "acfs", "sshfs", "s3fs", "rclone", "gcsfuse", "goofys", "juicefs"),
}
"""File systems that several machines write to, as Linux names them."""
MOUNTS = Path("/proc/self/mountinfo")
"""Linux's list of mounted file systems; on other systems the kind of a drive is unknown."""


def refuse_network_drive(folder: Path) -> None:
    """Raise ConfigError if games that are played into this folder might be lost.

    SQLite's log is kept in memory that all its readers share, and network drives have none; their
    locks may not hold either. A database that only one process reads is safe.
    """
    if kind := network_drive(folder):
        message = (
            f"is on a network drive ({kind}), where a database of games can be damaged: SQLite's "
            "log needs memory that all who open it share. Play into a folder of this machine's "
            "own disk, such as --results ~/results, and copy it afterwards; runs that are here "
            "can be read"
        )
        raise ConfigError(Fault(str(folder), message))


def network_drive(folder: Path) -> str:
    """The kind of network drive that a folder is on, or would be; empty for a disk of one machine.

    Shares of a virtual machine with its host (9p, virtiofs) are of one machine.
    """
    kind = _file_system(folder).removeprefix("fuse.").removeprefix("fuse3.")
    return kind if kind in NETWORK else ""


def _file_system(folder: Path) -> str:
    """The kind of file system that a folder is on, or would be; empty if that is not known."""
    place, found, deepest = folder.resolve(), "", -1
    for point, kind in _mounts():
        # Of two at one place, the later one hides the other.
        if len(point.parts) >= deepest and place.is_relative_to(point):
            found, deepest = kind, len(point.parts)
    return found


def _mounts() -> list[tuple[Path, str]]:
    """Every place at which a drive is mounted, with the kind of its file system."""
    found = []
    with suppress(OSError, IndexError):
        for line in MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            place, _, kind = line.partition(" - ")
            point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), place.split()[4])
            found.append((Path(point), kind.split()[0]))
    return found
