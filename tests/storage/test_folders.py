"""Folders on network drives, and of version 0.1.0: nothing is played there, all can be read."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support.samples import Write
from support.typed import typed

import arena
from arena import ConfigError
from arena.ratings.rating_list import rating_list
from arena.server.watch.run_list import readable_summary
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
        *(("/", ""), ("/homely", ""), ("/home", "nfs4"), ("/home/results/deep/not/there", "nfs4")),
        *(("/home/a b/results", ""), ("/home/twice/results", "nfs")),
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


KEPT = Path(__file__).parents[1] / "data" / "kept_by_0_1_0"
SENTENCE = r"was kept by gomoku-arena 0\.1\.0, .*`arena export (\S+) -o games\.jsonl`.*arena import"


@pytest.fixture
def results(write: Write) -> Path:
    """Results with a run of today, and one of 0.1.0 that is called `old`."""
    file = write()
    arena.run(file, workers=0, results=file.parent / "results")
    shutil.copytree(KEPT, file.parent / "results" / "old")
    return file.parent / "results"


@pytest.mark.parametrize("words", ["report", "replay 1", "export", "plan", "compare round"])
def test_commands_say_how_to_export_the_games_and_change_nothing(results: Path, words: str) -> None:
    command, *more = words.split()
    before = (results / "old/arena.db").read_bytes()
    end = typed([command, "old", *more, "--results", str(results)])
    assert end.status == 2
    assert re.findall(SENTENCE, end.said) == [str(results / "old")]
    assert "delete" not in end.said
    assert (results / "old/arena.db").read_bytes() == before


def test_a_run_of_that_name_begins_again_only_if_asked_to(results: Path, write: Write) -> None:
    file = write(name="old.yaml")
    with pytest.raises(ConfigError, match=SENTENCE):
        arena.run(file, workers=0, results=results)
    assert len(arena.run(file, workers=0, results=results, fresh=True).games()) == 12


def test_ratings_leave_it_out_with_the_sentence_and_the_list_of_runs_has_a_line(
    results: Path,
) -> None:
    found = rating_list(results)
    assert found.players
    (note,) = found.notes
    assert re.search(SENTENCE, note)
    assert readable_summary(results / "old").state == "not readable"
    assert readable_summary(results / "round").state == "complete"
