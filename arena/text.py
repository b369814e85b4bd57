"""Texts of files that need not tell their encoding: byte order marks, UTF-8, or what is likely."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BufferedReader
from math import log
from pathlib import Path
from typing import BinaryIO, cast

from arena.errors import ConfigError, Fault, no_such_file
from arena.refusals import refused

MARKS: Mapping[bytes, str] = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks, and the encodings that they tell; the mark of UTF-32 begins as UTF-16's."""
SUPERSETS: Mapping[str, str] = {
    **dict.fromkeys(("gb2312", "gbk", "hz"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift_jisx0213", "shift_jis_2004"), "cp932"),
    **dict.fromkeys(("big5", "big5hkscs"), "cp950"),
    **dict.fromkeys(("euc_kr", "johab"), "cp949"),
    "iso8859-1": "cp1252",
}


@dataclass(frozen=True, slots=True)
class _Encoding:
    """A set of characters that a text is tried in, and what texts in it are made of."""

    name: str
    title: str
    """The name as people know it."""
    prior: float
    """The logarithm of how many more texts are in it than in others."""
    parts: Sequence[tuple[int, int, int, float]]
    """The first and the last code, the number of characters, and their share of all that are not
    ASCII; a few more are rare."""
    frequent: tuple[str, float] = ("", 0.0)
    """The characters of names and results, and their share."""
    is_of_words: bool | None = None
    """True if its letters stand among those of ASCII, hardly two side by side; False if they never
    do; None if its characters stand anywhere."""
    pair: bytes = b""
    """Two bytes of one character, as a pattern, if the second may look like `[`, `]` or `\\`."""


ENCODINGS = (
    _Encoding(
        "gb18030",
        "GB18030",
        2.5,
        ((0xB0A1, 0xD7F9, 3755, 0.6), (0xA1A1, 0xA3FE, 300, 0.03), (0xD8A1, 0xF7FE, 3008, 0.03)),
        (
            "黑白胜负和棋局先后手中盘超时五子连珠方认输平无禁"
            "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶"
            "程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝",
            0.35,
        ),
        pair=rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]",
    ),
    _Encoding(
        "cp950",
        "Big5",
        1.0,
        ((0xA440, 0xC67E, 5401, 0.6), (0xA140, 0xA3BF, 400, 0.03), (0xC940, 0xF9D5, 7652, 0.03)),
        (
            "黑白勝負和棋局先後手中盤超時五子連珠方認輸平無禁"
            "陳林黃張李王吳劉蔡楊許鄭謝洪郭邱曾廖賴徐周葉蘇莊呂江何蕭羅高潘簡朱鍾游彭詹胡施沈余盧梁"
            "趙顏柯翁魏孫戴范方宋鄧杜傅侯曹薛丁卓阮馬董温唐藍蔣石古紀姚連馮歐程湯田康姜白汪鄒尤巫",
            0.35,
        ),
        pair=rb"[\x81-\xfe][\x40-\x7e\xa1-\xfe]",
    ),
    _Encoding(
        "cp932",
        "Shift_JIS",
        1.0,
        ((0x829F, 0x8396, 170, 0.4), (0x889F, 0x9872, 2965, 0.3), (0x8140, 0x829A, 200, 0.05)),
        (
            KANJI := "黒白勝負先後手番中村五目並連珠田山本小林藤佐木井上野川大原高橋鈴石松清水島崎",
            0.2,
        ),
        pair=rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]",
    ),
    _Encoding(
        "cp949",
        "EUC-KR",
        0.0,
        ((0xB0A1, 0xC8FE, 2350, 0.2), (0xA1A1, 0xA3FE, 300, 0.03)),
        (
            "흑백승패무오목국수불계시간초과김이박최정강조윤장임한서신권황안송전홍유고문양손배허남심노하곽"
            "성차주우구민진지현준영호철상재석세환돌동건기원희경태인선미은혜연아나라다는를을의에가로도사"
            "해대일부보제들자어리그너와여게되있없것스트바둑",
            0.75,
        ),
    ),
    _Encoding(
        "euc_jp",
        "EUC-JP",
        0.0,
        ((0xA4A1, 0xA5F6, 170, 0.4), (0xB0A1, 0xCFD3, 2965, 0.3), (0xA1A1, 0xA3FE, 200, 0.05)),
        (KANJI, 0.2),
    ),
    _Encoding(
        "cp1251",
        "windows-1251",
        0.0,
        ((0xE0, 0xFF, 32, 0.85), (0xC0, 0xDF, 32, 0.13), (0xB8, 0xB8, 1, 0.01)),
        is_of_words=False,
    ),
    _Encoding("cp1252", "windows-1252", 1.0, ((0xC0, 0xFF, 64, 0.95),), is_of_words=True),
)
"""What a text may be in that tells no encoding and is not UTF-8, the more usual ones first."""
TITLES = {each.name: each.title for each in ENCODINGS}
PAIRS = {each.name: each.pair for each in ENCODINGS if each.pair}
LAST_RESORT = "latin-1"
"""Has a character for every byte."""
GZIP = b"\x1f\x8b\x08"
ASCII = bytes(range(32, 127))
HIGH_BYTE = re.compile(rb"[\x80-\xff]")

