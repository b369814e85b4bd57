"""Files that users name, and those in folders of results: read if they are, written whole or not.

What must be a regular file is looked at before it is opened; a pipe that a user names is read
within a bound and a time limit; an output replaces nothing that is not of its form.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, TypeVar

from arena.errors import ConfigError, Fault, refused, shown_path

MAX_READ = 2**28  # Bytes of a file that is read whole: a device has no end
MAX_SEEN = 1 << 16  # Bytes of a file by which its form is known
FORMS: Mapping[str, tuple[str, bytes]] = {
    "brain": (".py", rb"^# A Gomocup brain, written by: arena brain --write$"),
    "book": ("", rb"\A# Openings made by "),
    "csv": (".csv", rb"\A(?=.*\b(default|elo|engine|first|games|pairs|range_low|run|trial)\b)\w+,"),
    "html": (".html .htm", rb"(?s)\A<!doctype html.*gomoku-arena</title>"),
    "json": (".json", rb'\A(\{\n "|\[\n \{|\[\])'),
    "jsonl": (".jsonl", rb'\A\{"'),
    "markdown": (".md", rb"^\| :--( \| --:)* \|$"),
    "openings": ("", rb"\A\d+,\d+[\d, -]*$"),
    "parquet": (".parquet", rb"\APAR1"),
    "psq": (".psq", rb"\APiskvorky "),
    "sgf": (".sgf", rb"(?s)\A\s*\(;.*AP\[arena\b"),
    "run": (".yaml", rb"^kind: \w+$"),
    "svg": (".svg", rb"\A<svg "),
    "table": ("", rb"^[A-Z][\w ]*: [^\n]*; [A-Z][\w ]*: "),
    "tuned": (".yaml", rb"^name: .*_tuned$"),
}
"""What is written where users name it: endings of names, and the sign of such a file."""
OTHER_ENDINGS = ".yml .toml .db .zip .gz .xz .7z .tar .xlsx"  # Endings that none of these has
OWN_NAMES = re.compile(r"(arena|import)\.db.*|config\.yaml.*|arena\.log|boards\.json|lock|stop")
"""Files of a run's folder that nobody but the run writes, be they there or not."""
OPEN_HERE = re.compile(r"/dev/(?:fd/(\d{1,6})|(stdout)|stderr)")
MAX_WAIT = 60.0  # Seconds within which a pipe that a user named must have come to its end
KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFLNK: "a link",
}
"""What can stand in the place of a file."""
T = TypeVar("T")


def regular(path: str | os.PathLike[str], follows: bool = True) -> bool:
    """True for a regular file, or for one that a link leads to if it `follows` links; False if
    there is none. OSError for all else: a pipe would be waited for without end."""
    try:
        mode = os.stat(path, follow_symlinks=follows).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last of a NUL in a name
        return False
    if not stat.S_ISREG(mode):
        kind = KINDS.get(stat.S_IFMT(mode), "something else")
        raise OSError(errno.EINVAL, f"is {kind}, not a file", os.fspath(path))
    return True


def regular_opener(path: str, flags: int, mode: int = 0o666) -> int:
    """An opener for `open` that opens only regular files, as all in a folder of results should be;
    it follows links to read, but not to write. Raises OSError for everything else."""
    is_writing = bool(flags & (os.O_WRONLY | os.O_RDWR))
    regular(path, follows=not is_writing)
    # O_NONBLOCK: do not wait for a pipe that has taken the file's place since that check.
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, mode)


def is_pipe(path: Path) -> bool:
    """True for a pipe, or a device such as a terminal."""
    return path.is_fifo() or path.is_char_device()


def read_whole(file: Path) -> bytes:
    """The bytes of a file that a user named, which may be a pipe that ends in time. Raises OSError,
    and ConfigError for one too large."""
    return _read_pipe(file, file.stat().st_ino) if is_pipe(file) else read_regular(file)


def read_regular(file: Path, most: int = MAX_READ) -> bytes:
    """The bytes of a regular file. Raises OSError, and ConfigError for one too large."""
    with open(file, "rb", opener=regular_opener) as stream:
        return read_rest(stream, file, most)


