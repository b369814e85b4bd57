"""Lines of JSON: one game a line, with every field of its record, of any game that is played here.

The names are those of the frame `games`, and beside them `rules` has the game as users type it.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from arena.errors import Fault

BEGINNING = b"{"
LONGEST_JSON = 1 << 22
"""Bytes of a game; one of 2500 moves, with all that engines said of them, has a quarter."""
MOST_JSON_DIGITS = 20  # Digits of a whole number and its sign: the most that 64 bits have


@dataclass(frozen=True, slots=True)
class JsonGame:
    """The fields of one line."""

    line: int
    fields: Mapping[str, Any]


def read(stream: BinaryIO, name: str) -> Iterator[JsonGame | Fault]:
    """The games of a file, one by one; a `Fault` in place of each that cannot be read."""
    number, mark = 0, codecs.BOM_UTF8
    while raw := stream.readline(LONGEST_JSON):
        number += 1
        text, mark = raw.removeprefix(mark).strip(), b""
        if len(raw) == LONGEST_JSON:
            yield Fault(f"{name}:{number}", f"a line of more than {LONGEST_JSON} bytes")
            while len(raw) == LONGEST_JSON:
                raw = stream.readline(LONGEST_JSON)
        elif text:
            try:
                yield JsonGame(number, _object_of(text))
            except ValueError as error:
                yield Fault(f"{name}:{number}", str(error))


def _object_of(text: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(
            text.decode(),
            parse_constant=refuse,
            parse_int=_whole_number,
            object_pairs_hook=_without_doubles,
        )
    except UnicodeDecodeError:
        raise ValueError("is no UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON: {error.msg} at column {error.colno}") from None
    except OverflowError:
        raise ValueError("is no JSON of ours: a number of too many digits") from None
    except RecursionError:
        raise ValueError("is no JSON of ours: it nests too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("is no JSON object, which begins with {")
    return value


def refuse(word: str) -> None:
    """Raise a ValueError about NaN and the like."""
    raise ValueError(f"is no JSON: {word}")


def _whole_number(digits: str) -> int:
    """A number of at most 64 bits; OverflowError for a longer one."""
    if len(digits) > MOST_JSON_DIGITS:
        raise OverflowError
    return int(digits)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a key stands there twice")
    return entries


def text(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
