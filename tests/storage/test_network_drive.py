"""Folders on network drives: nothing is played into them, and all that is there can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.samples import Write

import arena
from arena import ConfigError
from arena.storage import connection

LINES = """\
22 1 0:21 / / rw,relatime - ext4 /dev/root rw
23 22 0:22 / /home rw shared:5 - {kind} server:/home rw,vers=4.2
24 23 0:23 / /home/a\\040b rw - xfs /dev/sdb rw
25 23 0:24 / /home/twice rw - ext4 /dev/sdc rw
26 25 0:25 / /home/twice rw - nfs server:/twice rw
"""


def mounted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: str) -> None:
    file = tmp_path / "mountinfo"
    file.write_text(lines)
    monkeypatch.setattr(connection, "MOUNTS", file)


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/", ""),
        ("/homely", ""),
        ("/home", "nfs4"),
        ("/home/results/deep/not/there", "nfs4"),
        ("/home/a b/results", ""),
        ("/home/twice/results", "nfs"),
    ],
)
def test_a_folder_is_on_the_drive_that_was_mounted_last_and_deepest(
    folder: str, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mounted(monkeypatch, tmp_path, LINES.format(kind="nfs4"))
    assert connection.network_drive(Path(folder)) == kind


@pytest.mark.parametrize("lines", ["", "rubbish", "1 2 - ext4\n", "\n\n"])
def test_of_a_list_that_cannot_be_read_nothing_is_known(
    lines: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mounted(monkeypatch, tmp_path, lines)
    assert connection.network_drive(tmp_path) == ""
    monkeypatch.setattr(connection, "MOUNTS", tmp_path / "none")
    assert connection.network_drive(tmp_path) == ""


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "lustre", "fuse.sshfs"])
def test_nothing_is_played_into_a_network_drive_and_what_is_there_can_be_read(
    kind: str, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file, results = write(), tmp_path / "results"
    arena.run(file, workers=0, results=results)
    mounted(monkeypatch, tmp_path, f"23 22 0:22 / {results} rw - {kind} server:/x rw\n")
    with pytest.raises(ConfigError, match=r"on a network drive \(.*\), .* results='~/results'"):
        arena.run(file, workers=0, results=results, fresh=True)
    assert len(arena.open_run("round", results=results).report().games) == 12
    with pytest.raises(ConfigError, match="on a network drive"):
        arena.run(file, workers=0, results=results / "new")
    assert not (results / "new").exists()


@pytest.mark.parametrize("kind", ["ext4", "9p", "overlay", "tmpfs", "fuse.ntfs-3g", "virtiofs"])
def test_a_disk_of_one_machine_is_played_into(
    kind: str, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mounted(monkeypatch, tmp_path, f"23 22 0:22 / {tmp_path} rw - {kind} /dev/sda rw\n")
    assert len(arena.run(write(), workers=0, results=tmp_path).games()) == 12
