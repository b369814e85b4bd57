"""Disks without room: what was kept stays, and the same command goes on once there is room."""

from __future__ import annotations

import errno
import logging
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, suppress
from pathlib import Path

import pytest
from support.processes import finished
from support.samples import ROUND, Write
from support.typed import typed, typed_within

import arena
from arena.config.shipped import CONFIGS
from arena.errors import ConfigError, DiskFullError, placed, refusal_of
from arena.queue.queue_file import QueueFile
from arena.queue.submission import Submission, take_in
from arena.workers.logs import LogFile

FULL = re.compile(r"the disk is full: ([\d,]+) games are kept\. Make room and type the same")
LONG = ROUND.replace("plies: 2, count: 2", "plies: 4, count: 100")
GAMES = 600
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


class SmallDisk:
    """Holds a disk of a size, below a folder, which only root can mount."""

    def __init__(self, folder: Path, options: str) -> None:
        self.folder = folder
        folder.mkdir()
        self._mount("-t", "tmpfs", "-o", options, "none")

    def _mount(self, *words: str) -> None:
        done = finished(["mount", *words, str(self.folder)], text=True)
        if done.returncode:
            pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")

    def grow(self) -> None:
        self._mount("-o", "remount,size=64m,nr_inodes=10000")

    def fill(self) -> None:
        with (self.folder / "filler").open("wb", buffering=0) as filler, suppress(OSError):
            while filler.write(bytes(1000)):
                pass


@pytest.fixture(name="disk", params=["size=400k"])
def fixture_disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SmallDisk]:
    if not shutil.which("mount"):
        pytest.skip("no disk can be mounted here")
    disk = SmallDisk(tmp_path / "disk", request.param)
    yield disk
    subprocess.run(["umount", "-l", disk.folder], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_a_disk_that_fills_keeps_the_games(workers: int, disk: SmallDisk, write: Write) -> None:
    words = ["run", str(write(LONG)), "--workers", str(workers), "--results", str(disk.folder)]
    end = typed(words)
    found = FULL.search(end.said)
    assert found, end.said
    assert not re.search("Traceback|Logging error", end.said), end.said
    assert (end.status, (kept := int(found[1])) > 20) == (5, True), end.said
    disk.grow()
    assert len(arena.open_run("round", results=disk.folder).records()) == kept
    assert typed(words).status == 0
    assert len(arena.open_run("round", results=disk.folder).records()) == GAMES


@pytest.mark.slow
@pytest.mark.parametrize("disk", ["size=1m,nr_inodes=4", "size=16k", "size=40k"], indirect=True)
@pytest.mark.parametrize("command", ["run", "match", "import", "export", "report", "openings"])
def test_a_command_on_a_disk_that_is_full_ends_in_words(
    command: str, disk: SmallDisk, write: Write, tmp_path: Path
) -> None:
    file, place = write(), disk.folder
    kept = ["--results", str(tmp_path / "results")]
    games = tmp_path / "games.sgf"
    book = CONFIGS / "book_freestyle15.yaml"
    if command in ("import", "export", "report"):
        assert typed(["run", str(file), "--workers", "0", *kept]).status == 0
        assert typed(["export", "round", "--output", str(games), *kept]).status == 0
    disk.fill()
    before = {*place.rglob("*")}
    words = {
        "run": ["run", str(file), "--workers", "0", "--results", f"{place}/new"],
        "match": ["match", "random_mover", "random_mover", "--games", "2", "--workers", "0"],
        "import": ["import", "new", str(games), "--results", str(place)],
        "export": ["export", "round", "--output", f"{place}/games.sgf", *kept],
        "report": ["report", "round", "--format", "html", "--output", f"{place}/x.html", *kept],
        "openings": ["openings", "make", str(book), "--output", f"{place}/x.txt", "--workers", "0"],
    }[command]
    with chdir(place):
        end = typed(words)
    assert "Traceback" not in end.said, end.said
    assert (end.status, "Make room and type the same command" in end.said) == (5, True), end.said
    left = {each for each in {*place.rglob("*")} - before if each.is_file() and each.stat().st_size}
    assert not left or command == "run"


@needs_full
@pytest.mark.parametrize("words", ["export round", "report round --json"])
def test_an_output_that_is_full_is_told(words: str, write: Write, tmp_path: Path) -> None:
    kept = ["--results", str(tmp_path)]
    assert typed(["run", str(write()), "--workers", "0", *kept]).status == 0
    end = typed([*words.split(), "--output", "/dev/full", *kept])
    assert (end.status, "the disk is full" in end.said) == (5, True), end.said


@needs_full
@pytest.mark.parametrize(
    ("words", "stream", "status", "told"),
    [
        ("run round.yaml --workers 0", "1>", 5, "standard output: the disk is full: 0 games are"),
        ("run round.yaml --workers 2", "1>", 5, "standard output: the disk is full: 0 games are"),
        ("engines", "1>", 5, "standard output: the disk is full: what was kept before stays"),
        ("run round.yaml --workers 0", "2>", 0, "State: complete"),
        ("run none.yaml", "2>", 2, ""),
        ("none", "2>", 2, ""),
    ],
)
def test_a_standard_stream_that_is_full_is_called_so(
    words: str, stream: str, status: int, told: str, write: Write, tmp_path: Path
) -> None:
    write()
    command = f"{sys.executable} -m arena {words} {stream}/dev/full"
    done = finished(command, shell=True, cwd=tmp_path, text=True)
    assert (done.returncode, told in done.stdout + done.stderr) == (status, True), done
    assert "Traceback" not in done.stderr


LIMITS = [("FSIZE=20480", 5, "the disk takes no more")]
LIMITS += [(f"NOFILE={number}", 2, "raise `ulimit -n`") for number in (7, 8, 17, 18, 19)]


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "status", "told"), LIMITS)
def test_a_limit_of_files_is_told_as_one(
    limit: str, status: int, told: str, write: Write, tmp_path: Path
) -> None:
    words = ["run", str(write()), "--workers", "2", "--results", str(tmp_path / "results")]
    (end,) = typed_within(limit, [words], tmp_path, "arena.report.live")
    assert (end.status, told in end.said, "read" in end.said) == (status, True, False), end


