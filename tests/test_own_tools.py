"""What the tests stand on: processes that end with them, sweeps in turn, plainer processors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import psutil
import pytest
from support import plain, sweep
from support.processes import finished, nothing_left, running
from support.samples import ROOT

FAMILY = "sleep 86398 & echo $!; wait"  # a process that starts another, and tells its number


def ends_soon(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


def test_a_process_and_those_it_started_end_with_the_test_that_failed() -> None:
    with (  # noqa: PT012
        pytest.raises(ZeroDivisionError),
        running(FAMILY, shell=True, stdout=subprocess.PIPE) as process,
    ):
        child = int(process.stdout.readline())
        assert psutil.pid_exists(child)
        1 / 0  # noqa: B018
    assert process.returncode == -signal.SIGKILL
    assert ends_soon(child)
    with running("sleep 86398 & echo $!", shell=True, stdout=subprocess.PIPE) as process:
        child = int(process.stdout.readline())
        assert process.wait(10) == 0
    assert ends_soon(child), "what it has left behind ends, too"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells a child")
def test_a_process_ends_if_the_tests_are_killed() -> None:
    tests = (
        "from support import processes\nwith processes.running(['sleep', '86398']) as process:\n"
    )
    tests += "    print(process.pid, flush=True)\n    process.wait()"
    command = [sys.executable, "-c", tests]
    with running(command, stdout=subprocess.PIPE, cwd=ROOT / "tests") as process:
        child = int(process.stdout.readline())
        assert psutil.pid_exists(child)
        process.kill()
        assert ends_soon(child)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")
def test_what_a_test_leaves_is_seen(tmp_path: Path) -> None:
    already = running(["sleep", "9"], cwd=tmp_path)
    with already, pytest.raises(AssertionError), nothing_left(tmp_path):
        pass
    with ExitStack() as stack, pytest.raises(AssertionError), nothing_left(tmp_path):
        stack.enter_context(running(["sleep", "9"], cwd="/"))
    with pytest.raises(AssertionError), nothing_left(tmp_path):
        left = os.open(os.devnull, os.O_RDONLY)
    os.close(left)


def test_a_whole_sweep_takes_all_cases_at_any_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "step", sweep.WHOLE)
    monkeypatch.setattr(sweep, "turn", 7)
    assert sweep.in_turn("abc", 5) == ["a", "b", "c"]
    assert sweep.cases(20) == 20


@pytest.mark.parametrize("count", [1, 3, 6, 9, 10, 18, 46])
def test_forty_commits_run_each_case(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "step", sweep.TENTH)
    run = set[int]()
    for turn in range(1000, 1040):
        monkeypatch.setattr(sweep, "turn", turn)
        found = sweep.in_turn(range(count))
        assert 1 <= len(found) <= -(-count // sweep.TENTH)
        run.update(i for i in found if sweep.is_quarter_in_turn(f"test[{i}]"))
    assert run == {*range(count)}


def test_four_commits_run_each_test_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [f"tests/test_{i}.py::test_it" for i in range(180)]
    quarters = []
    for turn in range(7, 11):
        monkeypatch.setattr(sweep, "turn", turn)
        quarters.append([*filter(sweep.is_quarter_in_turn, tests)])
    assert sorted(chain(*quarters)) == sorted(tests)
    assert min(map(len, quarters)) >= 30


HELPER = [sys.executable, plain.__file__]
FEATURES = "from support.plain import *; print(still_on(SETTINGS, os.environ))"


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's and x86's settings")
def test_nothing_is_on_under_all_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CPU_FEATURES", "+avx")
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    answer = finished([*HELPER, sys.executable, "-W", "error", "-c", FEATURES], text=True)
    assert (answer.stdout, answer.stderr) == ("[]\n", "")


def test_what_is_still_on_is_named_and_the_rest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where numpy, numba or the C library does not know the settings any more."""
    native = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_CPU")}
    monkeypatch.setattr(plain, "plainer", lambda settings, environment: native)
    with pytest.raises(SystemExit, match=r"^Still on under numba: numba's \S+ \S+\.$"):
        plain.main(["numba", "true"])
    monkeypatch.undo()  # The names of numpy 2.4, and those before.
    monkeypatch.setattr(plain, "told", lambda *_: ["AVX2", "X86_V3", "X86_V4", "AVX512_ICL"])
    assert plain.plainer(["avx512"], {})[plain.OFF] == "X86_V4,AVX512_ICL"