def read_rest(stream: BinaryIO, file: Path, most: int = MAX_READ) -> bytes:
    content = stream.read(most + 1)
    if len(content) > most:
        raise ConfigError(Fault(shown_path(file), f"is larger than {most >> 20} MB"))
    return content


@cache
def _read_pipe(file: Path, inode: int) -> bytes:
    """Read a pipe to its end. It gives its bytes only once, so they are cached for a second read;
    `inode` is there for the cache's key, and tells apart pipes that have one path in turn."""

    def read() -> bytes:
        with file.open("rb") as stream:
            return read_rest(stream, file)

    try:
        return in_time(MAX_WAIT, read)
    except TimeoutError:
        message = f"is a pipe that did not end within {MAX_WAIT:g} s"
        raise ConfigError(Fault(shown_path(file), message)) from None


def forget_pipes() -> None:
    """Let pipes be read anew: another call from Python may find something else there."""
    _read_pipe.cache_clear()


def in_time(seconds: float, act: Callable[..., T], *given: Any) -> T:
    """The value of a function. TimeoutError if it takes longer: what waits for a pipe or a disk
    cannot be ended, but its thread is left alone."""
    from concurrent.futures import Future  # takes a while, and few need it

    done = Future[T]()

    def do() -> None:
        try:
            done.set_result(act(*given))
        except BaseException as error:
            done.set_exception(error)

    Thread(target=do, daemon=True).start()
    return done.result(seconds)


@contextmanager
def written(file: Path, form: str, line: str = "", mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file that a user named, to write it whole or not at all; a pipe or device as it comes.

    ConfigError if that fails, and for what is of another form: see `refuse_other`.
    """
    try:
        stream: AbstractContextManager[BinaryIO] | None = _stream_of(file)
        if stream is None:
            refuse_other(file, form, line)
            stream = replaced(Path(os.path.realpath(file)), mode)
        with stream as out:
            yield out
    except BrokenPipeError:  # by a reader that has seen enough, of whom click knows
        raise
    except OSError as error:
        raise refused(error, file) from None


def refuse_other(file: Path, form: str, line: str = "") -> None:
    """Raise a ConfigError for the ending of another form, for a run's own file, and for what is
    there, not empty, and neither has the sign of the form nor begins with the words of this `line`;
    OSError if it cannot be written."""
    endings = " ".join([OTHER_ENDINGS, *(each for each, _ in FORMS.values())]).split()
    if file.suffix.lower() in {*endings} - {*FORMS[form][0].split()}:
        message = f"the ending {file.suffix} is not that of {form}: give another name, or --format"
        raise ConfigError(Fault(shown_path(file), message))
    if OWN_NAMES.fullmatch(file.name) and os.path.exists(file.parent / "arena.db"):
        raise ConfigError(Fault(shown_path(file), "is the run's own: give another name"))
    try:
        regular(file)
        with file.open("r+b") as stream:
            beginning = stream.read(MAX_SEEN)
    except FileNotFoundError:
        return
    words, first_words = line.encode().split(), beginning.partition(b"\n")[0].split()
    is_same = bool(words) and first_words == words
    if beginning and not is_same and not re.search(FORMS[form][1], beginning, re.MULTILINE):
        message = f"is there already, and not of {form}: give another name, or remove it first"
        raise ConfigError(Fault(shown_path(file), message))


def _stream_of(file: Path) -> BinaryIO | None:
    if own := OPEN_HERE.fullmatch(os.path.abspath(file)):
        number = own[1] or ("1" if own[2] else "2")
        return open(os.dup(int(number)), "wb")
    if not is_pipe(file):
        return None
    descriptor = os.open(file, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(descriptor, True)
    return open(descriptor, "wb")


@contextmanager
def replaced(file: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a draft that takes a file's place once it is whole. Raises OSError."""
    draft = file.with_name(f".{file.name[:40]}-{secrets.token_hex(4)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with open(descriptor, "wb") as out:
            with suppress(FileNotFoundError):
                os.chmod(descriptor, stat.S_IMODE(file.stat().st_mode))
            yield out
        draft.replace(file)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError) and error.filename in (None, str(draft)):
            raise OSError(error.errno, error.strerror, os.fspath(file)) from None
        raise
