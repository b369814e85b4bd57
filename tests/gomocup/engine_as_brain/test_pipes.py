"""`arena brain` as a process: pipes, the end, and the one file that managers want."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from support.processes import finished, running
from support.samples import ROOT, player

import arena
from arena import cli
from arena.gomocup.engine_as_brain import executable
from arena.gomocup.engine_as_brain.conversation import TimeKeys
from arena.gomocup.engine_as_brain.executable import shebang
from arena.plugins.build import load_engine
from arena.plugins.load import Named, load_game
from arena.processes.compiling import KERNELS_EACH

ENGINE = "five_tuple:depth=20"
"""An engine that thinks for ever about a move without a limit of time."""


@contextmanager
def brain(engine: str, *, before: str = "START 15\n") -> Iterator[subprocess.Popen[bytes]]:
    """A brain that has answered START."""
    command = [sys.executable, "-m", "arena", "brain", engine]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with running(command, cwd=ROOT, bufsize=0, **pipes) as process:
        tell(process, before)
        assert process.stdout.readline() == b"OK\n"
        yield process


def tell(process: subprocess.Popen[bytes], text: str) -> None:
    assert process.stdin
    process.stdin.write(text.encode())


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.arena, arguments)


@pytest.mark.slow
def test_end_and_a_manager_that_goes_away_end_a_brain_that_thinks() -> None:
    for how in ("END\r\n", ""):
        with brain(ENGINE) as process:
            tell(process, "BOARD\n7,7,2\n8,8,1\n9,7,2\nDONE\n")
            time.sleep(0.2)
            assert process.poll() is None
            tell(process, how)
            began = time.monotonic()
            process.stdin.close()
            if not how:
                process.stdout.close()
            assert process.wait(5) == 0
            assert time.monotonic() - began < 1


@pytest.mark.slow
def test_end_ends_a_brain_that_thinks_also_if_it_came_with_what_was_asked() -> None:
    with brain(ENGINE) as process:
        began = time.monotonic()
        tell(process, "BOARD\n7,7,2\n8,8,1\n9,7,2\nDONE\nEND\n")
        assert process.wait(5) == 0
        assert time.monotonic() - began < 2


@pytest.mark.slow
@pytest.mark.parametrize("end", ["", "END"])
def test_what_was_written_in_advance_is_answered_before_the_end(tmp_path: Path, end: str) -> None:
    slow = "import time\n" + player("time.sleep(1.2); return Choice(p.cells.index(0))")
    (tmp_path / "my_engine.py").write_text(slow)
    command = [sys.executable, "-m", "arena", "brain", str(tmp_path / "my_engine.py")]
    done = finished(command, input=f"START 15\nBEGIN\n{end}", text=True)
    assert (done.returncode, done.stdout) == (0, "OK\n0,0\n")


@pytest.mark.slow
def test_so_is_it_where_kernels_must_be_compiled_first(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "arena", "brain", "live_dead:depth=1"]
    cold = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = finished(command, input="START 15\nBEGIN\n", text=True, env=cold)
    first, *_, last = done.stdout.splitlines()
    assert (done.returncode, first, last) == (0, "OK", "7,7")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["balance", "strong"])
def test_to_compile_kernels_takes_no_more_memory_than_managers_allow(
    engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A brain that holds more than GOMOCUP_MEMORY, which it is told, is ended: it is no engine."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    command = [sys.executable, "-m", "arena", "brain", engine]
    brain = load_engine(
        Named("gomocup", {"command": command, "startup": 300.0}), load_game("gomoku")
    )
    brain.close()
    assert len([*tmp_path.rglob("*.nbc")]) > 2 * KERNELS_EACH


def test_a_brain_that_never_answers_does_not_stay_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(executable, "LONGEST_THOUGHT", 0.1)
    monkeypatch.setattr(executable.os, "_exit", ended.append)
    heard: executable.Heard = SimpleQueue()
    heard.put(("BEGIN", 0.0))
    told = SimpleNamespace(keys=TimeKeys(turn=0.3))
    theirs, ours = os.pipe()
    began = time.monotonic()
    executable.end_once_answered(heard, told, ours)  # type: ignore[arg-type]
    assert ended == [0]
    assert time.monotonic() - began >= 2 * 0.3
    for each in (theirs, ours):
        os.close(each)


@pytest.mark.slow
def test_input_that_does_not_wait_is_waited_for() -> None:
    theirs, ours = os.pipe()
    os.set_blocking(theirs, False)
    command = [sys.executable, "-m", "arena", "brain", "random_mover"]
    with running(command, stdin=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        time.sleep(0.5)
        os.write(ours, b"START 15\n")
        os.close(ours)
        assert process.communicate(timeout=10) == (b"OK\n", None)
        assert process.returncode == 0


@pytest.mark.slow
def test_input_that_cannot_be_read_is_at_its_end(tmp_path: Path) -> None:
    with (tmp_path / "empty").open("wb") as unreadable:
        command = [sys.executable, "-m", "arena", "brain", "random_mover"]
        with running(command, stdin=unreadable) as process:
            assert process.wait(10) == 0


@pytest.mark.slow
def test_lines_end_in_any_way_and_what_engines_print_stays_out(tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    choose = "print('7,7'); os.write(1, b'7,7'); os.system('echo 7,7'); return Choice(0)"
    file.write_text(player(choose), encoding="utf-8")
    with brain(str(file), before="\r\nSTART 15\r\n\r\n") as process:
        tell(process, "FOO\rBAR\r\n\nBEGIN\r")
        assert [process.stdout.readline() for _ in range(3)] == [
            b"UNKNOWN FOO\n",
            b"UNKNOWN BAR\n",
            b"0,0\n",
        ]
        tell(process, "END\r")
        assert process.wait(5) == 0
        assert process.stdout.read() == b""
        assert process.stderr.read().count(b"7,7") == 3


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("balence", "did you mean 'balance'?"),
        ("balance:depth=99", "depth must be at most 20, not 99"),
        ("minimax", "plays only tictactoe"),
        ("./none.py", "no such engine file"),
    ],
)
def test_of_a_wrong_engine_nothing_is_written(engine: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "pbrain"
    done = typed("brain", engine, "--write", str(file))
    assert words in str(done.exception)
    assert not file.exists()


def test_a_written_brain_plays_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_engine.py").write_text(player("return Choice(p.cells.index(0))"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "random.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(tmp_path)
    assert typed("brain", "./my_engine.py", "--write", "pbrain").exit_code == 0
    monkeypatch.chdir(tmp_path / "elsewhere")
    game = arena.play("gomoku:size=5", "../pbrain", "random_mover")
    assert game.moves.startswith("0,0 ")
    assert game.reason in ("line", "full board")


def test_a_brain_is_written_over_a_brain_and_over_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "pbrain"
    for engine in ("random_mover", "random_mover"):
        assert typed("brain", engine, "--write", str(file)).exit_code == 0
    assert os.access(file, os.X_OK)
    file.write_text("of mine")
    done = typed("brain", "random_mover", "--write", str(file))
    assert "is there already" in str(done.exception)
    assert file.read_text() == "of mine"
    assert "No such file or directory" in str(
        typed("brain", "random_mover", "--write", str(tmp_path / "none" / "pbrain")).exception
    )
    assert [*tmp_path.iterdir()] == [file]


def test_a_python_in_a_folder_with_blanks_is_started_by_a_shell(tmp_path: Path) -> None:
    folder = tmp_path / "my python"
    folder.mkdir()
    python, file = folder / "python", tmp_path / "program"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    file.write_text(f"{shebang(str(python))}\nprint('started')\n")
    for each in (python, file):
        each.chmod(0o755)
    assert finished([str(file)], text=True).stdout == "started\n"
    assert re.fullmatch(r"#!\S+python\S*", shebang(sys.executable))
