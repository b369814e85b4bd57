"""One log file for all processes of a run."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler

FORMAT = "%(asctime)s %(processName)s %(levelname)s %(name)s: %(message)s"


class LogFile(logging.FileHandler):
    """A file that several threads write to, one for each worker: line by line, never torn."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, delay=True)
        self.setFormatter(logging.Formatter(FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; the receiving threads call this without the lock of `handle`."""
        assert self.lock is not None
        with self.lock:
            super().emit(record)


@contextmanager
def logging_to(file: Path) -> Iterator[LogFile]:
    """The arena's and the engines' lines go to this file as well, while this lasts."""
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


class WorkerLog:
    """One worker's way into the log file.

    Each worker has a queue of its own: a queue's writers share a lock, and a worker killed while it
    holds this lock would silence all the others.
    """

    def __init__(self, name: str, file: LogFile) -> None:
        self._handler = MultiProcessingHandler(name, sub_handler=file)

    def adopt(self) -> None:
        """In the worker: all its lines go this way."""
        root = logging.getLogger()
        root.handlers = [self._handler]
        root.setLevel(logging.INFO)

    def leave(self) -> None:
        """In the parent, once the worker is forked: the worker's end is now the end of the log."""
        self._handler.queue._writer.close()

    def close(self) -> None:
        """In the parent, once the worker is gone: write what is still on its way."""
        self._handler._receive_thread.join()
