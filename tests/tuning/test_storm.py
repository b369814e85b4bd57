"""Kills of a study's workers, and of all of it: no trial lost, stuck or played twice."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from support.edited_runs import records_in
from support.processes import is_worker, kill_workers, running, workers_of
from support.samples import Write
from support.studies import COIN, OPPONENT, facts, same
from support.sweep import cases

import arena
from arena.match.record import key

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
]

UNHURRIED = COIN.replace("limit):", "limit):\n        __import__('time').sleep(0.004)")
LONG = OPPONENT.replace("budget: 120", "budget: 1600").replace("pairs: 300", "pairs: 100")


def command(file: Path) -> list[str]:
    results = str(file.parent / "results")
    return [
        sys.executable,
        "-m",
        "arena",
        "tune",
        str(file),
        "--workers",
        "2",
        "--results",
        results,
    ]


def games_kept(file: Path) -> int:
    """Lines of games in the study's log."""
    with suppress(FileNotFoundError):
        return (file.parent / "results/study/arena.log").read_text().count(" plies")
    return 0


def wait_for_games(file: Path, process: subprocess.Popen[bytes], games: int) -> None:
    """Wait until this number of games is kept, or the process has ended."""
    while process.poll() is None and games_kept(file) < games:
        time.sleep(0.02)


def assert_same_as_undisturbed(file: Path) -> None:
    """The study, its proof and Optuna's tables, and every game there once."""
    calm = arena.tune(file, workers=2, results=file.parent / "calm")
    stormy = arena.tune(file, workers=2, results=file.parent / "results")
    assert calm.trials.is_over
    assert same(stormy, calm)
    numbers = Counter(number for number, *_ in facts(stormy))
    assert sorted(numbers) == list(range(200))
    assert set(numbers.values()) == {1}
    games = list(map(key, records_in(stormy.folder)))
    assert len(games) == len(set(games)) == 1600
    with closing(sqlite3.connect(stormy.folder / "arena.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.sweep
@pytest.mark.parametrize("method", ["ascent", "tpe"])
def test_kills_of_the_study_change_nothing(write: Write, method: str) -> None:
    write(UNHURRIED, "coin.py")
    file = write(LONG.replace("spsa", method), "study.yaml")
    random, orphans, killed = Random(method), set(), 0
    while killed < cases(20):
        with running(command(file), stdout=subprocess.DEVNULL) as process:
            wait_for_games(file, process, games_kept(file) + random.randint(1, 70))
            orphans |= set(workers_of(process))
            time.sleep(random.uniform(0, 0.1))
            assert process.poll() is None, f"it was over after {killed} kills"
            process.kill()
            killed += 1
    time.sleep(0.5)
    assert orphans
    assert not [pid for pid in orphans if is_worker(pid)]
    assert_same_as_undisturbed(file)


@pytest.mark.sweep
def test_kills_of_workers_change_nothing(write: Write) -> None:
    write(UNHURRIED, "coin.py")
    file = write(LONG, "study.yaml")
    with running(command(file), stdout=subprocess.DEVNULL) as process:
        time.sleep(2.5)
        assert kill_workers(process, cases(40), pause=0.2) == cases(40)
        assert process.wait(120) == 0
    assert_same_as_undisturbed(file)
