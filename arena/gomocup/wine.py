"""Programs for Windows, and Wine, which runs them where the system does not."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from arena.engine import ProgramError

WINE = re.compile(r"wine(32|64)?(-(stable|staging|devel|development))?")
"""The names of Wine's own command."""
WINE_COMMANDS = ("wine", "wine64", "/usr/lib/wine/wine64")
"""Where it is looked for; the last is Debian's wine64 without its wrapper."""
WINE_SERVERS = ("wineserver", "/usr/lib/wine/wineserver")
SERVER_SECONDS, WINE_TIMEOUT = 20, 300
"""Seconds for which Wine's server waits for a next program, and that its folder may take."""
SERVER_RUNS = 2
"""The exit code of a second server."""
INSTALL_WINE = "install it (Debian, Ubuntu: apt install wine)"
INSTALL_WINE_32 = (
    "install its 32-bit part (Debian, Ubuntu: dpkg --add-architecture i386 && apt update"
    " && apt install wine32:i386)"
)
I386 = 0x14C
"""The number of 32-bit processors in the header of a Windows program."""
WINDOWS_MAGIC = b"MZ"
"""The first bytes of a Windows program."""
HANDLERS = Path("/proc/sys/fs/binfmt_misc")
"""The programs by which Linux runs files that begin with certain bytes."""


def by_wine(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command by which a program is started here: by Wine, if it is one for Windows that this
    system does not run as it is. ProgramError if Wine is missing, or cannot run it."""
    if is_windows_program(Path(command[0])) and not runs_windows_programs():
        wine = next(filter(None, map(shutil.which, WINE_COMMANDS)), None)
        if wine is None:
            message = f"is a Windows program, which Wine runs: {INSTALL_WINE}"
            raise ProgramError("crash", message, command[0])
        command = (wine, *command)
    if is_wine(command):
        prepare_wine(command)  # makes the folder that tells whether it runs programs of 32 bits
        _refuse_32_bits(command)
    return command


def is_windows(words: Sequence[str]) -> bool:
    """True if a command starts a Windows program, by Wine or, where the system can, as it is."""
    if any(WINE.fullmatch(os.path.basename(word)) for word in words):
        return True
    return words[0].lower().endswith(".exe") or any(map(is_windows_program, map(Path, words)))


def is_wine(command: Sequence[str]) -> bool:
    """True if a command begins with Wine."""
    return WINE.fullmatch(os.path.basename(command[0])) is not None


def prepare_wine(command: Sequence[str]) -> None:
    """Start what all programs share that Wine runs, unless it runs: it must not end with one.

    Its server and services would belong to the first program, and be killed with that, so that the
    others would crash. Its folder takes half a minute to make, once, which is no program's fault.
    """
    server = next(filter(None, map(shutil.which, WINE_SERVERS)), None)
    if server is None or _exit_code([server, f"-p{SERVER_SECONDS}"]) != SERVER_RUNS:
        _exit_code([command[0], "cmd", "/c", "exit"])


def environment(command: Sequence[str]) -> dict[str, str] | None:
    """The environment of a command, if it is not ours: Wine's without its own remarks, unless the
    user wants them."""
    return {"WINEDEBUG": "-all", **os.environ} if is_wine(command) else None


def is_windows_program(file: Path) -> bool:
    """True if a file is a program for Windows."""
    with suppress(OSError), file.open("rb") as program:
        return program.read(len(WINDOWS_MAGIC)) == WINDOWS_MAGIC
    return False


def runs_windows_programs() -> bool:
    """True if this system runs them as they are: by Wine, or by the Windows below it (WSL)."""
    return any(f"magic {WINDOWS_MAGIC.hex()}" in told and "enabled" in told for told in _handlers())


def _refuse_32_bits(command: Sequence[str]) -> None:
    """ProgramError for a 32-bit program where Wine is for 64 bits only, and would say nothing."""
    libraries = _wine_folder() / "drive_c/windows/syswow64"
    if libraries.is_dir() and not (libraries / "ntdll.dll").exists():
        for word in command[1:]:
            if _machine_of(Path(word)) == I386:
                message = f"is a 32-bit Windows program, and Wine is without: {INSTALL_WINE_32}"
                raise ProgramError("crash", message, word)


def _wine_folder() -> Path:
    return Path(os.environ.get("WINEPREFIX") or Path.home() / ".wine")


def _machine_of(file: Path) -> int:
    """The number of the processors that a Windows program is for; 0 if it is none."""
    with suppress(OSError, struct.error), file.open("rb") as program:
        start = program.read(64)
        if start.startswith(WINDOWS_MAGIC):
            program.seek(struct.unpack_from("<I", start, 60)[0] + 4)
            return int(struct.unpack("<H", program.read(2))[0])
    return 0


def _exit_code(command: Sequence[str]) -> int | None:
    """The exit code of a part of Wine; None if it does not end."""
    with suppress(OSError, subprocess.SubprocessError):
        nothing = subprocess.DEVNULL
        return subprocess.run(
            command,
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            timeout=WINE_TIMEOUT,
            start_new_session=True,
        ).returncode
    return None


def _handlers() -> Iterator[list[str]]:
    with suppress(OSError):
        for handler in HANDLERS.iterdir():
            with suppress(OSError):
                yield handler.read_text(encoding="utf-8", errors="replace").splitlines()
