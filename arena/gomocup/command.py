"""A command that starts a brain: its program, its folder, Wine, and files with values filled in."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shlex import quote

from arena.engine import ProgramError
from arena.errors import expanded, unknown
from arena.plugins.engine_names import found_command, interpreted, is_file

SYSTEM = ("/bin", "/lib", "/sbin", "/usr", sys.prefix)
"""Folders of programs that each machine has of its own, such as interpreters."""


def is_of_system(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in SYSTEM)


def runnable(words: Sequence[str]) -> tuple[str, ...]:
    """The command with its absolute path, by Wine if need be; ProgramError if it cannot be run."""
    program, *arguments = words
    return _by_wine((found_program(program), *arguments))


def found_program(program: str) -> str:
    """The absolute path of a program, or of a command; ProgramError if there is none."""
    if not is_file(program) and (found := found_command(program)):
        return found
    place = os.path.abspath(expanded(program))
    if not is_file(program):
        cure = f": {INSTALL_WINE}" if WINE.fullmatch(program) else ""
        raise ProgramError("crash", f"is no file{cure}", place)
    if not (shutil.which(place) or _is_windows_program(Path(place))):
        by_interpreter = interpreted(Path(place))
        cure = f'give it as "{by_interpreter}"' if by_interpreter else f"chmod +x {quote(place)}"
        raise ProgramError("crash", f"is not executable: {cure}", place)
    return place


def command_files(words: Sequence[str]) -> list[Path]:
    """The files of a command: those given by path, or else the program that its name finds."""
    files = [path for word in words if word and (path := Path(word).absolute()).is_file()]
    program = found_command(words[0]) if words and not files else None
    return files if program is None else [Path(program)]


def working_folder(words: Sequence[str], folder: str) -> str:
    """The working directory of a command, if none is given: that of its last file.

    Where a command of the system has no file behind it, as in `java Main`, it is the current one.
    """
    program = Path(found_program(words[0]))
    files = [Path(word) for word in words[1:] if Path(word).is_absolute() and Path(word).is_file()]
    is_interpreter = len(words) > 1 and (not is_file(words[0]) or is_of_system(program))
    if folder:
        path = expanded(folder)
    elif is_interpreter and not files:
        path = Path.cwd()
    else:
        path = [program, *files][-1].parent
    if not path.is_dir():
        raise ProgramError("crash", "is no folder", str(path.absolute()))
    return str(path.absolute())


WINE = re.compile(r"wine(32|64)?(-(stable|staging|devel|development))?")
WINE_COMMANDS = ("wine", "wine64", "/usr/lib/wine/wine64")
"""Where it is looked for; the last is Debian's wine64 without its wrapper."""
WINE_SERVERS = ("wineserver", "/usr/lib/wine/wineserver")
SERVER_SECONDS, WINE_TIMEOUT = 20, 300
"""Seconds for which Wine's server waits for a next program, and that its folder may take."""
SERVER_RUNS = 2  # the exit code of a second server
INSTALL_WINE = "install it (Debian, Ubuntu: apt install wine)"
INSTALL_WINE_32 = (
    "install its 32-bit part (Debian, Ubuntu: dpkg --add-architecture i386 && apt update"
    " && apt install wine32:i386)"
)
I386 = 0x14C  # the number of 32-bit processors in the header of a Windows program
WINDOWS_MAGIC = b"MZ"  # the first bytes of a Windows program
HANDLERS = Path("/proc/sys/fs/binfmt_misc")
"""The programs by which Linux runs files that begin with certain bytes."""


def _by_wine(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command, by Wine if need be; ProgramError if Wine is missing, or cannot run it."""
    if _is_windows_program(Path(command[0])) and not runs_windows_programs():
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
    return words[0].lower().endswith(".exe") or any(map(_is_windows_program, map(Path, words)))


def is_wine(command: Sequence[str]) -> bool:
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
    """Wine's environment, without remarks unless the user wants them; None: ours will do."""
    return {"WINEDEBUG": "-all", **os.environ} if is_wine(command) else None


def _is_windows_program(file: Path) -> bool:
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


PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")
BRACES = {"{{": "{", "}}": "}"}
VALUE_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
PREFIX = "arena-filled-"


def filled(text: str, values: Mapping[str, object]) -> str:
    """The text with values in their places; braces without a value stay as they are."""

    def meant(found: re.Match[str]) -> str:
        return BRACES.get(found[0]) or str(values.get(found[1], found[0]))

    return PLACEHOLDER.sub(meant, text)


def values_wanted(text: str) -> set[str]:
    return {found[1] for found in PLACEHOLDER.finditer(text) if found[1] is not None}


def mistakes_in(text: str, known: Collection[str]) -> Iterator[tuple[int, str]]:
    """The places in a text that no value can take: where each begins, and a message."""
    for found in PLACEHOLDER.finditer(text):
        name, brace = found[1], found[0][0]
        if found[0] in BRACES or name in known:
            continue
        if name is None:
            message = f"a {brace!r} stands alone"
        elif VALUE_NAME.fullmatch(name.strip()):
            yield found.start(), unknown("value", name, known)
            continue
        else:
            message = f"{found[0]!r} is no name of a value"
        yield found.start(), f"{message}; a brace itself is written {2 * brace!r}"


def line_and_column_at(text: str, offset: int) -> str:
    return f"{text.count(chr(10), 0, offset) + 1}:{offset - text.rfind(chr(10), 0, offset)}"


@contextmanager
def filled_file(content: bytes, suffix: str) -> Iterator[str]:
    """The path of a new file with this content, for a time; it ends in the suffix."""
    # Its writer holds a lock on it, of which the kernel lets go if the writer is killed.
    remove_abandoned()
    descriptor, path = _locked_file(suffix)
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(content)
        yield path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)
        os.close(descriptor)


def _locked_file(suffix: str) -> tuple[int, str]:
    while True:
        descriptor, path = tempfile.mkstemp(suffix, PREFIX)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # It may have been removed as abandoned before it was locked.
        if os.path.exists(path):
            return descriptor, path
        os.close(descriptor)


def remove_abandoned() -> None:
    """Remove the files whose writers were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
