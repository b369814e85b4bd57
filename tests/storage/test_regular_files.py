"""What lies in a folder of results in place of files: no page and no command waits for it."""

from __future__ import annotations

import ctypes
import json
import os
import re
import select
import shutil
import signal
import socket
import stat
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from support.foreign_runs import foreign_run
from support.page_requests import ask, page_of
from support.samples import ROOT, ROUND
from support.studies import COIN
from support.sweep import in_turn
from support.typed import typed

from arena import files
from arena.errors import ConfigError
from arena.queue.queue_file import QueueFile
from arena.server.watch.followed_run import SLOW
from arena.server.watch.run_list import run_id
from arena.storage.folder import MAX_CONFIG, keep_text

Act = tuple[str, Callable[[], tuple[int, str]]]
"""A page or a command, and the function that asks for it."""
STUDY = ROOT / "tests/doors/folders/study.yaml"
OPEN = ExitStack()
WORK, KEPT = "work", "kept"
"""The folder in which runs were played and are read, and where they are in between."""
HANG_SECONDS = 30.0  # after which a page or a command hangs for good
MAX_PAGE = 20.0
"""Seconds for a page, which takes less than one where the tests have a processor for themselves."""
OTHERS = ("round", "shallow")  # runs beside the odd one
GAMES = r"\b(48|72)\b"
"""The games of the player in the ratings, without or with those of the odd run."""
PRECIOUS = "precious.txt"  # a file outside of the results, to which links lead
LONG = "n" * 255
PLACES = {
    "an entry of the results": "odd",
    "the database": "run/arena.db",
    "its journal": "run/arena.db-journal",
    "its log": "run/arena.db-wal",
    "its index": "run/arena.db-shm",
    "the lock": "run/lock",
    "the page": "run/report.html",
    "the config": "run/config.yaml",
    "the log": "run/arena.log",
    "the boards": "run/boards.json",
    "the wish to stop": "run/stop",
    "the database of a proof": "study/verification/arena.db",
    "the config of a proof": "study/verification/config.yaml",
}  # places of a folder of results