def test_a_full_disk_takes_no_submission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = QueueFile(tmp_path)
    wanted = Submission("name: x\n" + ROUND, files={"a/x.py": b"x", "b/y.py": b"y"})
    write_bytes = Path.write_bytes

    def write(file: Path, content: bytes) -> int:
        if file.name == "y.py":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file))
        return write_bytes(file, content)

    monkeypatch.setattr(Path, "write_bytes", write)
    for _ in range(2):
        with pytest.raises(DiskFullError, match="the disk is full"):
            take_in(queue, wanted)
    assert not [*(tmp_path / "queue/code").iterdir()]
    assert queue.entries() == []


@needs_full
def test_a_log_that_is_full_is_told_where_games_are_kept(tmp_path: Path) -> None:
    log = LogFile(Path("/dev/full"))
    log.check()
    log.handle(logging.makeLogRecord({"msg": "a game"}))
    with pytest.raises(DiskFullError):
        log.check()
    with pytest.raises(OSError, match="No space"):
        log.close()


FAULTS = [KeyError("x"), OSError("x"), OSError(errno.EBADF, "x"), BrokenPipeError(), EOFError()]
FAULTS += [FileNotFoundError(errno.ENOENT, "x", arena.__file__), UnicodeError("x")]
FAULTS += [FileNotFoundError("weights missing"), FileNotFoundError(errno.ENOENT, "x")]


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_fault_of_ours_stays_one(fault: Exception) -> None:
    assert refusal_of(fault) is None


REFUSED = [
    *((OSError(errno.ENOSPC, "x"), 5), (OSError(errno.EDQUOT, "x", "file"), 5)),
    *((OSError(errno.EFBIG, "x", "file"), 5), (OSError(errno.EMFILE, "x", arena.__file__), 2)),
    *((BlockingIOError(errno.EAGAIN, "x"), 2), (PermissionError(errno.EACCES, "x", "file"), 2)),
    *((OSError(errno.ELOOP, "x", b"\xff"), 2), (MemoryError(), 2)),
    (UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates not allowed"), 2),
]


@pytest.mark.parametrize(("error", "status"), REFUSED, ids=map(repr, REFUSED))
def test_what_the_system_refuses_is_one_line_and_a_status(error: Exception, status: int) -> None:
    found = refusal_of(error)
    assert isinstance(found, ConfigError)
    assert found.status == status
    assert len(str(found).splitlines()) == 1


def test_a_full_disk_stays_one_whatever_tells_its_place() -> None:
    with pytest.raises(DiskFullError, match="x: the disk is full: 7 games") as raised, placed("x"):
        raise DiskFullError(games=7)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.status, again.faults, str(again)) == (5, raised.value.faults, str(raised.value))
