"""One log file for all processes of a run, and a file for each game of its programs' talk."""

from __future__ import annotations

import logging
import multiprocessing
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from io import FileIO
from pathlib import Path
from tempfile import TemporaryFile

from multiprocessing_logging import MultiProcessingHandler

from arena.errors import ConfigError, refusal_of, refused
from arena.match.record import Job
from arena.workers.heartbeat import Heartbeat

logger = logging.getLogger(__name__)

LOG_FORMAT = "%(asctime)s %(processName)s %(levelname)s %(name)s: %(game)s%(message)s"

ON_SCREEN = {"on_screen": True}
"""Marks a warning that is for the screen too, from whatever process it comes."""
DRAIN_TIMEOUT = 1.0  # Seconds without a line after which no more are waited for
SWITCH = threading.Lock()  # Held while the process's start method is another than the user's


class LogFile(logging.FileHandler):
    """A file that several threads write to, one for each worker; no line of it is ever torn."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, encoding="utf-8", errors="backslashreplace", delay=True)
        self.written = 0
        self._shown = set[str]()
        """What was shown on the screen: several workers may have the same to say."""
        self._refusal: ConfigError | None = None
        self.setFormatter(logging.Formatter(LOG_FORMAT, defaults={"game": ""}))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; the receiving threads call this without the lock of `handle`."""
        assert self.lock is not None
        with self.lock:
            super().emit(record)
            self.written += 1
        is_new = getattr(record, "on_screen", False) and record.getMessage() not in self._shown
        if is_new and logging.lastResort:
            self._shown.add(record.getMessage())
            logging.lastResort.handle(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Keep what the system refused, which `check` raises where games are kept."""
        error = sys.exception()
        self._refusal = refusal_of(error, self.baseFilename) if error else None
        if not self._refusal:
            super().handleError(record)

    def check(self) -> None:
        """Raise a ConfigError if lines could not be written."""
        if self._refusal:
            raise self._refusal

    def append(self, lines: str) -> None:
        assert self.lock is not None
        if lines:
            with self.lock:
                self.stream = self.stream or self._open()
                self.stream.write(lines)
                self.flush()


@contextmanager
def logging_to(file: Path) -> Iterator[LogFile]:
    handler = LogFile(file)
    root, own = logging.getLogger(), logging.getLogger("arena")
    level = own.level
    root.addHandler(handler)
    own.setLevel(logging.INFO)
    try:
        yield handler
    finally:
        root.removeHandler(handler)
        own.setLevel(level)
        handler.close()


class _Handler(MultiProcessingHandler):  # type: ignore[misc]
    """A handler that can be closed, as Python does at its exit, even if the system refused it."""

    _is_closed = True


class WorkerLog:
    """A worker's channel into the log file.

    Each worker has a queue of its own: a queue's writers share a lock, and a worker killed while it
    holds this lock would silence all the others.
    """

    def __init__(self, name: str, file: LogFile) -> None:
        self.file = file
        self._written = -1
        self.job: Job | None = None
        with _fork_as_default():
            self._handler = _Handler(name, sub_handler=file)

    def become_writer(self, heartbeat: Heartbeat) -> None:
        def add_game(record: logging.LogRecord) -> bool:
            if self.job:
                mover = f", {self.job.player(heartbeat.seat)} to move" if heartbeat.seat else ""
                record.game = f"[{self.job}{mover}] "
            return True

        # The handler shares this list with the file's, which is the parent's.
        self._handler.filters = [add_game]
        root = logging.getLogger()
        root.handlers = [self._handler]
        root.setLevel(logging.INFO)

    def become_reader(self) -> None:
        """Close the parent's way in, once the worker is forked: it alone keeps the log open."""
        self._handler.queue._writer.close()

    def close(self) -> None:
        """Write the lines that are still on their way: for the parent, once the worker is gone."""
        while self._handler._receive_thread.is_alive() and self.is_flowing():
            self._handler._receive_thread.join(DRAIN_TIMEOUT)

    def is_flowing(self) -> bool:
        before, self._written = self._written, self.file.written
        return self._written != before


@contextmanager
def _fork_as_default() -> Iterator[None]:
    """Let processes be forked unless told otherwise while this lasts.

    The start method belongs to the program that calls us, a notebook perhaps. But under any other
    method multiprocessing-logging loses every line, silently, and it takes no context.
    """
    with SWITCH:
        before = multiprocessing.get_start_method(allow_none=True)
        multiprocessing.set_start_method("fork", force=True)
        try:
            yield
        finally:
            multiprocessing.set_start_method(before, force=True)


LONGEST_NAME = 40  # Characters of a player's name in that of a file
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


class TalkLog:
    """Holds the file of the game that this process plays.

    It is written line by line, without a buffer, so that it is complete however a game ends.
    """

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        """Make the folder, if there is none; ConfigError if no file can be made there.

        `fresh` throws away what was written before of a game that begins.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=folder).close()
        except OSError as error:
            raise refused(error, f"--log {folder}") from None
        self._folder = folder.absolute()
        self._kept_from = time.time() if fresh else 0.0
        """When the oldest file was written that is added to."""
        self._file: FileIO | None = None
        self._began = 0.0
        self._rests = dict[tuple[str, str], bytes]()
        """What was said since the last end of a line, by the player and the mark."""

    def begin(self, job: Job) -> None:
        """Go on with a game of this job; one that is played again is added to its file."""
        self.end()
        self._began = time.monotonic()
        self._path = self._folder / _file_name(job)
        try:
            is_kept = self._path.exists() and self._path.stat().st_mtime >= self._kept_from
            self._file = FileIO(self._path, "ab" if is_kept else "wb")
        except OSError as error:
            self._give_up(error)
        self._put(f"# game {job.number}: {job}; begun {datetime.now():%Y-%m-%d %H:%M:%S}")

    def write(self, player: str, mark: str, data: bytes) -> None:
        """Write the lines of what a player's program was sent (`>`), has said (`<`), or has written
        to standard error (`!`)."""
        if mark == ">":
            self._write_rests(player)
        *lines, rest = (self._rests.pop((player, mark), b"") + data).split(b"\n")
        for line in lines:
            self._put_line(player, mark, line)
        if rest:
            self._rests[player, mark] = rest

    def end(self, words: str = "") -> None:
        for player in {player for player, _ in self._rests}:
            self._write_rests(player)
        if words:
            self._put(f"# {words}")
        if self._file:
            self._file.close()
            self._file = None

    def _write_rests(self, player: str) -> None:
        for key in [key for key in self._rests if key[0] == player]:
            self._put_line(*key, self._rests.pop(key) + b" (no end of line)")

    def _put_line(self, player: str, mark: str, line: bytes) -> None:
        text = CONTROL.sub(
            lambda found: repr(found[0])[1:-1], line.decode(errors="backslashreplace")
        )
        self._put(f"{time.monotonic() - self._began:9.3f} {player} {mark} {text}")

    def _put(self, text: str) -> None:
        if self._file:
            try:
                self._file.write(f"{text}\n".encode(errors="backslashreplace"))
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Write no more of this game: it goes on, since a full disk is no player's fault."""
        logger.warning("no more of a log: %s", refused(error, self._path), extra=ON_SCREEN)
        if self._file:
            with suppress(OSError):
                self._file.close()
        self._file = None


def _file_name(job: Job) -> str:
    names = (re.sub(r"[^\w.+-]+", "-", job.player(seat))[:LONGEST_NAME] for seat in (1, 2))
    return f"{job.number:04}-{'-'.join(names)}.log"
