"""The text of files: packed by gzip or not, with a byte order mark or in a likely encoding."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from arena.charset import TITLES, Guess
from arena.errors import ConfigError, Fault, no_such_file
from arena.files import is_pipe, read_whole, regular_opener
from arena.refusals import refused

MARKS: Mapping[bytes, str] = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks, and the encodings that they tell; the mark of UTF-32 begins as UTF-16's."""
_GZIP = b"\x1f\x8b\x08"
_CHUNK = 1 << 16


def decoded(data: bytes) -> tuple[str, str]:
    """The text of a whole file, and the encoding that was taken for it.

    A byte order mark tells it; else see `Guess`. Raises UnicodeDecodeError if the mark is wrong.
    """
    if marked := _marked_encoding(data):
        return data.decode(marked), marked
    return Guess().decoded(data)


@contextmanager
def utf8_file(path: Path, encoding: str | None = None) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked by gzip if they are packed.

    A file in UTF-16 or UTF-32, by its mark, and one whose `encoding` is given, is turned into
    UTF-8. Raises ConfigError if it cannot be read, or is not in that encoding.
    """
    with opened(path) as file, ExitStack() as stack:
        try:
            stream: BinaryIO = file
            if file.peek(len(_GZIP)).startswith(_GZIP):
                stream = stack.enter_context(gzip.open(file))  # type: ignore[assignment]
            marked = _marked_encoding(stream.peek(4))  # type: ignore[attr-defined]
            if marked and marked != "utf-8-sig":
                encoding = marked
            yield _utf8_stream(stream, encoding) if encoding else stream
        except UnicodeDecodeError:
            message = f"is not in {TITLES.get(encoding or '', encoding)}"
            raise ConfigError(Fault(str(path), message)) from None
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise ConfigError(Fault(str(path), "is damaged: gzip cannot unpack it")) from None
        except OSError as error:
            raise refused(error, path) from None


def opened(path: Path) -> BufferedReader:
    """The file's bytes; ConfigError if there is no file to read."""
    try:
        if is_pipe(path):
            return BufferedReader(cast(io.RawIOBase, io.BytesIO(read_whole(path))))
        return open(path, "rb", opener=regular_opener)
    except FileNotFoundError:
        raise ConfigError(Fault(str(path), no_such_file(path))) from None
    except (OSError, ValueError) as error:
        raise refused(error, path) from None


def _marked_encoding(data: bytes) -> str | None:
    """The encoding that a byte order mark tells; None without one."""
    return next((name for mark, name in MARKS.items() if data.startswith(mark)), None)


def _utf8_stream(stream: BinaryIO, encoding: str) -> BinaryIO:
    """A stream in this encoding, as UTF-8. Its reads raise UnicodeDecodeError."""
    return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, _Utf8(stream, encoding))))


class _Utf8(io.RawIOBase):
    """Holds what was read of a stream in another encoding."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        raw = b"."
        while raw and not self._left:
            raw = self._stream.read(_CHUNK)
            self._left = self._decoder.decode(raw, not raw).encode("utf-8", "replace")
        part, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)
