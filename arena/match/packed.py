"""Times, nodes, depths and scores of games as a database keeps them: a few bits each.

A column of one game is a byte W, two bytes with the number N of its choices, and N whole numbers of
W bits each, the first of them in the highest bits; bytes begin with the highest bit, and the last
one is filled up with zeros. Times are microseconds. A score s is 1 + 2 s, or -2 s if it is
negative, and 0 where the engine gave none. No bytes are no choices. A text that is none of these,
in a game that was imported or edited by hand, is the byte 255 and the text in UTF-8.
`choice_numbers` reads many games at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

PackedName = Literal["times", "nodes", "depths", "scores"]
PACKED: tuple[PackedName, ...] = ("times", "nodes", "depths", "scores")
"""The fields of a record that are kept so."""
TEXT = 255
"""The first byte of a column that is kept as text."""
NO_SCORE = "-"
LONG = 128
"""Numbers of which one after the other is put at the end of those before."""
HEAD, WORD = 3, 8
"""Bytes before the numbers, and those in which each of them is looked for."""
MOST_BITS, MOST_CHOICES = 53, 65_535
"""A number of more bits is no float, and may lie in nine bytes."""
MILLION = 1_000_000
UNREADABLE = "?"
"""The text of bytes that are no column."""

NATURAL = "(?:0|[1-9][0-9]*+)"
SHAPES = {
    "times": rf"{NATURAL}\.[0-9]{{6}}+",
    "nodes": NATURAL,
    "depths": NATURAL,
    "scores": "(?:-?+[1-9][0-9]*+|[0-])",
}
"""The words that come out as they went in. A part that matched is not tried again another way."""
FITS = {name: re.compile(f"{word}(?: {word})*+").fullmatch for name, word in SHAPES.items()}


def packed(name: PackedName, text: str) -> bytes:
    """The bytes of a field's text."""
    if not text:
        return b""
    if FITS[name](text):
        values = TO_NUMBERS[name](text)
        bits = max(values).bit_length()
        if bits <= MOST_BITS and len(values) <= MOST_CHOICES:
            return bytes([bits]) + len(values).to_bytes(2) + in_bits(values, bits)
    return bytes([TEXT]) + text.encode("utf-8", "surrogatepass")


