"""PSQ: a header, a move a line, two names, a number; as Piskvork writes it, and the Gomocup judge.

A file has one game as a rule; where several follow one another, each begins with its header.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO, NamedTuple

from arena.engine import Remark
from arena.errors import Fault
from arena.game import FAULTS
from arena.records.written import Point, Result, WrittenGame
from arena.text import TITLES, Guess

BEGINNING = b"P"
OWN_EVENT = "arena:"
"""Beginning of the last line's text in files of ours, where 1 is Black and 2 is White."""
HEADER_WORD = b"Piskvorky"
HEADER = re.compile(
    rb"\s*Piskvorky\s+(\d{1,3})x(\d{1,3})\s*,\s*-?\d{1,9}\s*:\s*-?\d{1,9}\s*,\s*([01])\s*,?\s*"
)
MOVE = re.compile(rb"\s*(-?\d{1,3})\s*,\s*(-?\d{1,3})\s*(?:,\s*(-?\d{1,12})\s*)?")
LIKE_MOVE = re.compile(rb"[^,]{0,5},[^,]{0,5}(?:,[^,]{0,14})?")
"""A name would rather not be so written; a move with a slip of the pen is."""
END = re.compile(rb"\s*(-?\d{1,4})\s*")
JUDGEMENT = re.compile(rb"\s*([012])\s*,(.*)", re.DOTALL)
BLANK_BYTES = b" \t\r\n\f\v\0\x1a"
MOST_LINE_BYTES = 10_000
MOST_LINES = 10_000
REASON_OF_NUMBER = {b"15": "time", b"-2": "exception"}
"""Reasons by the last number; 0 is for an end by the rules, -1 for one that is not known."""
NUMBER_OF_REASON: dict[str, int] = {
    **dict.fromkeys(FAULTS, -2),
    **dict.fromkeys(("time", "hang"), 15),
    **dict.fromkeys(("line", "forbidden", "full board"), 0),
}
JUDGED_RESULTS: Sequence[Result] = ("draw", "first", "second")


class Line(NamedTuple):
    number: int
    text: bytes


class BrokenLineError(Exception):
    """The reason why a game cannot be read, and the line where that shows."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def read(stream: BinaryIO, name: str) -> Iterator[WrittenGame | Fault]:
    """The games of a file, one by one; a `Fault` in place of each that cannot be read."""
    guess = Guess()
    for lines in _lines_of_games(lines_of(stream)):
        try:
            yield _game_of_lines(lines, guess)
        except BrokenLineError as error:
            yield Fault(f"{name}:{error.line}", str(error))


def lines_of(stream: BinaryIO) -> Iterator[Line]:
    """The lines that are not blank, with any line end; a very long one in pieces."""
    number, mark = 1, codecs.BOM_UTF8
    while raw := stream.readline(MOST_LINE_BYTES):
        text = raw.removeprefix(mark).strip(BLANK_BYTES)
        mark = b""
        if text:
            yield Line(number, text)
        number += raw.endswith(b"\n")


def _lines_of_games(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """The lines of each game; of lines before any header, too."""
    game: list[Line] = []
    for line in lines:
        if game and (line.text.startswith(HEADER_WORD) or len(game) >= MOST_LINES):
            yield game
            game = []
        game.append(line)
    if game:
        yield game


def _game_of_lines(lines: Sequence[Line], guess: Guess) -> WrittenGame:
    """The game that these lines are; BrokenLineError if they are none."""
    header = HEADER.fullmatch(lines[0].text)
    if not header:
        message = "no header of PSQ, such as Piskvorky 15x15, 11:11, 0"
        raise BrokenLineError(lines[0].number, message)
    if int(header[1]) != int(header[2]) or not int(header[1]):
        board = f"{int(header[1])}x{int(header[2])}"
        raise BrokenLineError(lines[0].number, f"the board of {board} is not square")
    size, moves, remarks = int(header[1]), list[Point](), list[Remark]()
    for line in lines[1:]:
        if not (numbers := MOVE.fullmatch(line.text)):
            break
        remarks.append(Remark(len(moves) % 2 + 1, max(int(numbers[3] or 0), 0) / 1000))
        moves.append(_point_at(line, int(numbers[1]), int(numbers[2]), size))
    game = WrittenGame(
        line=lines[0].number,
        size=size,
        moves=tuple(moves),
        remarks=tuple(remarks) if any(remark.seconds for remark in remarks) else (),
    )
    tail, encoding = _in_utf8(lines[1 + len(moves) :], guess)
    game = replace(game, guessed="" if encoding == "utf-8" else TITLES.get(encoding, encoding))
    return _with_tail(game, tail, second_begins=header[3] == b"1")


def _in_utf8(lines: Sequence[Line], guess: Guess) -> tuple[list[Line], str]:
    """The lines of a game of a file that tells no encoding, and the one that was taken for them."""
    text, encoding = guess.decoded(b"\n".join(line.text for line in lines))
    texts = text.encode().split(b"\n")
    return [line._replace(text=text) for line, text in zip(lines, texts, strict=False)], encoding


def _point_at(line: Line, x: int, y: int, size: int) -> Point:
    """The point of a move's line, which counts from 1."""
    if not (0 < x <= size and 0 < y <= size):
        raise BrokenLineError(line.number, f"{x},{y} is no point of a board of {size}")
    return y - 1, x - 1


