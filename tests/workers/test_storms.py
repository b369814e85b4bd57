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
from contextlib import AbstractContextManager, closing, suppress
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from support.judged_brains import brain, match
from support.processes import finished, is_worker, kill_workers, living_in, running, workers_of
from support.samples import ROOT, Write, player
from support.sweep import cases

import arena
from arena.config.yaml_file import dump

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

Frames = tuple[pd.DataFrame, pd.DataFrame]


def frames(folder: Path) -> Frames:
    """The games and the standings of a run, without what the clock said."""
    report, costs = arena.open_run(folder).report(), ["seconds_per_move", "nodes_per_second"]
    return report.games.drop(columns="times"), report.standings.drop(columns=costs)


def assert_alike(some: Frames, other: Frames) -> None:
    for one, two in zip(some, other, strict=True):
        pd.testing.assert_frame_equal(one, two)


def command(file: Path) -> list[str]:
    results = str(file.parent / "results")
    return [sys.executable, "-m", "arena", "run", str(file), "--workers", "2", "--results", results]


def storm_on(file: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
    return running(command(file), stdout=subprocess.DEVNULL)


def assert_same_as_undisturbed(write: Write, file: Path) -> None:
    """Same games, same report, but for what the clock said."""
    calm = write(STORM, "calm.yaml")
    arena.run(calm, workers=2, results=calm.parent / "results")
    found = frames(file.parent / "results/storm")
    assert_alike(found, frames(calm.parent / "results/calm"))
    assert len(found[0]) == 900
    with closing(sqlite3.connect(file.parent / "results/storm/arena.db")) as database:
        assert database.execute("SELECT count(*) FROM games").fetchone() == (900,)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.sweep
def test_kills_of_workers_lose_nothing(write: Write) -> None:
    write(UNHURRIED, "unhurried.py")
    file = write(STORM, "storm.yaml")
    with storm_on(file) as process:
        time.sleep(1.5)
        assert kill_workers(process, cases(200), pause=0.08) == cases(200)
        assert process.wait(120) == 0
    assert_same_as_undisturbed(write, file)


def test_a_kill_is_overcome_within_two_seconds(write: Write) -> None:
    write(UNHURRIED, "unhurried.py")
    file = write(STORM, "storm.yaml")
    with storm_on(file) as process:
        time.sleep(2)
        for _ in range(3):
            for worker in workers_of(process)[1:]:
                os.kill(worker, signal.SIGKILL)
            time.sleep(1.5)
        assert process.wait(120) == 0
    assert longest_gap(file.parent / "results/storm/arena.log") < 2


def longest_gap(log: Path) -> float:
    lines = [line for line in log.read_text().splitlines() if "arena.workers.runner" in line]
    ends = [datetime.strptime(line[:23], "%Y-%m-%d %H:%M:%S,%f") for line in lines]
    return max((after - before).total_seconds() for before, after in pairwise(ends))


@pytest.mark.sweep
def test_kills_of_the_run_lose_nothing_and_leave_no_process(write: Write) -> None:
    write(UNHURRIED, "unhurried.py")
    file = write(STORM, "storm.yaml")
    random, orphans = Random(2), set()
    for number in range(cases(50)):
        with storm_on(file) as process:
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

TALK = """
    game: {gomoku: {size: 9}}
    engines:
      - {name: one, engine: ./talker.py}
      - {name: two, engine: ./talker.py}
"""


def test_of_40_000_lines_by_four_workers_none_is_lost_or_torn(write: Write) -> None:
    write(TALKER, "talker.py")
    text = TALK + "    openings: {random: {plies: 1, count: 10}}\n    max_plies: 5\n"
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
    text = TALK + "    openings: {list: ['4,4']}\n    max_plies: 2\n"
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


def write_round(folder: Path) -> Path:
    folder.mkdir()
    players = [{"name": name, **brain("any moment")} for name in ("one", "two")]
    file = folder / "round.yaml"
    random_mover = {"name": "three", "engine": "random_mover"}
    file.write_text(dump(match(*players, random_mover, openings=2, rounds=2)), encoding="utf-8")
    return file


def await_brains(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until brains play for the workers, or all is over."""
    while process.poll() is None and not (forks(process) and living_in(folder)):
        time.sleep(0.01)


def forks(process: subprocess.Popen[bytes]) -> list[int]:
    """The workers, which are forks of the run: not the reaper, and no guard of a brain on trial."""
    return [pid for pid in workers_of(process) if words_of(pid) == words_of(process.pid)][1:]


def words_of(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def kill_worker(process: subprocess.Popen[bytes], random: Random) -> None:
    if found := forks(process):
        with suppress(ProcessLookupError):
            os.kill(random.choice(found), signal.SIGKILL)


def assert_gone_within_a_second(folder: Path) -> None:
    until = time.monotonic() + 1
    while living_in(folder) and time.monotonic() < until:
        time.sleep(0.01)
    assert living_in(folder) == []


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Frames:
    file = write_round(tmp_path_factory.mktemp("storms") / "calm")
    with storm_on(file) as process:
        assert process.wait(60) == 0
    return frames(file.parent / "results/judged")


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(cases(20)))
def test_kills_of_all_of_a_run_change_nothing(tmp_path: Path, calm: Frames, seed: int) -> None:
    """Some kills of workers, one of the whole, some of workers again, and on to the end."""
    random, file = Random(seed), write_round(tmp_path / "storm")
    for is_last in (False, True):
        with storm_on(file) as process:
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
    assert_alike(frames(file.parent / "results/judged"), calm)
