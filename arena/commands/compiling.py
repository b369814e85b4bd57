"""The notice that kernels are being compiled, while a command has nothing to show yet."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NOTICE = "Compiling kernels"
HOW_LONG = "once after installation, about half a second each"
EVERY = 10
"""Kernels after which it is said how many there are so far."""


@contextmanager
def compiling_noticed() -> Iterator[None]:
    """Say on standard error for which engine kernels are being compiled, if any are while this
    lasts, and how many so far.
    """
    # numba takes a while to import, in which `--help` would wait.
    from arena.jit import announcing

    if sys.stderr is None:
        yield
        return
    # Engines are built in processes of their own, too, whose output is not for the screen.
    screen, began = os.dup(2), time.monotonic()

    def tell(engine: str, count: int, is_first: bool) -> None:
        with suppress(OSError):  # of a standard error that takes no more
            if is_first:
                of_engine = f" for {Path(engine).name}" if engine else ""
                os.write(screen, f"{NOTICE}{of_engine} ({HOW_LONG}) ...\n".encode())
            elif count % EVERY == 0:
                so_far = f"... {count} kernels compiled, {time.monotonic() - began:.0f} s"
                os.write(screen, f"{so_far}\n".encode())

    try:
        with announcing(tell):
            yield
    finally:
        os.close(screen)