def _with_tail(game: WrittenGame, tail: Sequence[Line], second_begins: bool) -> WrittenGame:
    """The game with what stands after its moves: names, how it ended, and what the judge says."""
    names, number, judgement = _parts_of_tail(tail)
    if len(names) > 2:
        shown = names[0].text.decode()[:40]
        raise BrokenLineError(
            names[0].number, f"{shown!r} is neither a move nor a name before the end"
        )
    if strange := next((name for name in names if LIKE_MOVE.fullmatch(name.text)), None):
        message = f"{strange.text.decode()!r} is no move, and no name either"
        raise BrokenLineError(strange.number, message)
    first, second = ([name.text.decode().strip() for name in names] + ["", ""])[:2]
    if second_begins:
        first, second = second, first
    # Whoever breaks off a game, or breaks its rules, is the one whose turn it is.
    last: Result = "first" if len(game.moves) % 2 else "second"
    reason, event = REASON_OF_NUMBER.get(number, ""), ""
    result: Result = last if reason else "unknown"
    if judgement:
        result = last if judgement[1] != b"0" else "draw"
        event = judgement[2].decode().strip()
        if event.startswith(OWN_EVENT):
            event = event.removeprefix(OWN_EVENT)
            result = JUDGED_RESULTS[int(judgement[1])]
    return replace(game, first=first, second=second, result=result, reason=reason, event=event)


def _parts_of_tail(tail: Sequence[Line]) -> tuple[Sequence[Line], bytes, re.Match[bytes] | None]:
    """The names, the last number (nothing if there is none), and the judge's line if there is."""
    for after in (1, 0):
        names, rest = tail[: len(tail) - 1 - after], tail[len(tail) - 1 - after :]
        if len(rest) == 1 + after and (number := END.fullmatch(rest[0].text)):
            judgement = JUDGEMENT.fullmatch(rest[1].text) if after else None
            if judgement or not after:
                return names, number[1], judgement
    return tail, b"", None


def is_plain_name(name: str) -> bool:
    """True if a name in a line of its own is read as that name."""
    raw = name.encode()
    is_other = LIKE_MOVE.fullmatch(raw) or END.fullmatch(raw) or raw.startswith(HEADER_WORD)
    return bool(name) and name == name.strip() and name.isprintable() and not is_other


def text(game: WrittenGame) -> bytes:
    """The game as the judge writes it: the first name is Black's, the last line has the result.

    ValueError for a name that would be read as something else.
    """
    size = game.size
    for name in (game.first, game.second):
        if not is_plain_name(name):
            raise ValueError(f"PSQ cannot have the name {name!r}")
    lines = [f"Piskvorky {size}x{size}, 11:11, 0"]
    for i, (row, column) in enumerate(game.moves):
        remark = game.remarks[i] if game.remarks else None
        seconds = remark.seconds if remark else 0.0
        lines.append(f"{column + 1},{row + 1},{round(1000 * seconds)}")
    lines += [game.first, game.second, str(NUMBER_OF_REASON.get(game.reason, -1))]
    if game.result in JUDGED_RESULTS:
        lines.append(f"{JUDGED_RESULTS.index(game.result)},{OWN_EVENT}{game.event}")
    return "".join(f"{line}\r\n" for line in lines).encode()
