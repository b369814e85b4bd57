"""Windows programs, and the systems that run them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.gomocup import windows
from arena.gomocup.windows import is_windows_program, runs_windows_programs

WSL = "Linux version 5.15.90.1-microsoft-standard-WSL2 (gcc 9.3.0) #1 SMP\n"
HANDLER = "{state}\ninterpreter /init\nflags: P\noffset 0\nmagic {magic}\n"


@pytest.mark.parametrize(
    ("content", "found"), [(b"MZ\x90\x00", True), (b"\x7fELF", False), (b"#!/bin/sh", False)]
)
def test_a_windows_program_is_known_by_its_first_bytes(
    tmp_path: Path, content: bytes, found: bool
) -> None:
    file = tmp_path / "pbrain"
    file.write_bytes(content)
    assert is_windows_program(file) is found


def test_what_cannot_be_read_is_none(tmp_path: Path) -> None:
    assert not is_windows_program(tmp_path / "none")
    assert not is_windows_program(tmp_path)


@pytest.mark.parametrize(
    ("version", "handler", "runs"),
    [
        ("Linux version 6.1.0 (gcc 12.2.0)", None, False),
        (WSL, None, True),
        ("Linux", HANDLER.format(state="enabled", magic="4d5a"), True),
        ("Linux", HANDLER.format(state="disabled", magic="4d5a"), False),
        ("Linux", HANDLER.format(state="enabled", magic="7f454c46"), False),
    ],
)
def test_wsl_runs_them_and_so_does_linux_with_a_handler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, handler: str | None, runs: bool
) -> None:
    (tmp_path / "version").write_text(version)
    if handler:
        (tmp_path / "handlers").mkdir()
        (tmp_path / "handlers" / "WSLInterop").write_text(handler)
    monkeypatch.setattr(windows, "KERNEL", tmp_path / "version")
    monkeypatch.setattr(windows, "HANDLERS", tmp_path / "handlers")
    assert runs_windows_programs() is runs
