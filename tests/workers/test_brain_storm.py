"""Runs between brains that are killed at random: nothing is lost, and no brain outlives its run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from support.judged_brains import brain, match
from support.processes import living_in, running, workers_of
from support.sweep import cases

import arena
from arena.config.yaml_file import dump

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
]

ROUNDS = 2
TIMED = ["times"]
COSTS = ["seconds_per_move", "nodes_per_second"]


def write(folder: Path) -> Path:
    folder.mkdir()
    players = [{"name": name, **brain("any moment")} for name in ("one", "two")]
    file = folder / "round.yaml"
    tournament = match(
        *players, {"name": "three", "engine": "random_mover"}, openings=2, rounds=ROUNDS
    )
    file.write_text(dump(tournament), encoding="utf-8")
    return file


def start(file: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
    results = ["--results", str(file.parent / "results")]
    command = [sys.executable, "-m", "arena", "run", str(file), "--workers", "2", *results]
    return running(command, stdout=subprocess.DEVNULL)


def await_brains(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until brains play for the workers, or all is over."""
    while process.poll() is None and not (workers(process) and living_in(folder)):
        time.sleep(0.01)


def workers(process: subprocess.Popen[bytes]) -> list[int]:
    """The workers, which are forks of the run: not the reaper, and no guard of a brain on trial."""
    return [pid for pid in workers_of(process) if words_of(pid) == words_of(process.pid)][1:]


def words_of(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def kill_worker(process: subprocess.Popen[bytes], random: Random) -> None:
    if found := workers(process):
        with suppress(ProcessLookupError):
            os.kill(random.choice(found), signal.SIGKILL)


def assert_gone_within_a_second(folder: Path) -> None:
    """No brain is at work there a second from now."""
    until = time.monotonic() + 1
    while living_in(folder) and time.monotonic() < until:
        time.sleep(0.01)
    assert living_in(folder) == []


def results(file: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    report = arena.open_run(file.parent / "results/judged").report()
    return report.games.drop(columns=TIMED), report.standings.drop(columns=COSTS)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> tuple[pd.DataFrame, pd.DataFrame]:
    file = write(tmp_path_factory.mktemp("storms") / "calm")
    with start(file) as process:
        assert process.wait(60) == 0
    return results(file)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(cases(20)))
def test_kills_of_the_run_and_of_its_workers_change_nothing(
    tmp_path: Path, calm: tuple[pd.DataFrame, pd.DataFrame], seed: int
) -> None:
    """Some kills of workers, one of the whole, some of workers again, and on to the end."""
    random, file = Random(seed), write(tmp_path / "storm")
    for is_last in (False, True):
        with start(file) as process:
            await_brains(process, file.parent)
            for _ in range(random.randrange(3)):  # three of one game may be its player's doing
                time.sleep(random.uniform(0, 0.2))
                kill_worker(process, random)
            if not is_last:
                time.sleep(random.uniform(0, 0.2))
                process.kill()
            assert process.wait(60) in (0, -signal.SIGKILL)
            assert_gone_within_a_second(file.parent)
    assert process.returncode == 0
    for stormy, undisturbed in zip(results(file), calm, strict=True):
        pd.testing.assert_frame_equal(stormy, undisturbed)
