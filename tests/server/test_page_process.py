"""The page beside a run: it comes with it, and goes with it, however that ends."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from support.page_requests import basic
from support.processes import running
from support.samples import Write, player
from support.watched_run import NAP, WATCHED

pytestmark = pytest.mark.slow


@contextmanager
def beside(write: Write, tmp_path: Path, openings: int = 10) -> Iterator[tuple[Popen[Any], str]]:
    """A run with its page, and the address that it prints."""
    write(player(NAP.format(seconds=0.05)), "nap.py")
    file = write(WATCHED.format(openings=openings), "watched.yaml")
    command = [sys.executable, "-m", "arena", "run", str(file), "--serve"]
    command += ["--results", str(tmp_path / "results"), "--workers", "2"]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    with running(command, stdout=PIPE, stderr=PIPE, text=True, env=environment) as process:
        assert process.stdout
        yield process, process.stdout.readline().split()[-1]


def read(address: str) -> str:
    """The page at this address; empty if there is no answer."""
    parts = urlsplit(address)
    headers = {"Authorization": basic(parts.query.removeprefix("token="))}
    wanted = Request(f"http://127.0.0.1:{parts.port}{parts.path}", headers=headers)
    try:
        with urlopen(wanted, timeout=30) as answer:
            return str(answer.read().decode())
    except (URLError, ConnectionError):
        return ""


def gone(address: str) -> bool:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if not read(address):
            return True
        time.sleep(0.1)
    return False


def test_the_page_is_there_while_the_run_is_played_and_ends_with_it(
    write: Write, tmp_path: Path
) -> None:
    with beside(write, tmp_path) as (process, address):
        end = time.monotonic() + 60
        while "<h1>watched" not in (text := read(address)):
            assert time.monotonic() < end, text
            time.sleep(0.1)
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert re.search("Standings after 20 games", out)
        assert gone(address)


def test_the_page_ends_with_a_run_that_is_killed(write: Write, tmp_path: Path) -> None:
    with beside(write, tmp_path) as (process, address):
        assert "<h1>" in read(address)
        process.kill()
        process.wait()
        assert gone(address)


def test_ctrl_c_is_for_the_games(write: Write, tmp_path: Path) -> None:
    with beside(write, tmp_path) as (process, address):
        while "<h1>watched" not in read(address):
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "To go on: arena run" in error
        assert gone(address)


def test_a_run_goes_on_without_its_page(write: Write, tmp_path: Path) -> None:
    with beside(write, tmp_path) as (process, address):
        while "<h1>watched" not in read(address):
            time.sleep(0.1)
        page = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        names = {pid: Path(f"/proc/{pid}/cmdline").read_text() for pid in page}
        (server,) = [pid for pid, name in names.items() if "arena.server.page_process" in name]
        os.kill(int(server), signal.SIGKILL)
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert "Standings after 20 games" in out


def test_the_engines_of_the_run_can_be_played_against(write: Write, tmp_path: Path) -> None:
    with beside(write, tmp_path, openings=60) as (_, address):  # to build them takes a while
        origin = address.partition("/now")[0]
        token = address.partition("?")[2]
        offered = json.loads(read(f"{origin}/play/offer?{token}"))["engines"]
    assert offered[0]["about"].endswith("of watched")
