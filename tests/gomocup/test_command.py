"""The program and the folder of a command."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena.engine import ProgramError
from arena.gomocup import command
from arena.gomocup.command import environment, found_program, is_windows, runnable, working_folder
from arena.plugins.engine_names import absolute_files, is_command_line, split_command

WINDOWS_64, WINDOWS_32 = (
    b"MZ".ljust(60, b"\0") + b"\x40\0\0\0PE\0\0" + machine for machine in (b"\x64\x86", b"\x4c\x01")
)
"""The first bytes of Windows programs."""


def test_a_bare_name_is_looked_for_beside_this_python_before_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = os.path.basename(sys.executable)
    other = tmp_path / name
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert found_program(name) == str(Path(sys.executable).parent / name)


def test_words_of_a_command_that_are_files_are_those_of_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "brain.py").touch()
    monkeypatch.chdir(tmp_path)
    words = absolute_files(["python3", "-u", "brain.py", "other"])
    assert words == ["python3", "-u", str(tmp_path / "brain.py"), "other"]
    assert working_folder(words, "") == str(tmp_path)


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


def test_a_command_without_a_file_works_where_it_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
