"""The program and the folder of a command."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena.gomocup.command import found_program, is_windows, working_folder
from arena.plugins.command_line import absolute_files


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
