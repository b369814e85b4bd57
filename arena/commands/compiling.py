"""The notice that kernels are being compiled, while a command has nothing to show yet."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NOTICE = "Compiling kernels (once after installation) ..."


@contextmanager
def compiling_noticed() -> Iterator[None]:
    """Say on standard error that kernels are being compiled, if any are while this lasts."""
    # numba takes a while to import, in which `--help` would wait.
    from arena.jit import announcing

    if sys.stderr is None:
        yield
        return
    # Engines are built in processes of their own, too, whose output is not for the screen.
    screen = os.dup(2)
    try:
        with announcing(lambda: os.write(screen, f"{NOTICE}\n".encode())):
            yield
    finally:
        os.close(screen)