def _sparse(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(3 << 30)


def _socket(place: Path) -> None:
    with chdir(place.parent), socket.socket(socket.AF_UNIX) as named:  # its path must be short
        named.bind(place.name)


def _device(place: Path) -> None:
    try:
        os.mknod(place, 0o666 | stat.S_IFCHR, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        place.symlink_to("/dev/zero")


def _named(name: bytes) -> Callable[[Path], None]:
    def lay(place: Path) -> None:
        target = place.parent / os.fsdecode(name)
        target.write_text("x")
        place.symlink_to(target.name)

    return lay


ENTRIES: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a socket": _socket,
    "a device": _device,
    "a link to itself": lambda place: place.symlink_to(place.name),
    "a link to nothing": lambda place: place.symlink_to("nowhere/at/all"),
    "a link to a file outside": lambda place: place.symlink_to(outside(place) / PRECIOUS),
    "a link to a folder outside": lambda place: place.symlink_to("/"),
    "a link to a pipe": lambda place: place.symlink_to(outside(place) / "pipe"),
    "no permission": lambda place: (place.touch(), place.chmod(0)),
    "a folder without permission": lambda place: place.mkdir(0),
    "a folder": lambda place: (place.mkdir(), (place / "x").touch()),
    "an empty file": Path.touch,
    "3 GB": _sparse,
    "rubbish": lambda place: place.write_bytes(bytes(range(256)) * 64),
    "no YAML": lambda place: place.write_text("a: [\n"),
    "a name of no encoding": _named(b"\xff\xfe"),
    "a long name": _named(LONG.encode()),
    "a file that vanishes": lambda place: place.write_text("x"),
}  # functions that lay an entry at a place
VANISHES = "a file that vanishes"
PAGES = [
    *("/", "/list", "/ratings", "/now", "/compare/{round}/{shallow}", "/runs/{round}"),
    *("/runs/{run}", "/runs/{run}/report", "/runs/{run}/games", "/runs/{run}/pulse"),
    "/compare/{run}/{round}",
    "/?player=one&state=complete",
]  # pages, with the names of runs for their ids
READERS = [
    *("report {odd}", "report {odd} --format html --output page.html", "report round"),
    *("ratings", "ratings --candidates", "compare {odd} round", "compare round shallow"),
    *("replay {odd} 1", "export {odd} --output games.sgf", "dashboard"),
]  # commands that only read, on the run with the odd entry, or beside it
WRITERS = ["run {odd}.yaml --workers 0", "run {odd}.yaml --workers 0 --fresh"]
WRITERS += ["import {odd} games.jsonl --fresh"]
PROVERS = ["tune study.yaml --workers 0"]  # what looks into the databases of proofs beside


@dataclass(frozen=True, slots=True)
class Seen:
    what: str
    status: int  # -1 if it hangs
    seconds: float
    said: str


def outside(place: Path) -> Path:
    return next(each.parent for each in place.parents if each.name == "results")


@contextmanager
def laid(results: Path, entry: str, place: str) -> Iterator[None]:
    """The results with such an entry at this place; one that vanishes does so again and again."""
    path = results / PLACES[place]
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    ENTRIES[entry](path)
    done = Event()

    def come_and_go() -> None:
        while not done.wait(0.001):
            with suppress(OSError):
                path.rename(path.with_name("gone"))
                path.with_name("gone").rename(path)

    thread = Thread(target=come_and_go)
    if entry == VANISHES:
        thread.start()
    try:
        yield
    finally:
        done.set()
        if entry == VANISHES:
            thread.join()


def without_rights() -> None:
    """Be a user like others, from whom files can be kept."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    ctypes.CDLL(None).capset(header, (ctypes.c_uint32 * 6)())


def in_child(acts: Sequence[Act]) -> Iterator[Seen]:
    """What acts come to one after the other in a process of its own; one that hangs ends it."""
    began = time.monotonic()
    end, start = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(end)
        without_rights()
        with os.fdopen(start, "w") as out:
            for what, act in acts:
                began = time.monotonic()
                try:
                    status, said = act()
                except BaseException:
                    status, said = 1, traceback.format_exc()
                print(json.dumps([what, status, time.monotonic() - began, said]), file=out)
                out.flush()
        os._exit(0)
    os.close(start)
    left = [what for what, _ in acts]
    with os.fdopen(end, "rb", 0) as told:
        lines, deadline = b"", time.monotonic() + HANG_SECONDS
        while left and select.select([told], [], [], max(0.0, deadline - time.monotonic()))[0]:
            lines += (part := told.read(1 << 16) or b"")
            *whole, lines = lines.split(b"\n")
            for line in whole:
                yield Seen(*json.loads(line))
                deadline = time.monotonic() + HANG_SECONDS
                left.pop(0)
            if not part:
                break
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    if left:
        yield Seen(left[0], -1, time.monotonic() - began, "")
        if rest := [each for each in acts if each[0] in left[1:]]:
            yield from in_child(rest)


def page(address: str) -> tuple[int, str]:
    ids = {name: run_id(Path(name)) for name in ("round", "shallow", "run")}
    found = ask(application(), address.format(**ids))
    while SLOW in found.text:
        time.sleep(0.2)
        found = ask(application(), address.format(**ids))
    return found.status, found.text


@cache
def application() -> Any:
    """The application of a child; it is made there, since threads do not come along."""
    return OPEN.enter_context(page_of(Path("results").absolute()))


def command(words: str, odd: str) -> tuple[int, str]:
    if words == "dashboard":
        from arena.tuning.optuna.mirror import Copies

        Copies(Path("results")).update()
        return 0, ""
    done = typed([word.format(odd=odd) for word in words.split()])
    return done.status, done.said


def seen(folder: Path, entry: str, place: str) -> Iterator[Seen]:
    """What all pages and all commands make of an entry at a place.

    `folder` has what `prepare` has made there.
    """
    odd = "study" if "proof" in place else "run" if "/" in PLACES[place] else "odd"
    commands = [(each, partial(command, each, odd)) for each in (*READERS, *WRITERS, *PROVERS)]
    writers = commands[-1:] if "proof" in place else commands[len(READERS) : -1]
    pages = [("an application", application_made), *((each, partial(page, each)) for each in PAGES)]
    for acts in (pages, commands[: len(READERS)], *([each] for each in writers)):
        with odd_results(folder, entry, place):
            yield from in_child(acts)


def application_made() -> tuple[int, str]:
    application()
    return 0, ""


@contextmanager
def odd_results(folder: Path, entry: str, place: str) -> Iterator[None]:
    work = folder.resolve() / WORK
    shutil.copytree(folder.resolve() / KEPT, work, symlinks=True)
    os.mkfifo(work / "pipe")
    (work / PRECIOUS).write_text("precious")
    try:
        with chdir(work), laid(work / "results", entry, place):
            yield
        assert (work / PRECIOUS).read_text() == "precious"
    finally:
        for each in work.rglob("*"):
            if each.is_dir() and not each.is_symlink():
                each.chmod(0o700)
        shutil.rmtree(work)


def prepare(folder: Path) -> None:
    work = folder.resolve() / WORK
    work.mkdir()
    with chdir(work):
        for name in ("round", "shallow", "run", "odd"):
            Path(f"{name}.yaml").write_text(ROUND)
        Path("coin.py").write_text(COIN)
        shutil.copy(STUDY, "study.yaml")
        lines = [f"run {name}.yaml --workers 0" for name in ("round", "shallow", "run")]
        lines += ["tune study.yaml --workers 0", "export round --output games.jsonl"]
        for words in (*lines, "report study", "ratings", "compare round shallow", "dashboard"):
            status, said = command(words, "round")
            assert status == 0, (words, said)
        with OPEN:
            for each in PAGES:
                page(each)
    work.rename(folder.resolve() / KEPT)
    application.cache_clear()


def fault_of(found: Seen, place: str) -> str:
    """What is wrong with what was seen: it hangs, is late, lacks runs, or is a fault of ours."""
    if found.status == -1:
        return "hangs"
    if "Traceback" in found.said or found.status == 500:
        return "is a fault of ours"
    if found.what in ("/", "/list") and not all(f">{name}<" in found.said for name in OTHERS):
        return "lacks runs"
    if found.what in ("/ratings", "ratings") and not re.search(GAMES, found.said):
        return "lacks runs"
    if found.what.startswith("/"):
        return "is late" if found.seconds > MAX_PAGE else ""
    if found.what in ("ratings", "report round", "compare round shallow", "dashboard"):
        return "fails" if found.status else ""
    last = found.said.strip().rpartition("\n")[2]
    names = (Path(PLACES[place]).name, "'odd'", "'run'", "results/", "study/verification")
    if found.status and not (found.status == 2 and any(each in last for each in names)):
        return "does not name the file"
    return ""


FORKS = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
"""A child is forked here while pytest has threads; it only calls us, and ends."""
MAX_SECONDS = 120  # kernels may have to be compiled


@contextmanager
def in_time() -> Iterator[None]:
    """Fail, and do not hang, where something waits without end."""

    def fail(*_: object) -> None:
        pytest.fail("it waits without end")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(MAX_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("place", [each for each in PLACES.values() if each.startswith("run/")])
def test_a_pipe_in_place_of_a_file_hangs_nothing(place: str, tmp_path: Path) -> None:
    results = tmp_path / "results"
    for name in ("run", "other"):
        foreign_run(results / name)
    (results / place).unlink(missing_ok=True)
    os.mkfifo(results / place)
    (tmp_path / "run.yaml").write_text(ROUND)
    with in_time(), chdir(tmp_path), page_of(results) as app:
        assert ">other<" in ask(app, "/").text
        runs = (f"/runs/{run_id(Path(name))}" for name in ("run", "other"))
        for address in ("/ratings", *runs):
            assert SLOW not in ask(app, address).text
        done = typed(["run", "run.yaml", "--workers", "0"])
        # Without its boards a run is played unseen, and what asked to stop is forgotten: then this
        # database is refused, which has no config.
        told = "not what a run keeps" if place.endswith((".json", "stop")) else "is a pipe"
        assert (done.status, told in done.said) == (2, True), done.said
        assert (results / place).is_fifo() or place.endswith("stop")


def test_an_entry_that_cannot_be_looked_at_hides_no_run_and_a_config_has_a_bound(
    tmp_path: Path,
) -> None:
    foreign_run(tmp_path / "run")
    (tmp_path / "loop").symlink_to("loop")
    with page_of(tmp_path) as app:
        assert ">run<" in ask(app, "/").text
    os.truncate(tmp_path / "run" / "config.yaml", MAX_CONFIG + 1)
    with chdir(tmp_path):
        said = typed(["report", "./run"]).said
    assert re.search(r"run/config.yaml: is larger than 16 MB", said), said


@pytest.mark.parametrize("target", ["config.yaml", "pipe", "/"])
def test_a_config_that_is_none_is_named(target: str, tmp_path: Path) -> None:
    config = foreign_run(tmp_path / "results" / "run") / "config.yaml"
    config.unlink()
    os.mkfifo(config.with_name("pipe"))
    config.symlink_to(target)
    with in_time(), chdir(tmp_path):
        done = typed(["report", "run"])
    assert done.status == 2
    assert done.said.startswith("results/run/config.yaml: ")


@pytest.mark.parametrize("name", ["lock", "arena.log", "arena.db-wal"])
def test_nothing_is_written_through_a_link(name: str, tmp_path: Path) -> None:
    precious, run = tmp_path / "precious", tmp_path / "results" / "run"
    precious.write_text("precious")
    run.mkdir(parents=True)
    (run / name).symlink_to(precious)
    (tmp_path / "run.yaml").write_text(ROUND)
    with chdir(tmp_path):
        done = typed(["run", "run.yaml", "--workers", "0"])
    assert done.status == 2
    assert f"{name}: is a link, not a file" in done.said
    assert precious.read_text() == "precious"


def test_only_a_file_is_replaced_by_one_that_is_whole(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with in_time(), pytest.raises(OSError, match="is a pipe"):
        keep_text(tmp_path / "pipe", "text")
    assert (tmp_path / "pipe").is_fifo()
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_a_queue_that_is_no_file_is_told(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path)
    file = queue.folder / "queue.db"
    file.unlink()
    os.mkfifo(file)
    with in_time(), pytest.raises(ConfigError, match=r"queue\.db: is a pipe, not a file"):
        queue.entries()


COMMANDS = ["run {} --workers 0", "plan {}", "import in {}", "openings check {}"]
COMMANDS += ["match random_mover random_mover --games 2 --workers 0 --openings {}"]
CONTENTS = {"run": ROUND, "plan": ROUND, "import": '{"format": "gomoku-arena", "version": 1}\n'}


@pytest.fixture(name="pipe")
def fixture_pipe() -> Iterator[tuple[str, int]]:
    """The name of the end of a pipe from which one reads, and the other end."""
    there, here = os.pipe()
    yield f"/dev/fd/{there}", here
    os.close(there)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_named_file_may_be_a_pipe(command: str, pipe: tuple[str, int], tmp_path: Path) -> None:
    name, here = pipe
    word = command.split()[0]
    with open(here, "w") as stream:
        stream.write(CONTENTS.get(word, "3,3 2,2\n4,4 5,5\n"))
    with in_time(), chdir(tmp_path):
        done = typed(command.format(name).split())
    known = {"plan": "this has 3 players", "import": "no game came in"}
    assert known.get(word, "") in done.said
    assert done.status == (2 if word in known else 0), done.said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_is_not_waited_for_without_end(
    command: str, pipe: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_WAIT", 0.05)
    name, here = pipe
    try:
        with in_time(), chdir(tmp_path):
            done = typed(command.format(name).split())
    finally:
        os.close(here)
    assert done.status == 2
    assert "is a pipe that did not end within 0.05 s" in done.said


@pytest.fixture(scope="module", name="played")
def fixture_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    prepare(folder)
    return folder


@FORKS
@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("place", PLACES)
def test_no_odd_entry_hangs_or_hides_anything(place: str, played: Path) -> None:
    faults: list[tuple[str, str, Seen]] = []
    for entry in in_turn(ENTRIES, [*PLACES].index(place)):
        found = [(fault_of(each, place), each) for each in seen(played, entry, place)]
        faults += [(entry, fault, each) for fault, each in found if fault]
    assert not faults