def in_bits(values: Sequence[int], bits: int) -> bytes:
    """The numbers, one after the other."""
    size = -(-bits * len(values) // 8)
    return (joined(values, bits) << 8 * size - bits * len(values)).to_bytes(size)


def joined(values: Sequence[int], bits: int) -> int:
    """The numbers as one, the first in the highest bits."""
    if len(values) > LONG:
        half = len(values) // 2
        return joined(values[:half], bits) << bits * (len(values) - half) | joined(
            values[half:], bits
        )
    found = 0
    for value in values:
        found = found << bits | value
    return found


def unpacked(name: PackedName, data: bytes) -> str:
    """The mirror of `packed`; `?` for bytes that are no column."""
    if not data:
        return ""
    if data[0] == TEXT:
        return data[1:].decode("utf-8", "replace")
    if not is_whole(data):
        return UNREADABLE
    bits, count = data[0], int.from_bytes(data[1:HEAD])
    if not bits:
        return " ".join(TO_WORDS[name]([0] * count))
    digits = format(int.from_bytes(data[HEAD:]), f"0{8 * (len(data) - HEAD)}b")
    starts = range(0, bits * count, bits)
    values = [int(digits[start : start + bits], 2) for start in starts]
    return " ".join(TO_WORDS[name](values))


def unpacked_columns(name: PackedName, columns: Sequence[bytes]) -> list[str]:
    """The texts of many games' columns: `unpacked` of each, in a third of the time."""
    heads = heads_of(columns)
    if not heads.are_whole:
        return [unpacked(name, data) for data in columns]
    counts, values = heads.counts, from_bits(heads)
    words, ends = TO_WORDS[name](values.tolist()), np.cumsum(counts).tolist()
    return [" ".join(words[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def is_whole(data: bytes) -> bool:
    """True if there are as many bytes as the first three tell."""
    if len(data) < HEAD or data[0] > MOST_BITS:
        return False
    count = int.from_bytes(data[1:HEAD])
    return count > 0 and len(data) == HEAD - (-data[0] * count // 8)


def choice_numbers(
    name: PackedName, columns: Sequence[bytes], *, compiled: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The number of choices of each game, and their values, game by game.

    Times are in seconds, and a score is NaN where the engine gave none. Raises ValueError for a
    column that has something other than numbers. `compiled` reads by a kernel, which pays for long
    runs only.
    """
    if compiled and (found := compiled_numbers(columns)):
        return found[0], FROM_NUMBERS[name](found[1])
    heads = heads_of(columns)
    if heads.are_whole:
        return heads.counts, FROM_NUMBERS[name](from_bits(heads))
    if any(data and data[0] != TEXT and not is_whole(data) for data in columns):
        raise ValueError("bytes that are no column of numbers")
    return spoken_numbers(name, columns)


class Heads(NamedTuple):
    """Columns one after the other, and what the beginning of each tells."""

    data: bytes
    starts: NDArray[np.int64]
    """The places of their numbers."""
    bits: NDArray[np.int64]
    counts: NDArray[np.int64]
    are_whole: bool
    """True if each is empty, or has as many bytes as its first three tell."""


def heads_of(columns: Sequence[bytes]) -> Heads:
    """The beginnings of columns."""
    data = b"".join(columns)
    sizes = np.fromiter(map(len, columns), np.int64, len(columns))
    starts = np.cumsum(sizes) - sizes
    padded = np.frombuffer(data + bytes(HEAD), dtype=np.uint8)
    bits, high, low = (padded[starts + i].astype(np.int64) for i in range(HEAD))
    is_empty = sizes == 0
    bits, counts = np.where(is_empty, 0, bits), np.where(is_empty, 0, high << 8 | low)
    is_whole = (bits <= MOST_BITS) & (counts > 0) & (sizes == HEAD - (-bits * counts // 8))
    return Heads(data, starts + HEAD, bits, counts, bool((is_empty | is_whole).all()))


def from_bits(heads: Heads) -> NDArray[np.int64]:
    """The numbers of all columns, which must be whole."""
    data, starts, bits, counts, _ = heads
    ends = np.cumsum(counts)
    # The place of each number's first bit: those of a column are as far apart as each is wide.
    found = np.arange(ends[-1] if len(ends) else 0)
    found *= np.repeat(bits, counts)
    found += np.repeat(8 * starts - bits * (ends - counts), counts)
    padded = np.frombuffer(data + bytes(WORD), dtype=np.uint8)
    words = np.ndarray((len(data) + 1,), dtype=">u8", buffer=padded, strides=(1,))
    values: NDArray[np.uint64] = words[found >> 3].astype(np.uint64)
    found &= 7
    values <<= found.view(np.uint64)
    # A shift by all 64 bits, of a number without bits, is left out: such a number is 0.
    values >>= np.repeat(np.minimum(64 - bits, 63).astype(np.uint64), counts)
    if not bits.all():
        values[np.repeat(bits == 0, counts)] = 0
    return values.view(np.int64)


def compiled_numbers(
    columns: Sequence[bytes],
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """The number of choices of each game, and all numbers; None if a column is not whole."""
    from arena.match.unpacking import read_heads, read_numbers

    data = np.frombuffer(b"".join(columns), np.uint8)
    sizes = np.fromiter(map(len, columns), np.int64, len(columns))
    counts = np.zeros(len(columns), np.int64)
    if not read_heads(data, sizes, HEAD, MOST_BITS, counts):
        return None
    values = np.empty(int(counts.sum()), np.int64)
    read_numbers(data, sizes, HEAD, counts, values)
    return counts, values


def spoken_numbers(
    name: PackedName, columns: Sequence[bytes]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The result of `choice_numbers` by way of texts, which some of the columns have."""
    words = [text.split(" ") if (text := unpacked(name, data)) else [] for data in columns]
    nothing = NO_SCORE if name == "scores" else None
    values = [float("nan") if word == nothing else float(word) for each in words for word in each]
    return np.array(list(map(len, words)), dtype=np.int64), np.array(values, dtype=np.float64)


def microseconds(text: str) -> list[int]:
    """Times as whole numbers."""
    return whole_numbers(text.replace(".", ""))


def whole_numbers(text: str) -> list[int]:
    """Nodes or depths as numbers; of more than 53 bits where they are too many for 64."""
    found: list[int] = np.fromstring(text, np.int64, sep=" ").tolist()
    return found


def score_codes(text: str) -> list[int]:
    """Scores as numbers that are not negative: see the head of this file."""
    if text[-1] != NO_SCORE and f"{NO_SCORE} " not in text:
        return [1 + 2 * score if score >= 0 else -2 * score for score in whole_numbers(text)]
    scores = (None if word == NO_SCORE else int(word) for word in text.split(" "))
    return [0 if s is None else 1 + 2 * s if s >= 0 else -2 * s for s in scores]


def score_words(values: Sequence[int]) -> list[str]:
    """The mirror of `score_codes`, word by word."""
    return ["-" if code == 0 else str(code >> 1 if code & 1 else -(code >> 1)) for code in values]


def time_words(values: Sequence[int]) -> list[str]:
    """The mirror of `microseconds`, word by word."""
    return [f"{value // MILLION}.{value % MILLION:06d}" for value in values]


def number_words(values: Sequence[int]) -> list[str]:
    """The mirror of `whole_numbers`, word by word."""
    return list(map(str, values))


def seconds_of(values: NDArray[np.int64]) -> NDArray[np.float64]:
    """Microseconds as seconds, to the last bit as their texts are read."""
    return values / MILLION


def plain(values: NDArray[np.int64]) -> NDArray[np.float64]:
    """Nodes or depths."""
    return values.astype(np.float64)


def scores_of(values: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scores, NaN where there are none."""
    half = values // 2
    return np.where(values == 0, np.nan, np.where(values % 2 == 1, half, -half))


TO_NUMBERS: dict[PackedName, Callable[[str], list[int]]] = {
    "times": microseconds,
    "nodes": whole_numbers,
    "depths": whole_numbers,
    "scores": score_codes,
}
TO_WORDS: dict[PackedName, Callable[[Sequence[int]], list[str]]] = {
    "times": time_words,
    "nodes": number_words,
    "depths": number_words,
    "scores": score_words,
}
FROM_NUMBERS: dict[PackedName, Callable[[NDArray[np.int64]], NDArray[np.float64]]] = {
    "times": seconds_of,
    "nodes": plain,
    "depths": plain,
    "scores": scores_of,
}
