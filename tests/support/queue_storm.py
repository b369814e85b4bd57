"""A queue whose processes are killed at random, while tests are sent and played.

By hand: python tests/support/queue_storm.py --tests 30 --deaths 20, and with --cluster
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from textwrap import dedent

sys.path.insert(0, str(Path(__file__).parent.parent))
from cluster.supervised import Supervisor, await_none
from support.processes import children_of
from support.queued_games import games_alone, games_of, names_by_end
from support.samples import player

from arena.errors import ConfigError
from arena.queue.order import QueuedTest, State
from arena.queue.queue_file import QueueFile
from arena.queue.submission import Server, Submission, send, server_at
from arena.server.keys import Role, keys_for
from arena.storage.folder import locked

CLIENTS = 3
PATIENCE = 7200.0
KINDS = ("runner", "player", "worker", "server")
CLUSTER_KINDS = (*KINDS, "scheduler")
"""The processes of a queue on a cluster, whose workers are the cluster's."""
Kinds = Sequence[str]
CLUSTER_WORKERS = 2
LEFT_FOR = 45.0  # seconds in which processes on a cluster end, once their run is over
LONGEST_PAUSE = 15.0  # seconds between two deaths, at most
ENGINE = player("""
    time.sleep(0.002)
    moves = self.game.moves(p)
    return Choice(moves[(sum(p.moves) * 31 + self.seed) % len(moves)])
""").replace("        pass", "        self.seed = seed", 1)
TEST = """
    name: test{number}
    game: {{gomoku: {{size: 5}}}}
    openings: {{random: {{plies: 2, count: 6, seed: {number}}}}}
    rounds: {rounds}
    seed: {number}
    engines:
      - {{name: one, engine: ./seeded.py}}
      - {{name: two, engine: ./seeded.py}}
"""


