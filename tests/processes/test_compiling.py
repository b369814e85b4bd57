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
import kernels
from arena.processes.compiling import compiling_in_children

parent, fork, forks = os.getpid(), os.fork, []
os.fork = lambda: forks.append(1) or fork()
first, *others = [getattr(kernels, f"add_{{number}}") for number in range(5)]
with compiling_in_children({kernels_each}):
    results = [first(0)]
    {then}
    results += [each(0) for each in others]
print(*results)
print(*[len(each.stats.cache_hits) for each in (first, *others)])
print(len(forks))
"""
RESULTS = "0 1 2 3 4"
NONE_LOADED, ALL_LOADED, FIRST_COMPILED = "0 0 0 0 0", "1 1 1 1 1", "0 1 1 1 1"


def printed(folder: Path, kernels_each: int, then: str = "pass") -> list[str]:
    """The results, the cache hits of each kernel, and the number of children."""
    (folder / "kernels.py").write_text(KERNELS)
    paths = {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    done = finished(
        [sys.executable, "-c", PROGRAM.format(kernels_each=kernels_each, then=then)],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")} | paths,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(("kernels_each", "children"), [(2, 4), (4, 2), (9, 1)])
def test_children_compile_a_few_each_and_all_but_the_first_are_loaded(
    tmp_path: Path, kernels_each: int, children: int
) -> None:
    """All processes go on from where the first kernel is missing, and compile that one."""
    assert printed(tmp_path, kernels_each) == [RESULTS, FIRST_COMPILED, str(children)]
    assert printed(tmp_path, kernels_each) == [RESULTS, ALL_LOADED, "0"]


@pytest.mark.parametrize("end", ["os._exit(3)", "raise ValueError"])
def test_what_a_child_leaves_out_is_compiled_all_the_same(tmp_path: Path, end: str) -> None:
    then = f"if os.getpid() != parent: {end}"
    assert printed(tmp_path, 9, then) == [RESULTS, NONE_LOADED, "1"]
