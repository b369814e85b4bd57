"""The encoding of texts that tell none: UTF-8, or else the likeliest, which chardet finds."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping

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
SHIFTS = re.compile(rb"[\x0e\x1b]|~\{")
"""What tells of such characters."""
_SUPERSETS: Mapping[str, str] = {
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift_jisx0213", "shift_jis_2004"), "cp932"),
    **dict.fromkeys(("big5", "cp950"), "big5hkscs"),
    **dict.fromkeys(("euc_kr", "johab"), "cp949"),
    **dict.fromkeys(("euc_jp", "euc_jisx0213"), "euc_jis_2004"),
    "iso8859-1": "cp1252",
}
_LAST_RESORT = "latin-1"
"""Has a character for every byte."""
_ASCII = bytes(range(32, 126))
_FOREIGN_WORDS = re.compile(rb"[^\[\]\n;()]*[\x80-\xff][^\[\]\n;()]*")
"""What tells of an encoding: the moves of a game, all ASCII, speak for none."""
_MAX_SEEN = 2_000
"""Bytes of such words after which an encoding is settled."""


class Guess:
    """Holds the words of one file that were seen so far: together they tell more than alone."""

    def __init__(self) -> None:
        self._seen = b""
        self._settled = ""

    def decoded(self, data: bytes, declared: str = "") -> tuple[str, str]:
        """A text of the file, and the encoding that was taken for it.

        It is the encoding that is `declared` if it can be, or UTF-8, or else the likeliest.
        """
        for name in (*certain_encodings(declared), self._settled):
            if name and (text := text_in(data, name)) is not None:
                return text, name
        self._seen, name = self._likeliest(data)
        if len(self._seen) > _MAX_SEEN:
            self._settled = name
        text = text_in(data, name)
        return (data.decode(_LAST_RESORT), _LAST_RESORT) if text is None else (text, name)

    def encoding(self, beginning: bytes, declared: str = "") -> str:
        """The encoding of a text of which this is the beginning, perhaps not all."""
        for name in (*certain_encodings(declared), self._settled):
            if name and text_in(beginning, name, is_whole=False) is not None:
                return name
        return self._likeliest(beginning)[1]

    def _likeliest(self, data: bytes) -> tuple[bytes, str]:
        """All words that were seen, those of this text among them, and their likeliest encoding."""
        import chardet  # few files need it

        words = b"\n".join([self._seen, *_FOREIGN_WORDS.findall(data)])
        found = chardet.detect(
            words, include_encodings=TITLES, compat_names=False, no_match_encoding="cp1252"
        )
        return words, found["encoding"] or _LAST_RESORT


def superset(name: str) -> str | None:
    """The encoding that programs mean by a name, which has more characters than they say.

    None if there is none, or none in which the signs of ASCII are one byte each.
    """
    try:
        found = codecs.lookup(name).name
        is_like_ascii = _ASCII.decode(found, "replace") == _ASCII.decode()
    except (LookupError, UnicodeError):
        return None
    return _SUPERSETS.get(found, found) if is_like_ascii else None


def certain_encodings(declared: str) -> Iterator[str]:
    """The encodings that a text is taken to be in if it can be."""
    if name := declared and superset(declared):
        yield name
    yield "utf-8"


def text_in(data: bytes, encoding: str, *, is_whole: bool = True) -> str | None:
    """The text in this encoding; None if it cannot be."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, is_whole)
    except UnicodeDecodeError:
        return None
