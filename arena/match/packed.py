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
from typing import Literal

import numpy as np
from numpy.typing import NDArray

PackedName = Literal["times", "nodes", "depths", "scores"]
PACKED: tuple[PackedName, ...] = ("times", "nodes", "depths", "scores")
"""The fields of a record that are kept so."""
TEXT = 255
"""The first byte of a column that is kept as text."""
HEAD, WORD = 3, 8
"""Bytes before the numbers, and those in which each of them is looked for."""
MOST_BITS, MOST_CHOICES = 53, 65_535
"""A number of more bits is no float, and may lie in nine bytes."""
MILLION = 1_000_000
UNREADABLE = "?"
"""The text of bytes that are no column."""

NATURAL = r"(?:0|[1-9][0-9]*)"
SHAPES = {
    "times": rf"{NATURAL}\.[0-9]{{6}}",
    "nodes": NATURAL,
    "depths": NATURAL,
    "scores": r"(?:-|0|-?[1-9][0-9]*)",
}
"""The words that come out as they went in."""
FITS = {name: re.compile(f"{word}(?: {word})*").fullmatch for name, word in SHAPES.items()}


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
    if not size:
        return b""
    shape = f"0{bits}b"
    digits = "".join([format(value, shape) for value in values])
    return int(digits.ljust(8 * size, "0"), 2).to_bytes(size)


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
    if any(data and not is_whole(data) for data in columns):
        return [unpacked(name, data) for data in columns]
    counts, values = whole_numbers_of(columns)
    words, ends = TO_WORDS[name](values.tolist()), np.cumsum(counts).tolist()
    return [" ".join(words[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def is_whole(data: bytes) -> bool:
    """True if there are as many bytes as the first three tell."""
    if len(data) < HEAD or data[0] > MOST_BITS:
        return False
    count = int.from_bytes(data[1:HEAD])
    return count > 0 and len(data) == HEAD - (-data[0] * count // 8)


def choice_numbers(
    name: PackedName, columns: Sequence[bytes]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The number of choices of each game, and their values, game by game.

    Times are in seconds, and a score is NaN where the engine gave none. Raises ValueError for a
    column that has something other than numbers.
    """
    if any(data and data[0] == TEXT for data in columns):
        return spoken_numbers(name, columns)
    if not all(is_whole(data) for data in columns if data):
        raise ValueError("bytes that are no column of numbers")
    counts, values = whole_numbers_of(columns)
    return counts, FROM_NUMBERS[name](values)


def whole_numbers_of(columns: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number of choices of each game, and the numbers of all as they are kept."""
    heads = np.array([(data[0], data[1] << 8 | data[2]) if data else (0, 0) for data in columns])
    bits, counts = heads.reshape(-1, 2).astype(np.int64).T
    sizes = np.array([len(data) for data in columns], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes + HEAD
    return counts, from_bits(b"".join(columns), starts, bits, counts)


def from_bits(
    data: bytes, starts: NDArray[np.int64], bits: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The numbers of all columns, of which each has its start, bits and count."""
    ends = np.cumsum(counts)
    place = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
    width = np.repeat(bits, counts)
    at = place * width
    padded = np.frombuffer(data + bytes(WORD), dtype=np.uint8)
    words = np.ndarray((len(data) + 1,), dtype=">u8", buffer=padded, strides=(1,))
    found = words[np.repeat(starts, counts) + (at >> 3)].astype(np.uint64)
    found <<= (at & 7).astype(np.uint64)
    # A shift by all 64 bits, of a number without bits, is left out: such a number is 0.
    found >>= np.minimum(64 - width, 63).astype(np.uint64)
    return np.where(width > 0, found, 0).astype(np.int64)


def spoken_numbers(
    name: PackedName, columns: Sequence[bytes]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The result of `choice_numbers` by way of texts, which some of the columns have."""
    words = [text.split(" ") if (text := unpacked(name, data)) else [] for data in columns]
    nothing = "-" if name == "scores" else None
    values = [float("nan") if word == nothing else float(word) for each in words for word in each]
    return np.array(list(map(len, words)), dtype=np.int64), np.array(values, dtype=np.float64)


def microseconds(text: str) -> list[int]:
    """Times as whole numbers."""
    return list(map(int, text.replace(".", "").split(" ")))


def whole_numbers(text: str) -> list[int]:
    """Nodes or depths as numbers."""
    return list(map(int, text.split(" ")))


def score_codes(text: str) -> list[int]:
    """Scores as numbers that are not negative: see the head of this file."""
    return [0 if word == "-" else score_code(int(word)) for word in text.split(" ")]


def score_code(score: int) -> int:
    """The number that a score is kept as."""
    return 1 + 2 * score if score >= 0 else -2 * score


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
