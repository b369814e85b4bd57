"""A person at a terminal, and at a pipe."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from select import select

import pytest
from support.processes import finished, running

arena = [sys.executable, "-m", "arena"]
PLAY = [*arena, "play", "human", "random_mover", "--game", "tictactoe"]


class Screen:
    """Holds our end of a terminal, and all that came out of it."""

    def __init__(self, leader: int) -> None:
        self.leader = leader
        self.shown = b""

    def wait_for(self, text: str) -> None:
        """Read until this is shown; OSError if the other end is closed before."""
        while text.encode() not in self.shown:
            self.read()

    def read(self) -> bytes:
        """Look at the next output, which does not take forever."""
        assert select([self.leader], [], [], 60)[0], f"nothing more came after {self.shown!r}"
        more = os.read(self.leader, 4096)
        self.shown += more
        return more

    def type(self, text: str) -> None:
        """Type this, and look only at what comes after."""
        self.shown = b""
        os.write(self.leader, text.encode())

    def rest(self) -> str:
        """All until the end."""
        try:
            while self.read():
                pass
        except OSError:
            pass
        return self.shown.decode()


@contextmanager
def terminal(
    folder: Path, *more: str, command: Sequence[str] = PLAY, **environment: str
) -> Iterator[tuple[Screen, subprocess.Popen[bytes]]]:
    """A game in a terminal of its own, which Ctrl-C reaches."""
    leader, follower = pty.openpty()
    with ExitStack() as stack:
        stack.callback(os.close, leader)
        started = running(
            [*command, *more],
            prepare=lambda: os.login_tty(follower),
            cwd=folder,
            env={**os.environ, "TERM": "dumb", "PYTHONIOENCODING": "utf-8", **environment},
        )
        process = stack.enter_context(started)
        os.close(follower)
        yield Screen(leader), process
        process.wait(60)


def test_in_a_terminal_a_person_is_prompted(tmp_path: Path) -> None:
    with terminal(tmp_path) as (screen, process):
        screen.wait_for("● human> ")
        screen.type("1 1\r")
        screen.wait_for("2. ○ random_mover")
        screen.wait_for("● human> ")
        screen.type("resign\r")
        shown = screen.rest()
    assert "human - random_mover: 0-1, resignation" in shown
    assert "Kept as game 1 of results/human-tictactoe" in shown
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("key", "code"), [("\x03", 130), pytest.param("\x04", 1, marks=pytest.mark.slow)]
)
def test_ctrl_c_and_ctrl_d_leave_politely(key: str, code: int, tmp_path: Path) -> None:
    with terminal(tmp_path, "--seed", "4") as (screen, process):
        screen.wait_for("● human> ")
        screen.type("1,1\r")
        screen.wait_for("2. ○ random_mover")
        screen.wait_for("● human> ")
        screen.type(key)
        shown = screen.rest()
    assert "To go on: arena play human random_mover --game tictactoe --opening '1,1 " in shown
    assert "--seed 4" in shown
    assert "Traceback" not in shown
    assert process.returncode == code
    assert not list(tmp_path.glob("results/*/*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "farewell"),
    [
        ("human", "To go on: arena play human"),
        ("random_mover", "Aborted!"),
    ],
)
def test_ctrl_c_is_heard_in_the_middle_of_a_search(
    first: str, farewell: str, tmp_path: Path
) -> None:
    """This one would take hours, and Python hears nothing before it returns."""
    search = [*arena, "play", first, "balance:depth=20,max_points=60"]
    with terminal(tmp_path, command=search) as (screen, process):
        if first == "human":
            screen.wait_for("● human> ")
            screen.type("7,7\r")
        screen.wait_for("1. ● ")
        time.sleep(0.3)
        screen.type("\x03")
        shown = screen.rest()
    assert farewell in shown
    assert process.returncode == 130


def piped(folder: Path, typed: bytes, *more: str) -> subprocess.CompletedProcess[bytes]:
    return finished([*PLAY, *more], cwd=folder, input=typed)


@pytest.mark.slow
def test_through_a_pipe_nobody_is_prompted(tmp_path: Path) -> None:
    done = piped(tmp_path, b"\xff\xfe\n1,1\nresign\n")
    assert done.returncode == 0, done.stderr
    assert b"human>" not in done.stdout
    assert b"is no move" in done.stdout
    assert done.stderr == b""
    done = piped(tmp_path, b"1,1")
    assert done.returncode == 1
    assert b"Left unfinished, and not kept. To go on: arena play human" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
def test_moves_and_records_are_for_programs_and_the_talk_is_apart(tmp_path: Path) -> None:
    record = json.loads(piped(tmp_path, b"0,0\nundo\n1,1\nresign\n", "--json").stdout)
    moves = piped(tmp_path, b"0,0\nundo\n1,1\nresign\n", "--format", "moves")
    assert moves.stdout.decode().split() == record["moves"].split()
    assert "● human  ○ random_mover" in moves.stderr.decode()


@pytest.mark.slow
def test_a_kept_game_can_be_replayed_by_the_rules(tmp_path: Path) -> None:
    assert piped(tmp_path, b"1,1\nresign\n").returncode == 0
    command = [*arena, "replay", "human-tictactoe", "1"]
    done = finished(command, cwd=tmp_path, text=True, check=True)
    assert "By the rules, the same; a person played, so it is not played again." in done.stdout


@pytest.mark.slow
def test_without_an_input_the_game_is_left_at_once(tmp_path: Path) -> None:
    command = " ".join([*PLAY, "<&-"])
    done = finished(command, shell=True, cwd=tmp_path)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_a_terminal_that_has_ascii_only_shows_marks_in_place_of_stones(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}
    with terminal(tmp_path, **plain) as (screen, _):
        screen.wait_for("? human> ")
        screen.type("5\n")
        screen.wait_for("? human> ")
        screen.type("\x04")
        assert "Traceback" not in screen.rest()
