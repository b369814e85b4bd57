"""A server of a queue as a process, which tests and measures start, kill and send tests to."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.queue.queue_file import QueueFile
from arena.queue.submission import Server, server_at
from arena.server.access import Role, keys_for


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
        """The file of all that the server prints."""
        return self.folder / "server.log"

    def _start(self) -> subprocess.Popen[bytes]:
        """The server, once it answers."""
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
        """Kill the server, and start it again."""
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    def close(self) -> None:
        """End the server, and with it all that it has started."""
        self.process.terminate()
        self.process.wait()

    def facts(self) -> list[dict[str, Any]]:
        """The facts of all tests, as the server tells programs."""
        password = b64encode(f"any:{self.at.token}".encode()).decode()
        request = urllib.request.Request(f"{self.at.origin}/queue/tests")
        request.add_header("authorization", f"Basic {password}")
        with urllib.request.urlopen(request, timeout=60) as answer:
            found: list[dict[str, Any]] = json.load(answer)["tests"]
        return found
