"""Odd entries in a folder of results, and what pages and commands make of them.

All is tried in processes of their own, which have no rights of an administrator, and which are
ended where they hang.
"""

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

from support.page_requests import ask, page_of
from support.samples import ROOT, ROUND
from support.studies import COIN
from support.typed import typed

from arena.server.watch.followed_run import SLOW
from arena.server.watch.run_list import run_id

Act = tuple[str, Callable[[], tuple[int, str]]]
"""A page or a command, and the function that asks for it."""
STUDY = ROOT / "tests/doors/folders/study.yaml"
OPEN = ExitStack()
WORK, KEPT = "work", "kept"
"""The folder in which runs were played and are read, and where they are in between."""
MAX_SECONDS = 30.0
"""After which a page or a command hangs for good."""
MAX_PAGE = 20.0
"""Seconds for a page, which takes less than one where the tests have a processor for themselves."""
OTHERS = ("round", "shallow")
"""Runs beside the odd one."""
GAMES = r"\b(48|72)\b"
"""The games of the player in the ratings, without or with those of the odd run."""
PRECIOUS = "precious.txt"
"""A file outside of the results, to which links lead."""
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
}
"""Places of a folder of results."""


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
    """A link to a file with such a name."""

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
}
"""Functions that lay an entry at a place."""
VANISHES = "a file that vanishes"
PAGES = [
    *("/", "/list", "/ratings", "/now", "/compare/{round}/{shallow}", "/runs/{round}"),
    *("/runs/{run}", "/runs/{run}/report", "/runs/{run}/games", "/runs/{run}/pulse"),
    "/compare/{run}/{round}",
    "/?player=one&state=complete",
]
"""Pages, with the names of runs for their ids."""
READERS = [
    *("report {odd}", "report {odd} --format html --output page.html", "report round"),
    *("ratings", "ratings --candidates", "compare {odd} round", "compare round shallow"),
    *("replay {odd} 1", "export {odd} --output games.sgf", "dashboard"),
]
"""Commands that only read, on the run with the odd entry, or beside it."""
WRITERS = [
    "run {odd}.yaml --workers 0",
    "run {odd}.yaml --workers 0 --fresh",
    "import {odd} games.jsonl --fresh",
]
PROVERS = ["tune study.yaml --workers 0"]
"""What looks into the databases of proofs beside."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a page or a command."""

    what: str
    status: int
    """-1 if it hangs."""
    seconds: float
    said: str


def outside(place: Path) -> Path:
    """The folder around the results of a place."""
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
        lines, deadline = b"", time.monotonic() + MAX_SECONDS
        while left and select.select([told], [], [], max(0.0, deadline - time.monotonic()))[0]:
            lines += (part := told.read(1 << 16) or b"")
            *whole, lines = lines.split(b"\n")
            for line in whole:
                yield Seen(*json.loads(line))
                deadline = time.monotonic() + MAX_SECONDS
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
    """The status and the text of a page, once it does not ask for itself again."""
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
    """The status of a command, and what it says."""
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
    """A copy of the results with such an entry at this place, in the current folder."""
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
    """Play runs and a study, and import in this process what its children need."""
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
