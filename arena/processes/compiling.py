"""Kernels compiled by children, for a process that must stay small: it loads what they made."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from mmap import mmap
from threading import get_ident
from typing import Any

from numba.core import event

from arena.jit import is_of_kernel
from arena.processes.child import die_with, forking

KERNELS_EACH = 20
"""Kernels that a child compiles, for each of which numba holds 3 MB until its process ends."""
MOST_CHILDREN = 50
"""Children for one block, should each be killed soon: enough for a thousand kernels otherwise."""
SLOTS = 2**16  # Bytes for marks of compiled kernels, enough for two hardly ever to share one


@contextmanager
def compiling_in_children(kernels_each: int = KERNELS_EACH) -> Iterator[None]:
    """Let children, one after the other, compile the kernels that this block calls.

    A child is forked where a kernel is missing in the cache, and goes on from there, at most to the
    end of the block: what stands in the block is done in several processes. This one compiles what
    is missing still once a child gets no further than those before. Other threads are left alone.
    """
    children = Children(kernels_each)
    try:
        with event.install_listener("numba:compile", children):
            yield
    finally:
        if children.is_child:
            children.finish()


class Children(event.Listener):
    """A listener of numba's; holds which process it is in, and how many kernels that compiled."""

    def __init__(self, kernels_each: int) -> None:
        self.is_child = False
        self._thread = get_ident()
        self._has_forked = False
        self._kernels_each, self._compiled = kernels_each, 0
        # Shared with the children, whose exit codes are lost where SIGCHLD is ignored.
        self._is_finished, self._marks = mmap(-1, 1), mmap(-1, SLOTS)

    def on_start(self, compilation: Any) -> None:
        """Fork before the first kernel; in a child that has done its part, end.

        All kernels compiled before this one are in the cache by now, if they can be.
        """
        if not self._is_ours(compilation):
            return
        if not self._has_forked:
            self._has_forked = True
            with suppress(OSError):  # this process compiles what its children did not
                self._fork()
        elif self.is_child and self._compiled >= self._kernels_each:
            os._exit(0)

    def on_end(self, compilation: Any) -> None:
        if self._is_ours(compilation):
            self._compiled += 1
            self._marks[_slot_of(compilation)] = 1

    def finish(self) -> None:
        self._is_finished[0] = 1
        os._exit(0)

    def _is_ours(self, compilation: Any) -> bool:
        return get_ident() == self._thread and is_of_kernel(compilation)

    def _fork(self) -> None:
        """Start one child after the other, as long as it helps; returns in each child, too."""
        parent, marked = os.getpid(), 0
        for _ in range(MOST_CHILDREN):
            with forking():
                child = os.fork()
            if not child:
                self.is_child = True
                die_with(parent)
                gc.enable()  # brains run without, and numba's garbage would count as their memory
                return
            with suppress(ChildProcessError):  # it is waited for also where SIGCHLD is ignored
                os.waitpid(child, 0)
            before, marked = marked, self._marks[:].count(1)
            if self._is_finished[0] or marked == before:
                return


def _slot_of(compilation: Any) -> int:
    """The number of the byte for a kernel with these types, equal in all children."""
    kernel = compilation.data["dispatcher"].py_func
    return hash((kernel.__module__, kernel.__qualname__, str(compilation.data["args"]))) % SLOTS
