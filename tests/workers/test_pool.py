"""Storms of kills, floods of lines, long runs: nothing lost, nothing doubled, nothing grows."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from support.processes import finished, is_worker, kill_workers, running, workers_of
from support.samples import ROOT, Write, player
from support.sweep import cases

import arena

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
]

UNHURRIED = player("""
    time.sleep(0.0025)
    moves = self.game.moves(p)
    return Choice(moves[hash(p.moves) % len(moves)])
""")

STORM = """
    game: tictactoe
    openings: {random: {plies: 1, count: 3}}
    rounds: 150
    engines:
      - {name: one, engine: ./unhurried.py}
      - {name: two, engine: ./unhurried.py}
"""


def command(file: Path) -> list[str]:
    results = str(file.parent / "results")
    return [sys.executable, "-m", "arena", "run", str(file), "--workers", "2", "--results", results]


def assert_same_as_undisturbed(write: Write, file: Path) -> None:
    """Same games, same report, but for what the clock said."""
    calm = write(STORM, "calm.yaml")
    arena.run(calm, workers=2, results=calm.parent / "results")
    runs = [arena.open_run(file.parent / "results" / name) for name in ("storm", "calm")]
    stormy, calm_report = (run.report() for run in runs)
    timed = ["times"]
    pd.testing.assert_frame_equal(
        stormy.games.drop(columns=timed), calm_report.games.drop(columns=timed)
    )
    costs = ["seconds_per_move", "nodes_per_second"]
    pd.testing.assert_frame_equal(
        stormy.standings.drop(columns=costs), calm_report.standings.drop(columns=costs)
    )
    assert len(stormy.games) == 900
    with closing(sqlite3.connect(file.parent / "results/storm/arena.db")) as database:
        assert database.execute("SELECT count(*) FROM games").fetchone() == (900,)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.sweep
def test_kills_of_workers_lose_nothing(write: Write) -> None:
    write(UNHURRIED, "unhurried.py")
    file = write(STORM, "storm.yaml")
    with running(command(file), stdout=subprocess.DEVNULL) as process:
        time.sleep(1.5)
        assert kill_workers(process, cases(200), pause=0.08) == cases(200)
        assert process.wait(120) == 0
    assert_same_as_undisturbed(write, file)


def test_a_kill_is_overcome_within_two_seconds(write: Write) -> None:
    write(UNHURRIED, "unhurried.py")
    file = write(STORM, "storm.yaml")
    with running(command(file), stdout=subprocess.DEVNULL) as process:
        time.sleep(2)
        for _ in range(3):
            for worker in workers_of(process)[1:]:
                os.kill(worker, signal.SIGKILL)
            time.sleep(1.5)
        assert process.wait(120) == 0
    assert longest_gap(file.parent / "results/storm/arena.log") < 2


def longest_gap(log: Path) -> float:
    """Seconds between two games of a run, at most."""
    lines = [line for line in log.read_text().splitlines() if "arena.workers.runner" in line]
    ends = [datetime.strptime(line[:23], "%Y-%m-%d %H:%M:%S,%f") for line in lines]
    return max((after - before).total_seconds() for before, after in pairwise(ends))


@pytest.mark.sweep
def test_kills_of_the_run_lose_nothing_and_leave_no_process(write: Write) -> None:
    write(UNHURRIED, "unhurried.py")
    file = write(STORM, "storm.yaml")
    random, orphans = Random(2), set()
    for number in range(cases(50)):
        with running(command(file), stdout=subprocess.DEVNULL) as process:
            while number % 2 and not workers_of(process):  # half of the kills meet workers for sure
                time.sleep(0.01)
            time.sleep(random.uniform(0, 1.1))
            orphans |= set(workers_of(process))
            process.kill()
            process.wait()
    time.sleep(0.5)
    assert orphans
    assert not [pid for pid in orphans if Path(f"/proc/{pid}").exists() and is_worker(pid)]
    finished(command(file), stdout=subprocess.DEVNULL, check=True)
    assert_same_as_undisturbed(write, file)


TALKER = player("""
    for n in range(500):
        logger.info("line %d of ply %d of %s %s", n, p.ply, p.moves[0], "x" * (n % 300))
    return Choice(self.game.moves(p)[0])
""")


def test_of_40_000_lines_by_four_workers_none_is_lost_or_torn(write: Write) -> None:
    write(TALKER, "talker.py")
    text = """
        game: {gomoku: {size: 9}}
        openings: {random: {plies: 1, count: 10}}
        max_plies: 5
        engines:
          - {name: one, engine: ./talker.py}
          - {name: two, engine: ./talker.py}
    """
    run = arena.run(write(text), workers=4, results=write(text).parent / "results")
    assert len(run.games()) == 20
    line = re.compile(
        r"\S+ \S+ worker-\d INFO player: \[(one - two|two - one), opening \d,\d, round 1, "
        r"(one|two) to move\] line (\d+) of ply (\d) of (\d+) (x*)"
    )
    lines = (run.folder / "arena.log").read_text().splitlines()
    found = [line.fullmatch(each) for each in lines if " player: " in each]
    assert all(found)
    seen = {(m[1], m[3], m[4], m[5]) for m in found if m}
    assert len(found) == len(seen) == 20 * 4 * 500
    assert all(len(m[6]) == int(m[3]) % 300 for m in found if m)


def test_the_last_words_of_a_run_are_heard(write: Write) -> None:
    write(TALKER.replace("range(500)", "range(30_000)"), "talker.py")
    text = """
        game: {gomoku: {size: 9}}
        openings: {list: ["4,4"]}
        max_plies: 2
        engines:
          - {name: one, engine: ./talker.py}
          - {name: two, engine: ./talker.py}
    """
    run = arena.run(write(text), workers=2, results=write(text).parent / "results")
    lines = (run.folder / "arena.log").read_text().splitlines()
    assert len([each for each in lines if " player: " in each]) == 2 * 30_000


def test_a_long_run_neither_grows_nor_leaks() -> None:
    # In a process of its own: here pytest would keep every line of the log.
    code = "import json; from benchmarks.measures import endurance; "
    code += "print(json.dumps(*endurance.rows(1, games=30_000)))"
    done = finished([sys.executable, "-c", code], check=True, timeout=1200, cwd=ROOT / "research")
    row = json.loads(done.stdout)
    assert row["worker_growth"] < 1
    assert row["parent_growth"] < 0.05 * row["parent_megabytes"]
    assert row["handles_growth"] == 0
