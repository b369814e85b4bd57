"""Kernels compiled by children, for a process that must stay small: it loads what they made."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from numba.core import event

from arena.jit import is_of_kernel
from arena.processes.child import forking
from arena.processes.confine import die_with

KERNELS_EACH = 20
"""Kernels that a child compiles, for each of which numba holds 3 MB until its process ends."""
MOST_CHILDREN = 50
UNFINISHED = 75
"""Exit code of a child that leaves the rest to the next one."""


@contextmanager
def compiling_in_children(kernels_each: int = KERNELS_EACH) -> Iterator[None]:
    """Let children, one after the other, compile the kernels that this block calls.

    A child is forked where a kernel is missing in the cache, and goes on from there, at most to the
    end of the block: what stands in the block is done in several processes.
    """
    children = Children(kernels_each)
    try:
        with event.install_listener("numba:compile", children):
            yield
    finally:
        if children.is_child:
            os._exit(0)


class Children(event.Listener):
    """A listener of numba's; holds which process it is in, and how many kernels that compiled."""

    def __init__(self, kernels_each: int) -> None:
        self.is_child = False
        self._has_forked = False
        self._kernels_each, self._compiled = kernels_each, 0

    def on_start(self, compilation: Any) -> None:
        """Fork before the first kernel; in a child that has done its part, end.

        All kernels compiled before this one are in the cache by now.
        """
        if not is_of_kernel(compilation):
            return
        if not self._has_forked:
            self._has_forked = True
            with suppress(OSError):  # this process compiles what its children did not
                self._fork()
        elif self.is_child and self._compiled >= self._kernels_each:
            os._exit(UNFINISHED)

    def on_end(self, compilation: Any) -> None:
        """Count what is compiled."""
        self._compiled += is_of_kernel(compilation)

    def _fork(self) -> None:
        """Start one child after the other, until one has finished; returns in each child, too."""
        parent = os.getpid()
        for _ in range(MOST_CHILDREN):
            with forking():
                child = os.fork()
            if not child:
                self.is_child = True
                die_with(parent)
                gc.enable()
                return
            _, status = os.waitpid(child, 0)
            if os.waitstatus_to_exitcode(status) != UNFINISHED:
                return
