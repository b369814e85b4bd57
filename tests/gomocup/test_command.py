"""The program and the folder of a command, what is filled in, and the processes below one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.processes import running
from support.samples import ROOT

from arena.engine import ProgramError
from arena.gomocup import command
from arena.gomocup.command import (
    environment,
    filled,
    filled_file,
    found_program,
    is_windows,
    mistakes_in,
    remove_abandoned,
    runnable,
    runs_windows_programs,
    values_wanted,
    working_folder,
)
from arena.gomocup.supervisor import ticks
from arena.plugins.engine_names import is_command_line, split_command

WINDOWS_64, WINDOWS_32 = (
    b"MZ".ljust(60, b"\0") + b"\x40\0\0\0PE\0\0" + machine for machine in (b"\x64\x86", b"\x4c\x01")
)
"""The first bytes of Windows programs."""


@pytest.mark.parametrize(
    ("command", "is_of_windows"),
    [
        (["wine", "theirs"], True),
        (["/usr/bin/wine64", "./theirs.exe"], True),
        (["/usr/bin/env", "WINEDEBUG=-all", "wine", "theirs"], True),
        (["./THEIRS.EXE"], True),
        (["theirs"], True),
        (["ours"], False),
        (["env", "X=1", "./theirs"], True),
        (["ours", "--book", "wine.txt"], False),
        (["winetou"], False),
        (["none"], False),
        (["."], False),
    ],
)
def test_a_windows_program_is_known_by_wine_by_its_name_or_by_its_first_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], is_of_windows: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs").write_bytes(b"MZ\x90\0")
    (tmp_path / "ours").write_bytes(b"\x7fELF")
    assert is_windows(command) is is_of_windows


@pytest.mark.parametrize(
    ("text", "words", "is_line"),
    [
        ("python3 x.py", ["python3", "x.py"], True),
        ("  python3   x.py ", ["python3", "x.py"], True),
        ("python3 'a b.py'", ["python3", "a b.py"], True),
        ("./a b.py", ["./a b.py"], False),
        ("'./a b.py' --depth 3", ["./a b.py", "--depth", "3"], True),
        ("./x.py", ["./x.py"], False),
        ("python3 x.py 'oh", ["python3 x.py 'oh"], False),
        ("./none.py here", ["./none.py", "here"], False),
        ("no-such-command x.py", ["no-such-command", "x.py"], False),
        (" ", [" "], False),
        ("", [""], False),
    ],
)
def test_a_text_is_a_file_or_else_a_command_line_as_a_shell_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: list[str], is_line: bool
) -> None:
    for name in ("x.py", "a b.py"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    assert split_command(text) == words
    assert is_command_line(text) is is_line


def test_a_command_without_file_works_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    python = os.path.basename(sys.executable)
    assert working_folder([python, "-m", "brain"], "") == str(tmp_path)
    assert working_folder([python], "") == str(Path(sys.executable).parent)
    assert working_folder([python, "-m", "brain"], "/") == "/"


@pytest.fixture
def windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with Windows programs, on a system that has no Wine."""
    (tmp_path / "theirs.exe").write_bytes(WINDOWS_64)
    (tmp_path / "old.exe").write_bytes(WINDOWS_32)
    monkeypatch.setattr(command, "HANDLERS", tmp_path / "none")
    monkeypatch.setattr(command, "WINE_SERVERS", ())
    monkeypatch.setattr(command, "WINE_COMMANDS", ("wine",))
    monkeypatch.setenv("WINEPREFIX", str(tmp_path / "prefix"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def add_wine(folder: Path) -> str:
    """A program in the place of Wine, which writes down what it is to start; its path."""
    (folder / "bin").mkdir()
    wine = folder / "bin/wine"
    wine.write_text(f"#!/bin/sh\necho $@ >> {folder}/started\n")
    wine.chmod(0o755)
    return str(wine)


def test_a_windows_program_is_started_by_wine_whose_services_run_before(windows: Path) -> None:
    wine = add_wine(windows)
    program = str(windows / "theirs.exe")
    assert runnable([program, "--level", "3"]) == (wine, program, "--level", "3")
    assert (windows / "started").read_text() == "cmd /c exit\n"
    assert is_windows(runnable(["wine", program]))


def test_without_wine_it_is_said_what_to_install(windows: Path) -> None:
    for words in ([str(windows / "theirs.exe")], ["wine", "theirs.exe"]):
        with pytest.raises(ProgramError, match="apt install wine"):
            runnable(words)


def test_a_32_bit_program_is_refused_where_wine_would_end_it_without_a_word(windows: Path) -> None:
    wine, program = add_wine(windows), str(windows / "old.exe")
    assert runnable([program]) == (wine, program)  # nothing is known of a folder not yet made
    libraries = windows / "prefix/drive_c/windows/syswow64"
    libraries.mkdir(parents=True)
    for words in ([program], ["wine", program]):
        with pytest.raises(ProgramError, match="is a 32-bit Windows program"):
            runnable(words)
    assert runnable([str(windows / "theirs.exe")])
    (libraries / "ntdll.dll").touch()
    assert runnable([program]) == (wine, program)


def test_wine_is_quiet_unless_its_user_wants_to_hear_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WINEDEBUG", raising=False)
    assert (environment(["/usr/bin/wine", "x.exe"]) or {})["WINEDEBUG"] == "-all"
    assert environment(["/usr/bin/python3", "wine"]) is None
    monkeypatch.setenv("WINEDEBUG", "+relay")
    assert (environment(["/usr/bin/wine", "x.exe"]) or {})["WINEDEBUG"] == "+relay"


@pytest.mark.parametrize(
    ("name", "told"),
    [("x.py", "python3 "), ("x.jar", "java -jar "), ("x.js", "node "), ("x.PY", "python3 ")],
)
def test_a_file_for_an_interpreter_is_told_with_it(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / name).touch()
    with pytest.raises(ProgramError, match=f'is not executable: give it as "{told}.*{name}"'):
        found_program(str(tmp_path / name))


HANDLER = "{state}\ninterpreter /init\nflags: P\noffset 0\nmagic {magic}\n"


@pytest.mark.parametrize(
    ("handler", "runs"),
    [
        (None, False),
        (HANDLER.format(state="enabled", magic="4d5a"), True),
        (HANDLER.format(state="disabled", magic="4d5a"), False),
        (HANDLER.format(state="enabled", magic="7f454c46"), False),
    ],
)
def test_linux_runs_them_with_a_handler_as_wsl_has_where_it_can_reach_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handler: str | None, runs: bool
) -> None:
    if handler:
        (tmp_path / "handlers").mkdir()
        (tmp_path / "handlers" / "WSLInterop").write_text(handler)
    monkeypatch.setattr(command, "HANDLERS", tmp_path / "handlers")
    assert runs_windows_programs() is runs


@given(st.text(alphabet="{}ab \n"))
def test_braces_mean_what_they_mean_to_python(text: str) -> None:
    values = {"a": 0.5, "b": "{a}", "ab": 3}  # a value is no text to be filled
    is_wrong = bool(list(mistakes_in(text, values)))
    if not is_wrong:
        assert filled(text, values) == text.format(**values)
        assert values_wanted(text) <= values.keys()
    else:
        with pytest.raises((KeyError, ValueError, IndexError)):
            text.format(**values)


def test_a_file_is_there_while_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with filled_file("a\r\nä".encode(), ".txt") as one, filled_file(b"b", ".txt") as other:
        remove_abandoned()
        assert {Path(one).read_bytes(), Path(other).read_bytes()} == {"a\r\nä".encode(), b"b"}
        assert one.endswith(".txt")
    assert not list(tmp_path.iterdir())


def test_a_file_of_a_killed_writer_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "from arena.gomocup.command import filled_file\n"
        "with filled_file(b'a', '.txt') as path: print(path, flush=True); input()"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    pipes = {"stdin": -1, "stdout": -1}
    with running([sys.executable, "-c", code], env=environment, **pipes) as writer:
        path = Path(writer.stdout.readline().decode().strip())
        remove_abandoned()
        assert path.exists()
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        with filled_file(b"b", ".txt"):
            assert not path.exists()


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")


@needs_proc
def test_a_process_that_waits_has_used_so_much_and_one_that_runs_is_never_done() -> None:
    waits = [sys.executable, "-c", "print(flush=True); input()"]
    with running(waits, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        while (used := ticks([process.pid])) is None:
            pass
        assert used == ticks([process.pid])
    runs = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    with running(runs, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        assert ticks([process.pid]) is None
    assert ticks([process.pid]) == 0