IMPOSSIBLE = -12.0
"""The logarithm of the chance of a byte that an encoding does not have: files have slips."""
SETTLED = 50.0
"""The logarithm of how much likelier an encoding must be for no other to be thought of again."""
RARE_SHARE, RARE_CHARACTERS = 0.005, 10_000
ASCII_COST = 3.0
"""The logarithm of the number of signs, about: a guess that takes one for half a character saves
it."""
STRANGE_NEIGHBOURS = {
    True: re.compile(r"[^\0-\x7f](?=[^\0-\x7f])"),
    False: re.compile(r"[a-zA-Z](?=[^\0-\x7f])|[^\0-\x7f](?=[a-zA-Z])"),
}
"""Two letters side by side: both with accents; of two alphabets."""
NEIGHBOURS_COST = 4.0
CHUNK = 1 << 16


class Guess:
    """Holds what the texts of one file have told so far of the encoding that they are all in."""

    def __init__(self) -> None:
        self._told = {each.name: each.prior for each in ENCODINGS}
        self._settled = ""
        """The encoding that is far likelier than any other, once there is one."""

    def decoded(self, data: bytes, declared: str = "") -> tuple[str, str]:
        """A text of the file, and the encoding that was taken for it.

        It is UTF-8 if it can be, or the encoding that is `declared`, or else the likeliest.
        """
        for name in (*certain_encodings(declared), self._settled):
            if name and (text := text_in(data, name)) is not None:
                return text, name
        self._told = self._chances(data)
        second, first = sorted(self._told, key=self._told.__getitem__)[-2:]
        if self._told[first] - self._told[second] > SETTLED:
            self._settled = first
        text = text_in(data, first)
        return (data.decode(LAST_RESORT), LAST_RESORT) if text is None else (text, first)

    def encoding(self, beginning: bytes, declared: str = "") -> str:
        """The encoding of a text of which this is the beginning, perhaps not all."""
        for name in (*certain_encodings(declared), self._settled):
            if name and text_in(beginning, name, is_whole=False) is not None:
                return name
        chances = self._chances(beginning, is_whole=False)
        return max(chances, key=chances.__getitem__)

    def _chances(self, data: bytes, is_whole: bool = True) -> dict[str, float]:
        """The logarithm of the chance of each encoding, this text considered."""
        found = {}
        high = len(HIGH_BYTE.findall(data))
        impossible = IMPOSSIBLE * high - ASCII_COST * (len(data) - high)
        for each in ENCODINGS:
            text = text_in(data, each.name, is_whole=is_whole)
            chance = impossible if text is None else _likelihood(each, text)
            found[each.name] = self._told[each.name] + chance
        return found


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
            if file.peek(len(GZIP)).startswith(GZIP):
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
        return path.open("rb")
    except FileNotFoundError:
        raise ConfigError(Fault(str(path), no_such_file(path))) from None
    except (OSError, ValueError) as error:
        raise refused(error, path) from None


def _marked_encoding(data: bytes) -> str | None:
    """The encoding that a byte order mark tells; None without one."""
    return next((name for mark, name in MARKS.items() if data.startswith(mark)), None)


def superset(name: str) -> str | None:
    """The encoding that programs mean by a name, which has more characters than they say.

    None if there is none, or none in which the signs of ASCII are one byte each.
    """
    try:
        found = codecs.lookup(name).name
        is_like_ascii = ASCII.decode(found, "replace") == ASCII.decode()
    except LookupError:
        return None
    return SUPERSETS.get(found, found) if is_like_ascii else None


def certain_encodings(declared: str) -> Iterator[str]:
    """The encodings that a text is taken to be in if it can be."""
    yield "utf-8"
    if name := declared and superset(declared):
        yield name


def text_in(data: bytes, encoding: str, *, is_whole: bool = True) -> str | None:
    """The text in this encoding; None if it cannot be."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, is_whole)
    except UnicodeDecodeError:
        return None


def _likelihood(encoding: _Encoding, text: str) -> float:
    """The logarithm of the chance of a text, as texts in this encoding are made up."""
    counts = Counter(text)
    found = sum(n * _character_likelihood(encoding, c) for c, n in counts.items())
    if encoding.is_of_words is not None:
        strange = STRANGE_NEIGHBOURS[encoding.is_of_words]
        found -= NEIGHBOURS_COST * len(strange.findall(text))
    return found


def _character_likelihood(encoding: _Encoding, character: str) -> float:
    """The logarithm of the chance of a character."""
    if character.isascii():
        return -ASCII_COST
    frequent, share = encoding.frequent
    if character in frequent:
        return log(share / len(frequent))
    code = int.from_bytes(character.encode(encoding.name))
    for first, last, number, share in encoding.parts:
        if first <= code <= last:
            return log(share / number)
    return log(RARE_SHARE / RARE_CHARACTERS)


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
            raw = self._stream.read(CHUNK)
            self._left = self._decoder.decode(raw, not raw).encode("utf-8", "replace")
        part, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)
