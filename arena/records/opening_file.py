"""A file of openings in any format: the line on which each begins, and its moves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Literal, get_args

from arena.errors import ConfigError, Fault
from arena.files import read_rest
from arena.game import Game, Move
from arena.records.written import LINE_READERS, WrittenGame, read_moves
from arena.text import decoded, utf8_file

OpeningFormat = Literal["offset", "pos", "lines", "sgf", "psq"]
OPENING_FORMATS: tuple[OpeningFormat, ...] = get_args(OpeningFormat)

WRITTEN_MOVE = r"[0-9]+,[0-9]+(-[0-9]+,[0-9]+)?"
SIGNS: Sequence[tuple[OpeningFormat, re.Pattern[str]]] = (
    ("pos", re.compile(r"([a-z][0-9]+)+")),
    ("lines", re.compile(rf"{WRITTEN_MOVE}(\s+{WRITTEN_MOVE})*")),
    ("offset", re.compile(r"-?[0-9]+(\s*,\s*-?[0-9]+)+")),
)
"""Lines that only this format has, but for those of a SINGLE stone."""
STONE = r"[a-zA-Z][0-9]{1,2}"
LETTERED = re.compile(rf"{STONE}(?:[\s,;-]*{STONE})*")
"""Stones of `pos` with capital letters, or something between them."""
POINT = r"[(\[]\s*(-?[0-9]{1,3})\s*,\s*(-?[0-9]{1,3})\s*[)\]]"
BRACKETED = re.compile(rf"{POINT}(?:[\s,;-]*{POINT})*")
NEGATIVE = re.compile(r"(?<!\w)-[0-9]")
MOVE_NUMBER = re.compile(r"(?<![\w,.-])[0-9]{1,3}\.(?:\s*(?=[a-zA-Z(\[])|\s+(?=-?[0-9]))")
SINGLE = re.compile(r"[0-9]+,[0-9]+")
"""One stone, for which both `lines` and `offset` write this, and mean different cells."""
STARTS: Sequence[tuple[OpeningFormat, str]] = (("sgf", "("), ("psq", "Piskvorky"))
"""The first characters of files of games."""
BLANK_LINE = "is blank, which other programs take for the empty board: take the line out"
COMMENT_MARK = "#"


@dataclass(frozen=True, slots=True)
class Part:
    """One opening of a file, not yet read: its text, and the line on which it begins."""

    line: int
    text: str
    fault: str = ""  # The reason why there is nothing to read
    size: int | None = None  # Rows and columns of its board, where the file tells


@dataclass(frozen=True, slots=True)
class OpeningFile:
    """A file cut into its openings."""

    file: Path
    format: OpeningFormat
    parts: Sequence[Part]

    def place(self, part: Part) -> str:
        return f"{self.file}:{part.line}"

    def moves(self, game: Game, part: Part) -> tuple[Move, ...]:
        """The moves of an opening; ValueError says what is wrong with it."""
        if part.fault:
            raise ValueError(part.fault)
        if part.size not in (None, game.size):
            raise ValueError(f"its board is of {part.size} x {part.size} points, not {game.size}")
        return LINE_READERS.get(self.format, read_moves)(game, part.text)


def opening_file(file: Path, format: OpeningFormat | None = None) -> OpeningFile:
    """Cut a file into openings; ConfigError if it cannot be read, or has none."""
    with utf8_file(file) as stream:
        content = read_rest(stream, file)
    written = re.split(r"\r\n|\n|\r", decoded(content)[0])
    form = format or told_format(written)
    if form is None:
        message = unread_format(file, content) or _untold_format(written)
        raise ConfigError(Fault(str(file), message))
    is_of_games = form in ("sgf", "psq")
    parts = list(_cut_games(content, form) if is_of_games else _cut_lines(written, form))
    if not parts:
        raise ConfigError(Fault(str(file), "has no openings"))
    return OpeningFile(file, form, parts)


def told_format(written: Sequence[str]) -> OpeningFormat | None:
    """The format by the first line that only one can have, or by comments; None if neither is."""
    texts = [_without_comment(line) for line in written if not _means_nothing(line)]
    has_offsets = any(map(NEGATIVE.search, texts))
    texts = [_plain_line(text, "offset" if has_offsets else None) for text in texts]
    for format, start in STARTS:
        if texts and texts[0].startswith(start):
            return format
    for text in texts:
        for format, sign in SIGNS:
            if sign.fullmatch(text) and not SINGLE.fullmatch(text):
                return format
    has_comments = any(line.lstrip().startswith(COMMENT_MARK) for line in written)
    return "lines" if has_comments or not texts else None


def _untold_format(written: Sequence[str]) -> str:
    first = next(_without_comment(line) for line in written if not _means_nothing(line))
    if SINGLE.fullmatch(_plain_line(first, None)):
        return f"{first!r} is one point in `lines`, another in `offset`: give the format"
    return (
        f"its format cannot be told: {first[:40]!r} is no opening; write each on a line, "
        "such as 7,7 7,8 or h8i8"
    )


def _plain_line(text: str, format: OpeningFormat | None) -> str:
    """A line without what other programs and people put into it: numbers of moves, capitals,
    brackets around points, and signs between them."""
    text = MOVE_NUMBER.sub("", text)
    if LETTERED.fullmatch(text):
        return re.sub(r"[\s,;-]", "", text).lower() if format in (None, "pos") else text
    if BRACKETED.fullmatch(text) and format != "pos":
        points = (f"{one},{other}" for one, other in re.findall(POINT, text))
        return (", " if format == "offset" else " ").join(points)
    return text


def _cut_lines(written: Sequence[str], format: OpeningFormat) -> Iterator[Part]:
    """One part a line. Blank lines at the end mean nothing; in our own format, none does."""
    last = max((i for i, line in enumerate(written) if line.strip()), default=-1)
    for number, line in enumerate(written[: last + 1], start=1):
        if format != "lines":
            fault = "" if line.strip() else BLANK_LINE
            yield Part(number, _plain_line(line.strip(), format), fault)
        elif not _means_nothing(line):
            yield Part(number, _plain_line(_without_comment(line), format))


def _cut_games(content: bytes, format: OpeningFormat) -> Iterator[Part]:
    """One part a game: its opening where the file tells how long that is, or else all moves."""
    # The library that reads SGF is not needed for anything else.
    from arena.records.formats import psq, sgf

    read = sgf.read if format == "sgf" else psq.read
    for found in read(BytesIO(content), ""):
        if isinstance(found, WrittenGame):
            moves = found.moves[: found.opening]
            text = " ".join(f"{row},{column}" for row, column in moves)
            yield Part(found.line, text, size=found.size)
        else:
            yield Part(int(found.place.removeprefix(":")), "", found.message)


def _means_nothing(line: str) -> bool:
    return not _without_comment(line)


def _without_comment(line: str) -> str:
    return line.partition(COMMENT_MARK)[0].strip()


SAVED_AS = "which is not read here: save its games as SGF or PSQ in the program that made it"
UNREAD_SIGNS = (
    (re.compile(rb"\xffRenLib\xff"), "a library of RenLib"),
    (re.compile(rb"\s*<.*<(games|database)\b", re.DOTALL), "RIF, the XML of RenjuNet"),
    (re.compile(rb"PK\x03\x04"), "a zip archive, as spreadsheets are"),
    (re.compile(rb"(\d+\r?\n){3}(\d+ \d+\r?\n)*\s*\Z"), "a game saved by Yixin"),
)
"""Three lines with a number each (rows, columns, moves) and one for each move are Yixin's."""
SUFFIXES = {
    ".lib": "a library of RenLib",
    ".pos": "a position saved by Piskvork, RenLib or Yixin",
    ".rec": "a game in the format of Gomotur",
    ".rif": "RIF, the XML of RenjuNet",
}


def unread_format(path: Path, beginning: bytes) -> str | None:
    """A message on the format of a file that cannot be read; None if it is not known either."""
    by_sign = next((name for sign, name in UNREAD_SIGNS if sign.match(beginning)), None)
    name = by_sign or SUFFIXES.get(path.suffix.lower())
    return f"is {name}, {SAVED_AS}" if name else None
