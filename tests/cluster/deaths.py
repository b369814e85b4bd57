"""A tournament on a cluster whose processes are killed and frozen at random, driver included.

By hand: python tests/cluster/deaths.py --deaths 50
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from textwrap import dedent

sys.path.insert(0, str(Path(__file__).parent.parent))
from cluster.supervised import Held, Supervisor, await_none
from support.samples import player

import arena

UNHURRIED = player("""
    time.sleep(float(os.environ.get("PAUSE", "0")))
    moves = self.game.moves(p)
    return Choice(moves[hash((self.seed, *p.moves)) % len(moves)])
""").replace("        pass", "        self.seed = seed", 1)
STORM = """
    name: storm
    game: {gomoku: {size: 5}}
    openings: {random: {plies: 2, count: 3}}
    rounds: ROUNDS
    engines:
      - {name: one, engine: ./unhurried.py}
      - {name: two, engine: ./unhurried.py}
"""
KINDS = ["worker"] * 3 + ["nanny"] * 2 + ["scheduler"] * 2 + ["driver"] * 2 + ["freeze"] * 3


class Storm:
    """Holds the cluster, the driver, and those that are frozen."""

    def __init__(self, folder: Path, seed: int, workers: int = 4, rounds: int = 300) -> None:
        self.folder = folder
        self.random = Random(seed)
        self.done = Counter[str]()
        (folder / "unhurried.py").write_text(UNHURRIED)
        self.file = folder / "storm.yaml"
        self.file.write_text(dedent(STORM.replace("ROUNDS", str(rounds))))
        self.cluster = Supervisor(folder, workers, PAUSE="0.004")
        self.frozen: list[tuple[float, int, bool]] = []
        """For each stopped process: a time, its number, and if it is continued then, not killed."""
        self.held = Held()
        self.driver = self._driver()

    def _driver(self) -> subprocess.Popen[bytes]:
        self.cluster.await_scheduler()
        command = [sys.executable, "-m", "arena", "run", str(self.file)]
        command += ["--cluster", self.cluster.address, "--results", str(self.folder / "results")]
        environment = {**os.environ, "DASK_ARENA__SILENCE": "4s"}
        with (self.folder / "driver.log").open("ab") as log:
            return self.held.start(command, stdout=log, stderr=log, env=environment)

    def strike(self, kind: str, frozen_for: float) -> None:
        cluster, pid = self.cluster, 0
        with cluster.lock:
            if kind == "worker" and (found := cluster.workers()):
                pid = self.random.choice(found)
            elif kind == "nanny":
                pid = self.random.choice(cluster.nannies).pid
            elif kind == "scheduler":
                pid = cluster.scheduler.pid
            elif kind == "freeze":
                awake = set(cluster.workers()) - {pid for _, pid, _ in self.frozen}
                pid = self.random.choice(sorted(awake)) if len(awake) > 1 else 0
        if kind == "driver":
            self.held.end(self.driver)
            self.done[kind] += 1
            time.sleep(self.random.uniform(0, 1))
            self.driver = self._driver()
        elif pid:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP if kind == "freeze" else signal.SIGKILL)
                self.done[kind] += 1
            if kind == "freeze":
                will_go_on = self.random.random() < 0.5
                self.frozen.append((time.monotonic() + frozen_for, pid, will_go_on))

    def thaw(self, everybody: bool = False) -> None:
        """Continue half of those that were frozen for long, and kill the others."""
        for each in list(self.frozen):
            due, pid, will_go_on = each
            if everybody or time.monotonic() > due:
                self.frozen.remove(each)
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT if will_go_on else signal.SIGKILL)

    def games(self) -> int:
        with suppress(arena.ConfigError):
            return len(arena.open_run(self.folder / "results/storm").records())
        return 0

    def blow(self, deaths: int, frozen_for: float, pause: tuple[float, float]) -> None:
        """Strike so often while games are played, then let the run end."""
        while self.games() == 0:
            time.sleep(0.5)
            assert self.driver.poll() is None, (self.folder / "driver.log").read_text()
        while self.done.total() < deaths and self.driver.poll() is None:
            time.sleep(self.random.uniform(*pause))
            self.strike(self.random.choice(KINDS), frozen_for)
            self.thaw()
        while self.driver.poll() is None:
            time.sleep(0.2)
            self.thaw()

    def close(self) -> None:
        self.held.end(self.driver)
        self.thaw(everybody=True)


def digests(run: arena.Run) -> dict[tuple[str, str, str, int], str]:
    return {(r.first, r.second, r.opening, r.round): r.digest for _, r in run.records()}


def storm(
    folder: Path,
    deaths: int,
    seed: int,
    rounds: int,
    frozen_for: float = 30.0,
    pause: tuple[float, float] = (0.3, 3.0),
    say: Callable[[str], object] = print,
) -> None:
    """A storm, and the proof that nothing came of it."""
    say(f"seed {seed}")
    tempest = Storm(folder, seed, rounds=rounds)
    began = time.monotonic()
    with tempest.cluster:
        try:
            tempest.blow(deaths, frozen_for, pause)
        finally:
            tempest.close()
        say(f"{dict(tempest.done)} in {time.monotonic() - began:.0f} s")
        assert tempest.driver.returncode == 0, (folder / "driver.log").read_text()[-3000:]
        assert tempest.done.total() >= deaths, "the games ended before the storm: more rounds"
        left = await_none(tempest.cluster.mark, 45)
        assert not left, [Path(f"/proc/{pid}/cmdline").read_text() for pid in left]
    away = arena.open_run(folder / "results/storm")
    home = arena.run(tempest.file, workers=2, results=folder / "home")
    assert len(set(digests(home).values())) > 3 * rounds
    assert len(digests(home)) == 6 * rounds
    assert digests(home) == digests(away)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--deaths", type=int, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--rounds", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        storm(Path(place), given.deaths, given.seed, given.rounds or 40 * given.deaths)
        print("the same games as at home, and no process is left")
