"""Windows programs, and the systems that run them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.gomocup import command
from arena.gomocup.command import is_windows_program, runs_windows_programs

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
