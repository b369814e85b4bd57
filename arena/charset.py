"""The encoding that a text is likely in: a statistical model of names in many languages."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from unicodedata import category

_SUPERSETS: Mapping[str, str] = {
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
    languages: Sequence[re.Pattern[str]] = ()
    """The letters that each language adds to those of ASCII, where they stand in its words; none if
    hardly a word has letters of both kinds."""
    pair: bytes = b""
    """Two bytes of one character, as a pattern, if the second may look like `[`, `]` or `\\`."""


_PUNCTUATION = 0x84, 0x97, 12, 0.03
"""Dashes, dots and quotation marks, in all encodings of Windows that have one byte a character."""
_WESTERN = tuple(
    re.compile(letters, re.IGNORECASE)
    for letters in (
        r"[éçâîôëüà]|œ(?=u)|ù\b|(?<=a)ÿ|è(?![aeiouykÿ])|ê(?![bdgkz])|û(?=[tlr]|\b)|(?<=[aeou])ï",
        r"[äöüßé]",
        r"[áéíóúü]|ñ(?=[aeiouáéíóú])",
        r"[áâàçéíóôú]|ê(?![bdgkz])|ã(?=[oe]|\b)|õ(?=e)",
        r"[åé]|ø(?![aei])|æ(?=\w)",
        r"[åäöé]",
        r"[àèéìòù]\b",
        r"[áéíóúýöþ]|æ(?=\w)|(?<=\w)ð",
    )
)
"""French, German, Spanish, Portuguese, Danish, Swedish, Italian and Icelandic."""
_CENTRAL = tuple(
    re.compile(letters, re.IGNORECASE)
    for letters in (
        r"[áčďéěíňóřšťúůýž]",
        r"[ąćłóśźż]|ę(?=[bcdgkpstzż]|\b)|ń(?![aeiou])",
        r"[áéíóöőúüű]",
        r"[áäčďéíĺľňóôŕšťúýž]",
        r"[čćđšž]",
        r"[ăâîşţ]",
    )
)
"""Czech, Polish, Hungarian, Slovak, Croatian and Romanian."""
_KANJI = "黒白勝負先後手番中村五目並連珠田山本小林藤佐木井上野川大原高橋鈴石松清水島崎"
_ENCODINGS = (
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
        (_KANJI, 0.2),
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
        (_KANJI, 0.2),
    ),
    _Encoding(
        "cp1251",
        "windows-1251",
        0.0,
        ((0xE0, 0xFF, 32, 0.85), (0xC0, 0xDF, 32, 0.13), (0xB8, 0xB8, 1, 0.01)),
    ),
    _Encoding(
        "cp1252", "windows-1252", 1.0, ((0xC0, 0xFF, 64, 0.05), _PUNCTUATION), languages=_WESTERN
    ),
    _Encoding(
        "cp1250", "windows-1250", 0.0, ((0x8A, 0xFF, 90, 0.05), _PUNCTUATION), languages=_CENTRAL
    ),
)
"""What a text may be in that tells no encoding and is not UTF-8, the more usual ones first."""
TITLES = {each.name: each.title for each in _ENCODINGS}
PAIRS = {each.name: each.pair for each in _ENCODINGS if each.pair}
_LAST_RESORT = "latin-1"
"""Has a character for every byte."""
_ASCII = bytes(range(32, 127))
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")

_IMPOSSIBLE = -12.0
"""The logarithm of the chance of a byte that an encoding does not have: files have slips."""
_SETTLED = 50.0
"""The logarithm of how much likelier than an encoding must another be to rule it out for good."""
_RARE_SHARE, _RARE_CHARACTERS = 0.005, 10_000
_ASCII_COST = 3.0
"""The logarithm of the number of signs, about: a guess that takes one for half a character saves
it."""
_MIXED_LETTERS = re.compile(r"[a-zA-Z](?=[^\0-\x7f])|[^\0-\x7f](?=[a-zA-Z])")
_ACCENTS_IN_A_ROW = re.compile(r"[^\0-\x7f](?=[^\0-\x7f])")
_HALVES = re.compile(r"[^\0-\x7f](?=[\\^_`{|}~@])")
"""Letters before a sign that is seldom in names, but the second byte of many characters."""
_MIXED_COST, _ACCENTS_COST, _HALVES_COST = 4.0, 2.0, 7.0
_WORD = re.compile(r"[^\W\d_]+|[^\0-\x7f]")
_LANGUAGE_COST = 4.0
"""The logarithm of how much rarer texts are with names of two languages than of one."""
_UNASSIGNED = ("Cn", "Co")
"""The categories of characters that nothing is written in; the second is for private use."""


class Guess:
    """Holds what the texts of one file have told so far of the encoding that they are all in."""

    def __init__(self) -> None:
        self._told = {each.name: each.prior for each in _ENCODINGS}
        self._settled = ""
        """The encoding that is far likelier than any other, once there is one."""

    def decoded(self, data: bytes, declared: str = "") -> tuple[str, str]:
        """A text of the file, and the encoding that was taken for it.

        It is UTF-8 if it can be, or the encoding that is `declared`, or else the likeliest.
        """
        for name in (*certain_encodings(declared), self._settled):
            if name and (text := text_in(data, name)) is not None:
                return text, name
        chances = self._chances(data)
        first = max(chances, key=chances.__getitem__)
        least = chances[first] - _SETTLED
        self._told = {name: chance for name, chance in chances.items() if chance >= least}
        if len(self._told) == 1:
            self._settled = first
        text = text_in(data, first)
        return (data.decode(_LAST_RESORT), _LAST_RESORT) if text is None else (text, first)

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
        high = len(_HIGH_BYTE.findall(data))
        impossible = _IMPOSSIBLE * high - _ASCII_COST * (len(data) - high)
        for each in _ENCODINGS:
            if each.name not in self._told:
                continue
            text = text_in(data, each.name, is_whole=is_whole)
            chance = impossible if text is None else _likelihood(each, text)
            found[each.name] = self._told[each.name] + chance
        return found


def superset(name: str) -> str | None:
    """The encoding that programs mean by a name, which has more characters than they say.

    None if there is none, or none in which the signs of ASCII are one byte each.
    """
    try:
        found = codecs.lookup(name).name
        is_like_ascii = _ASCII.decode(found, "replace") == _ASCII.decode()
    except LookupError:
        return None
    return _SUPERSETS.get(found, found) if is_like_ascii else None


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
    if not encoding.languages:
        found = sum(n * _character_likelihood(encoding, c) for c, n in Counter(text).items())
        return found - _MIXED_COST * len(_MIXED_LETTERS.findall(text))
    signs = len(text.encode("ascii", "ignore"))
    words = Counter(word for word in _WORD.findall(text) if not word.isascii())
    rows = [
        [n * _word_likelihood(encoding, word, letters) for word, n in words.items()]
        for letters in encoding.languages
    ]
    one = max(map(sum, rows))
    two = max(sum(map(max, *pair)) for pair in combinations(rows, 2)) - _LANGUAGE_COST
    strange = _ACCENTS_COST * len(_ACCENTS_IN_A_ROW.findall(text))
    strange += _HALVES_COST * len(_HALVES.findall(text))
    return max(one, two) - _ASCII_COST * signs - strange


def _word_likelihood(encoding: _Encoding, word: str, letters: re.Pattern[str]) -> float:
    """The logarithm of the chance of what is not ASCII in a word of a language."""
    usual = {found.start() for found in letters.finditer(word)}
    return sum(
        -_ASCII_COST if i in usual else _character_likelihood(encoding, character)
        for i, character in enumerate(word)
        if not character.isascii()
    )


def _character_likelihood(encoding: _Encoding, character: str) -> float:
    """The logarithm of the chance of a character."""
    if character.isascii():
        return -_ASCII_COST
    frequent, share = encoding.frequent
    if character in frequent:
        return log(share / len(frequent))
    data = character.encode(encoding.name)
    if category(character) in _UNASSIGNED:
        return _IMPOSSIBLE * len(data)
    code = int.from_bytes(data)
    for first, last, number, share in encoding.parts:
        if first <= code <= last:
            return log(share / number)
    return log(_RARE_SHARE / _RARE_CHARACTERS)
