"""Ctrl-C: it ends a tournament after the games in flight, and leaves a compiled search."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread, main_thread
from types import FrameType

PATIENCE = 0.3
"""Seconds within which Python hears of Ctrl-C, unless a compiled search keeps it from that."""


@contextmanager
def stoppable(tell: Callable[[], object]) -> Iterator[Callable[[], bool]]:
    """Watch Ctrl-C while this lasts: pressed once to end soon, twice to end at once.

    Call `tell` at the first press. Yield a function that tells whether it was pressed. Until that
    is called, nothing is under way that would end soon, and the first press ends at once, too.
    """
    is_asked = is_pressed = False

    def ask() -> bool:
        nonlocal is_asked
        is_asked = True
        return is_pressed

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal is_pressed
        if is_pressed or not is_asked:
            raise KeyboardInterrupt
        is_pressed = True
        tell()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield ask
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def escapable(leave: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C end the process while this lasts, even if a search does not return.

    Python turns it into a KeyboardInterrupt only between its own instructions. If that has not
    come about in time, a thread calls `leave`, and the exit code is 130. The search must have let
    go of the interpreter's lock, as kernels do. For the main thread only.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    is_over = Event()

    def watch() -> None:
        while number := os.read(reader, 1):
            if number[0] != signal.SIGINT or is_over.wait(PATIENCE):
                continue
            # A terminal's line editor misses a signal that comes as it begins to wait.
            signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
            if not is_over.wait(PATIENCE):
                leave()
                os._exit(130)

    watcher, before = Thread(target=watch, daemon=True), signal.set_wakeup_fd(writer)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        signal.set_wakeup_fd(before)
        os.close(writer)
        watcher.join()
        os.close(reader)
