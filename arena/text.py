"""The text of files: packed or not, and in the encoding that is declared, or else the likeliest."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from arena.errors import ConfigError, Fault, no_such_file, refused
from arena.files import is_pipe, read_whole, regular_opener

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
    try:
        if is_pipe(path):
            return BufferedReader(cast(io.RawIOBase, io.BytesIO(read_whole(path))))
        return open(path, "rb", opener=regular_opener)
    except FileNotFoundError:
        raise ConfigError(Fault(str(path), no_such_file(path))) from None
    except (OSError, ValueError) as error:
        raise refused(error, path) from None


def _marked_encoding(data: bytes) -> str | None:
    return next((name for mark, name in MARKS.items() if data.startswith(mark)), None)


def _utf8_stream(stream: BinaryIO, encoding: str) -> BinaryIO:
    """A stream in this encoding, as UTF-8. Its reads raise UnicodeDecodeError."""
    return cast(BinaryIO, BufferedReader(cast(io.RawIOBase, _Utf8(stream, encoding))))


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


TITLES: Mapping[str, str] = {
    "gb18030": "GB18030",
    "big5hkscs": "Big5",
    "cp932": "Shift_JIS",
    "cp949": "EUC-KR",
    "euc_jis_2004": "EUC-JP",
    "cp1251": "windows-1251",
    "cp1252": "windows-1252",
    "cp1250": "windows-1250",
}
"""The encodings that are tried, with the names that people know."""
PAIRS: Mapping[str, bytes] = {
    "gb18030": rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]",
    "big5hkscs": rb"[\x81-\xfe][\x40-\x7e\xa1-\xfe]",
    "cp932": rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]",
    "iso2022_jp": rb"\x1b(?:\$|\(I)[^\x1b]*",
    "iso2022_kr": rb"\x0e[^\x0f]*",
    "hz": rb"~\{(?:[\x21-\x77][\x21-\x7e])*",
}
"""Patterns of the two bytes of one character, where the second may look like `[`, `]` or `\\`, and
of all characters between shifts, which look like ASCII."""
SHIFTS = re.compile(rb"[\x0e\x1b]|~\{")  # What tells of such characters
_SUPERSETS: Mapping[str, str] = {
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift_jisx0213", "shift_jis_2004"), "cp932"),
    **dict.fromkeys(("big5", "cp950"), "big5hkscs"),
    **dict.fromkeys(("euc_kr", "johab"), "cp949"),
    **dict.fromkeys(("euc_jp", "euc_jisx0213"), "euc_jis_2004"),
    "iso8859-1": "cp1252",
}
_LAST_RESORT = "latin-1"  # Has a character for every byte
_ASCII = bytes(range(32, 126))
_FOREIGN_WORDS = re.compile(rb"[^\[\]\n;()]*[\x80-\xff][^\[\]\n;()]*")
"""What tells of an encoding: the moves of a game, all ASCII, speak for none."""
_MAX_SEEN = 2_000  # Bytes of such words after which an encoding is settled


class Guess:
    """Holds the words of one file that were seen so far: together they tell more than alone."""

    def __init__(self) -> None:
        self._seen = b""
        self._settled = ""

    def decoded(self, data: bytes, declared: str = "") -> tuple[str, str]:
        """The encoding is the one `declared` if it can be, or UTF-8, or else the likeliest."""
        for name in (*certain_encodings(declared), self._settled):
            if name and (text := text_in(data, name)) is not None:
                return text, name
        self._seen, name = self._likeliest(data)
        if len(self._seen) > _MAX_SEEN:
            self._settled = name
        text = text_in(data, name)
        return (data.decode(_LAST_RESORT), _LAST_RESORT) if text is None else (text, name)

    def encoding(self, beginning: bytes, declared: str = "") -> str:
        for name in (*certain_encodings(declared), self._settled):
            if name and text_in(beginning, name, is_whole=False) is not None:
                return name
        return self._likeliest(beginning)[1]

    def _likeliest(self, data: bytes) -> tuple[bytes, str]:
        import chardet  # few files need it

        words = b"\n".join([self._seen, *_FOREIGN_WORDS.findall(data)])
        guess = chardet.detect(
            words, include_encodings=TITLES, compat_names=False, no_match_encoding="cp1252"
        )
        return words, guess["encoding"] or _LAST_RESORT


def superset(name: str) -> str | None:
    """The wider encoding that programs mean by a name; None if ASCII is not a byte each in it."""
    try:
        encoding = codecs.lookup(name).name
        is_like_ascii = _ASCII.decode(encoding, "replace") == _ASCII.decode()
    except (LookupError, UnicodeError):
        return None
    return _SUPERSETS.get(encoding, encoding) if is_like_ascii else None


def certain_encodings(declared: str) -> Iterator[str]:
    if name := declared and superset(declared):
        yield name
    yield "utf-8"


def text_in(data: bytes, encoding: str, *, is_whole: bool = True) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, is_whole)
    except UnicodeDecodeError:
        return None
