"""A queue whose server, runner and players are killed at random, while tests are sent and played.

By hand: python tests/support/queue_storm.py --tests 30 --deaths 20
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from textwrap import dedent

sys.path.insert(0, str(Path(__file__).parent.parent))
from support.queued_games import games_alone, games_of
from support.samples import player

from arena.errors import ConfigError
from arena.queue.order import QueuedTest, State
from arena.queue.queue_file import QueueFile
from arena.queue.sending import Server, send, server_at
from arena.queue.submission import Submission
from arena.server.keys import Role, keys_for

CLIENTS = 3
PATIENCE = 1800.0
KINDS = ("runner", "player", "worker", "server")
LONGEST_PAUSE = 15.0
"""Seconds between two deaths, at most."""
ENGINE = player("""
    time.sleep(0.002)
    moves = self.game.moves(p)
    return Choice(moves[(sum(p.moves) * 31 + self.seed) % len(moves)])
""").replace("        pass", "        self.seed = seed", 1)
TEST = """
    name: test{number}
    game: {{gomoku: {{size: 5}}}}
    openings: {{random: {{plies: 2, count: 6, seed: {number}}}}}
    seed: {number}
    engines:
      - {{name: one, engine: ./seeded.py}}
      - {{name: two, engine: ./seeded.py}}
"""


def text_of(number: int) -> str:
    return dedent(TEST.format(number=number))


class QueueStorm:
    """Holds the server, which is started again whenever it was killed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.results = folder / "results"
        self.random = Random(seed)
        self.queue = QueueFile(self.results)
        self.deaths = Counter[str]()
        self.last = ""
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port = found.getsockname()[1]
        self.is_open = False
        self.server = self._start()
        keys = keys_for(self.port, folder / "state/gomoku-arena/page.key")
        origin = f"http://127.0.0.1:{self.port}"
        self.at: Server = server_at(origin, keys.token(Role.SUBMIT))

    def _start(self) -> subprocess.Popen[bytes]:
        """The server; while it is not open, it plays nothing."""
        command = [sys.executable, "-m", "arena", "serve", str(self.results), "--queue"]
        command += ["--port", str(self.port), "--cores", "1"]
        command += ["--on-end", f"cat >> {self.folder}/ended"]
        if not self.is_open:
            hour = time.localtime().tm_hour
            command += ["--hours", f"{(hour + 4) % 24}-{(hour + 5) % 24}"]
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state")}
        environment["PYTHONHASHSEED"] = "0"
        with (self.folder / "server.log").open("ab") as log:
            started = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return started
            assert started.poll() is None, (self.folder / "server.log").read_text()
            time.sleep(0.2)

    def restart(self) -> None:
        """Kill the server, and start it again."""
        self.server.kill()
        self.server.wait()
        self.server = self._start()

    def descendants(self) -> list[list[int]]:
        """The runners, then the players, then the workers below the server."""
        levels, above = [], [self.server.pid]
        for _ in KINDS[:3]:
            told = [
                subprocess.run(["pgrep", "-P", str(each)], capture_output=True, text=True).stdout
                for each in above
            ]
            above = [int(each) for text in told for each in text.split()]
            levels.append(above)
        return levels

    def strike(self) -> bool:
        """One death: of the server, a runner, a player or a worker; False if there is none.

        Never two of a kind in turn: a test is given up after three deaths of its player.
        """
        kind = self.random.choice([each for each in KINDS if each != self.last])
        if kind == "server":
            self.restart()
        else:
            found = self.descendants()[KINDS.index(kind)]
            if not found:
                return False
            try:
                os.kill(self.random.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                return False
        self.deaths[kind] += 1
        self.last = kind
        return True

    def submit(self, number: int) -> None:
        """Send a test until it is in the queue, however often the server dies meanwhile."""
        sent = Submission(
            text_of(number), priority=number % 3, files={"seeded.py": ENGINE.encode()}
        )
        while True:
            try:
                send(self.at, sent)
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
            self.restart()
            for each in sent:
                each.result()
        self.is_open = True
        self.restart()
        deadline = time.monotonic() + PATIENCE
        due = time.monotonic()
        while any(each.is_ready for each in self.queue.entries()):
            assert time.monotonic() < deadline
            time.sleep(0.2)
            is_due = time.monotonic() > due and self.deaths.total() < deaths
            if is_due and self.strike():
                due = time.monotonic() + self.random.uniform(0, pause)
        while not all(each.is_announced for each in self.queue.entries()):
            assert time.monotonic() < deadline
            time.sleep(0.2)

    def close(self) -> None:
        """End the server, and with it all that it has started."""
        self.server.terminate()
        self.server.wait()

    def check(self, tests: int) -> None:
        """AssertionError unless all tests were played, as `arena run` plays them, and in order."""
        entries = self.queue.entries()
        assert sorted(each.name for each in entries) == sorted(f"test{i}" for i in range(tests))
        assert {each.state for each in entries} == {State.DONE}, entries
        (self.folder / "seeded.py").write_text(ENGINE)
        for number in range(tests):
            name = f"test{number}"
            expected = games_alone(text_of(number), name, self.folder)
            assert games_of(self.results / name) == expected
        assert self.ended() == [each.name for each in sorted(entries, key=promised)]

    def ended(self) -> list[str]:
        """The names of the tests in the order in which their ends were told, each once."""
        lines = (self.folder / "ended").read_text().splitlines()
        return list(dict.fromkeys(json.loads(line)["name"] for line in lines))


def promised(entry: QueuedTest) -> tuple[int, int]:
    """The place of a test in the order that is promised."""
    return -entry.priority, entry.id


def blown(
    folder: Path, tests: int, deaths: int, seed: int, pause: float = LONGEST_PAUSE
) -> Counter[str]:
    """The deaths of a storm that the queue has outlived."""
    storm = QueueStorm(folder, seed)
    try:
        storm.blow(tests, deaths, pause)
    finally:
        storm.close()
    storm.check(tests)
    return storm.deaths


def main() -> None:
    """A storm of the size that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=30)
    parser.add_argument("--deaths", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        deaths = blown(Path(folder), given.tests, given.deaths, given.seed)
    print(f"{given.tests} tests outlived {dict(deaths)}")


if __name__ == "__main__":
    main()
