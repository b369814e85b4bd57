"""One log file for all processes of a run, each line with its game and the player to move."""

from __future__ import annotations

import logging
import multiprocessing
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler

from arena.errors import ConfigError
from arena.match.record import Job
from arena.refusals import refusal_of
from arena.workers.heartbeat import Heartbeat

LOG_FORMAT = "%(asctime)s %(processName)s %(levelname)s %(name)s: %(game)s%(message)s"

ON_SCREEN = {"on_screen": True}
"""Marks a warning that is for the screen too, from whatever process it comes."""
DRAIN_TIMEOUT = 1.0
"""Seconds without a line after which no more are waited for."""
SWITCH = threading.Lock()
"""Held while the process's start method is another than the user's."""


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
        """Write lines that were made elsewhere, as they are."""
        assert self.lock is not None
        if lines:
            with self.lock:
                self.stream = self.stream or self._open()
                self.stream.write(lines)
                self.flush()


@contextmanager
def logging_to(file: Path) -> Iterator[LogFile]:
    """Send the arena's and the engines' lines to this file as well, while this lasts."""
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
        with fork_as_default():
            self._handler = _Handler(name, sub_handler=file)

    def become_writer(self, heartbeat: Heartbeat) -> None:
        """Send all lines of this process, the worker, with their game and the player to move."""

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
        """True if lines were written since the last time that this was asked."""
        before, self._written = self._written, self.file.written
        return self._written != before


@contextmanager
def fork_as_default() -> Iterator[None]:
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
