"""Kernels compiled by children: the process itself loads them, and ends its block alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from support.processes import finished
from support.samples import ROOT

KERNELS = "from arena.jit import kernel\n" + "".join(
    f"""
@kernel
def add_{number}(n):
    return n + {number}
"""
    for number in range(5)
)

PROGRAM = """
import os
import signal
from threading import Thread

import kernels
from numba.core.caching import FunctionCache
from arena.processes.compiling import compiling_in_children

parent, fork, forks = os.getpid(), os.fork, []
os.fork = lambda: forks.append(1) or fork()
first, *others = [getattr(kernels, f"add_{{number}}") for number in range(5)]
with compiling_in_children({kernels_each}):
    {before}
    results = [first(0)]
    {then}
    results += [each(0) for each in others]
print(*results)
print(*[len(each.stats.cache_hits) for each in (first, *others)])
print(len(forks))
"""
RESULTS = "0 1 2 3 4"
NONE_LOADED, ALL_LOADED, FIRST_COMPILED = "0 0 0 0 0", "1 1 1 1 1", "0 1 1 1 1"


def printed(folder: Path, kernels_each: int, then: str = "pass", before: str = "pass") -> list[str]:
    (folder / "kernels.py").write_text(KERNELS)
    paths = {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    done = finished(
        [sys.executable, "-c", PROGRAM.format(kernels_each=kernels_each, then=then, before=before)],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")} | paths,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(("kernels_each", "children"), [(2, 4), (4, 2), (9, 1)])
def test_children_compile_a_few_each(tmp_path: Path, kernels_each: int, children: int) -> None:
    """All processes go on from where the first kernel is missing, and compile that one."""
    assert printed(tmp_path, kernels_each) == [RESULTS, FIRST_COMPILED, str(children)]
    assert printed(tmp_path, kernels_each) == [RESULTS, ALL_LOADED, "0"]


@pytest.mark.slow
@pytest.mark.parametrize(("end", "children"), [("os._exit(3)", 2), ("raise ValueError", 1)])
def test_what_children_leave_out_is_compiled(tmp_path: Path, end: str, children: int) -> None:
    then = f"if os.getpid() != parent: {end}"
    assert printed(tmp_path, 9, then) == [RESULTS, NONE_LOADED, str(children)]


@pytest.mark.slow
def test_a_child_that_gets_no_further_than_the_one_before_is_the_last(tmp_path: Path) -> None:
    unsaved = "FunctionCache.save_overload = lambda *_: None"
    assert printed(tmp_path, 2, unsaved) == [RESULTS, NONE_LOADED, "2"]
    assert printed(tmp_path, 1) == [RESULTS, "1 0 0 0 0", "2"]


@pytest.mark.slow
def test_after_a_child_that_is_killed_comes_another(tmp_path: Path) -> None:
    then = "if os.getpid() != parent and len(forks) == 1: os.kill(os.getpid(), signal.SIGKILL)"
    assert printed(tmp_path, 9, then) == [RESULTS, FIRST_COMPILED, "2"]


@pytest.mark.slow
def test_children_are_waited_for_where_their_ends_are_not_told(tmp_path: Path) -> None:
    ignored = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    assert printed(tmp_path, 4, before=ignored) == [RESULTS, FIRST_COMPILED, "2"]


@pytest.mark.slow
def test_what_another_thread_compiles_meanwhile_is_not_for_children(tmp_path: Path) -> None:
    other = "other = Thread(target=others[0], args=(0,)); other.start(); other.join()"
    assert printed(tmp_path, 9, before=other) == [RESULTS, "0 0 1 1 1", "1"]
