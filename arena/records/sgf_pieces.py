"""A collection of SGF cut at the borders of its games, in memory for a few games at most."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

READ_BYTES = 1 << 16
LONGEST_GAME = 1 << 20
"""Bytes of a game; what goes on for longer lacks a bracket somewhere."""
BLANK = b" \t\r\n\f\v\0\x1a" + codecs.BOM_UTF8
"""Bytes between games that mean nothing: also of an end of file as DOS marks it, or a BOM."""

TOKEN = re.compile(rb"[()]|\[[^\]\\]*(?:\\.[^\]\\]*)*(\]?)", re.DOTALL)
GAME_BEGINNING = re.compile(rb"\(\s*;")
ROOT = re.compile(rb"\(\s*;\s*(?:FF|GM|CA|AP|SZ|GN)\s*\[")
"""The beginning of a game, by properties that no variation has."""
ROOT_LINE = re.compile(rb"[\r\n]\s*(?=" + ROOT.pattern + rb")")
LONGEST_ROOT = 64
UNCLOSED = "the game is not closed: a ) or ] is missing"


@dataclass(frozen=True, slots=True)
class Piece:
    """The bytes of one game, or the reason why they are none."""

    line: int
    data: bytes
    fault: str = ""


def pieces(stream: BinaryIO) -> Iterator[Piece]:
    """The games of a collection in turn, and what stands between them that is none."""
    buffer, line, is_over = bytearray(stream.read(READ_BYTES)), 1, False
    if buffer.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield Piece(1, b"", "it is written in UTF-16: save it as UTF-8")
        return
    while True:
        found = cut_off(bytes(buffer), is_over)
        if found is None:
            more = stream.read(max(READ_BYTES, len(buffer)))
            buffer += more
            is_over = not more
            if is_over and not buffer.strip(BLANK):
                return
            continue
        start, end, fault = found
        data = bytes(buffer[start:end])
        line += buffer.count(b"\n", 0, start)
        if data:
            yield Piece(line, data, fault)
        line += data.count(b"\n")
        del buffer[:end]


def cut_off(data: bytes, is_over: bool) -> tuple[int, int, str] | None:
    """The first piece: its start, end, and what is wrong with it; None if more must be read."""
    start = len(data) - len(data.lstrip(BLANK))
    if not is_over and len(data) - start < LONGEST_ROOT:
        return None
    if not GAME_BEGINNING.match(data, start):
        return junk(data, start, is_over)
    depth = 0
    for token in TOKEN.finditer(data, start):
        at = token.start()
        if data[at] == ord("("):
            if not is_over and len(data) - at < LONGEST_ROOT:
                break
            if depth and ROOT.match(data, at):
                return start, at, "the game is not closed: a ) is missing"
            depth += 1
        elif data[at] == ord(")"):
            depth -= 1
            if not depth:
                return start, token.end(), ""
        elif not token[1]:
            break
        elif (swallowed := ROOT_LINE.search(token[0])) and b"\\" not in token[0][swallowed.end() :]:
            return start, at + swallowed.end(), UNCLOSED
    if is_over or len(data) - start > LONGEST_GAME:
        # What follows a bracket left open is read as text: go on where a game begins for sure.
        following = ROOT_LINE.search(data, start + 1)
        end = following.end() if following else len(data)
        return start, end, UNCLOSED
    return None


def junk(data: bytes, start: int, is_over: bool) -> tuple[int, int, str] | None:
    """The text before the next game, which is none."""
    following = GAME_BEGINNING.search(data, start)
    if not following and not is_over and len(data) - start <= LONGEST_GAME:
        return None
    end = following.start() if following else len(data)
    return (start, end, "no game of SGF, which begins with (;") if data[start:end] else None