class QueueServer:
    """Holds the process, its folder of results, and the token to submit."""

    def __init__(self, folder: Path, *options: str) -> None:
        """`options`: more words of the command."""
        self.folder = folder
        self.options: Sequence[str] = options
        self.results = folder / "results"
        self.queue = QueueFile(self.results)
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port = found.getsockname()[1]
        self.process = self._start()
        keys = keys_for(self.port, folder / "state/gomoku-arena/page.key")
        origin = f"http://127.0.0.1:{self.port}"
        self.at: Server = server_at(origin, keys.token(Role.SUBMIT))

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "arena", "serve", str(self.results), "--queue"]
        command += ["--port", str(self.port), *self.options]
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state")}
        environment["PYTHONHASHSEED"] = "0"
        with self.log.open("ab") as log:
            started = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return started
            assert started.poll() is None, self.log.read_text()
            time.sleep(0.2)

    def restart(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


class QueueStorm:
    """Holds the server, which is started again whenever it was killed, and its cluster, if any."""

    def __init__(
        self, folder: Path, seed: int, kinds: Kinds = KINDS, cluster: Supervisor | None = None
    ) -> None:
        """`kinds`: those of the processes that are to die."""
        self.folder = folder
        self.cluster = cluster
        self.random = Random(seed)
        self.deaths = Counter[str]()
        self.last = ""
        self.kinds = kinds
        self.queue = QueueFile(folder / "results")
        self.closed = ExitStack()
        """Until this is closed, the runner waits for the folder, and plays nothing."""
        self.closed.enter_context(locked(self.queue.folder))
        where = ["--cluster", cluster.address] if cluster else ["--cores", "1"]
        self.server = QueueServer(folder, *where)

    def text_of(self, number: int) -> str:
        """The YAML of a test; on a cluster it takes longer, since that takes long to begin."""
        return dedent(TEST.format(number=number, rounds=3 if self.cluster else 1))

    def victims(self, kind: str) -> list[int]:
        if self.cluster and kind == "scheduler":
            return [self.cluster.scheduler.pid]
        if self.cluster and kind == "worker":
            return self.cluster.workers()
        above = [self.server.process.pid]
        for _ in range(KINDS.index(kind) + 1):
            above = [below for each in above for below in living_below(each)]
        return above

    def strike(self) -> bool:
        """One death, of a kind that is drawn; False if there is no process of it.

        Never two of a kind in turn: a test is given up after three deaths of its player. Kinds that
        have died least go first.
        """
        others = [each for each in self.kinds if each != self.last]
        fewest = min(self.deaths[each] for each in others)
        rare = [each for each in others if self.deaths[each] == fewest]
        kind = self.random.choice(rare)
        if kind == "server":
            self.server.restart()
        elif not killed(self.random, self.victims(kind)):
            return False
        self.deaths[kind] += 1
        self.last = kind
        return True

    def submit(self, number: int) -> None:
        sent = Submission(
            self.text_of(number), priority=number % 3, files={"seeded.py": ENGINE.encode()}
        )
        while True:
            try:
                send(self.server.at, sent)
                return
            except ConfigError as error:
                if "already" in str(error):
                    return  # it had been taken in before the answer was lost
                if "does not answer" not in str(error):
                    raise
                time.sleep(0.5)

    def blow(self, tests: int, deaths: int, pause: float) -> None:
        """Send all tests at once while the server dies once, then play them under the storm."""
        with ThreadPoolExecutor(CLIENTS) as clients:
            sent = [clients.submit(self.submit, number) for number in range(tests)]
            time.sleep(3)
            self.server.restart()
            for each in sent:
                each.result()
        self.closed.close()
        deadline = time.monotonic() + PATIENCE
        due = time.monotonic()
        while any(each.is_ready for each in self.queue.entries()):
            assert time.monotonic() < deadline
            time.sleep(0.2)
            is_due = time.monotonic() > due and self.deaths.total() < deaths
            if is_due and self.strike():
                due = time.monotonic() + self.random.uniform(0, pause)

    def check(self, tests: int) -> None:
        """AssertionError unless all tests were played, as `arena run` plays them, and in order."""
        entries = self.queue.entries()
        assert sorted(each.name for each in entries) == sorted(f"test{i}" for i in range(tests))
        assert {each.state for each in entries} == {State.DONE}, entries
        (self.folder / "seeded.py").write_text(ENGINE)
        for number in range(tests):
            name = f"test{number}"
            expected = games_alone(self.text_of(number), name, self.folder)
            assert games_of(self.server.results / name) == expected
        assert names_by_end(self.queue) == [each.name for each in sorted(entries, key=promised)]


def promised(entry: QueuedTest) -> tuple[int, int]:
    return -entry.priority, entry.id


def living_below(pid: int) -> list[int]:
    with suppress(OSError):
        return children_of(pid)
    return []


def killed(random: Random, found: list[int]) -> bool:
    if not found:
        return False
    try:
        os.kill(random.choice(found), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def blown(
    folder: Path,
    tests: int,
    deaths: int,
    seed: int,
    pause: float = LONGEST_PAUSE,
    kinds: Kinds = KINDS,
    on_cluster: bool = False,
) -> Counter[str]:
    with ExitStack() as stack:
        cluster = None
        if on_cluster:
            cluster = stack.enter_context(Supervisor(folder, CLUSTER_WORKERS))
        storm = QueueStorm(folder, seed, kinds, cluster)
        try:
            storm.blow(tests, deaths, pause)
        finally:
            storm.closed.close()
            storm.server.close()
        if cluster:
            assert await_none(cluster.mark, LEFT_FOR) == []
    storm.check(tests)
    return storm.deaths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=30)
    parser.add_argument("--deaths", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=LONGEST_PAUSE)
    parser.add_argument("--cluster", action="store_true", help="play on a cluster of this machine")
    given = parser.parse_args()
    began, kinds = time.monotonic(), CLUSTER_KINDS if given.cluster else KINDS
    with tempfile.TemporaryDirectory() as folder:
        deaths = blown(
            Path(folder), given.tests, given.deaths, given.seed, given.pause, kinds, given.cluster
        )
    seconds = time.monotonic() - began
    print(f"{given.tests} tests outlived {dict(deaths)} in {seconds:.0f} s")


if __name__ == "__main__":
    main()
