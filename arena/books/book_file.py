"""The file of a book: what made it, and an opening a line, which is also how far its making is.

A line is `moves # value depth nodes draw`. Openings stand in the order of their draws, so that a
file whose making was stopped tells where to go on, and comes out as if it had not been.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arena.books.balancing import BookLine
from arena.books.book_config import BookConfig
from arena.errors import ConfigError, Fault
from arena.files import refuse_other
from arena.game import Game
from arena.match.copies import marks_of_text
from arena.match.openings.book import HEAD
from arena.refusals import refused

LINE = re.compile(r"([0-9, ]+) # (-?\d+) (\d+) (\d+) (\d+)")


def header(config: BookConfig) -> str:
    """The first lines of a book, which differ wherever its openings would."""
    low, high = config.window
    return (
        f"{HEAD} `arena openings make`. The first player's expected score in each is "
        f"{low:g} to {high:g}.\n"
        f"# {config.settings}\n"
        "# moves # value to the side to move, depth and nodes of its search, number of the draw\n"
    )


def _line_text(line: BookLine) -> str:
    return f"{line.moves} # {line.value} {line.depth} {line.nodes} {line.draw}\n"


class BookFile:
    """Holds the file while openings are added, and those that it has."""

    def __init__(self, path: Path, stream: BinaryIO, lines: list[BookLine]) -> None:
        self.path = path
        self.lines = lines
        self._stream = stream
        self._marks = {line.mark for line in lines}

    @property
    def next_draw(self) -> int:
        """The first number of which nothing is known."""
        return self.lines[-1].draw + 1 if self.lines else 0

    def add(self, line: BookLine) -> bool:
        """Write an opening at the end; False for one that is there, be it turned or mirrored."""
        if line.mark in self._marks:
            return False
        self._marks.add(line.mark)
        self.lines.append(line)
        self._stream.write(_line_text(line).encode())
        self._stream.flush()
        return True


@contextmanager
def opened_book(path: Path, config: BookConfig, game: Game, fresh: bool) -> Iterator[BookFile]:
    """Open a book, for this process alone, at the end of what it has.

    `fresh` throws that away. Raises ConfigError for a file that other settings made, and for one
    that another process is making.
    """
    try:
        refuse_other(path, "book")
        stream = path.open("r+b" if path.exists() else "x+b")
    except OSError as error:
        raise refused(error, path) from None
    with stream:
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigError(Fault(str(path), "another process is making it")) from None
        yield BookFile(path, stream, begun(path, stream, header(config), game, fresh))


def begun(path: Path, stream: BinaryIO, head: str, game: Game, fresh: bool) -> list[BookLine]:
    """The openings of a book that was begun, what is half written cut off; or begin it."""
    content = b"" if fresh else stream.read()
    if head.encode().startswith(content):
        stream.seek(0)
        stream.truncate()
        stream.write(head.encode())
        stream.flush()
        return []
    if not content.startswith(head.encode()):
        message = "holds openings by other settings: give another --output"
        raise ConfigError(Fault(str(path), f"{message}, or throw it away with --fresh"))
    whole = content[: content.rfind(b"\n") + 1]
    lines = whole.decode(errors="replace").splitlines()
    first = head.count("\n")
    found = [
        _read_line(game, f"{path}:{i}", lines[i - 1]) for i in range(first + 1, len(lines) + 1)
    ]
    stream.seek(len(whole))
    stream.truncate()
    return found


def _read_line(game: Game, place: str, text: str) -> BookLine:
    """The mirror of `_line_text`. Raises ConfigError, with the place, for any other text."""
    try:
        parts = LINE.fullmatch(text)
        if not parts:
            raise ValueError("is no line of a book: moves # value depth nodes draw")
        moves, numbers = parts[1], map(int, parts.groups()[1:])
        return BookLine(moves, marks_of_text(game, moves, moves)[0], *numbers)
    except ValueError as error:
        raise ConfigError(Fault(place, str(error))) from None
