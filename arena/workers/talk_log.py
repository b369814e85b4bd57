"""A file for each game with all that was said between the referee and its programs."""

from __future__ import annotations

import logging
import re
import time
from contextlib import suppress
from datetime import datetime
from io import FileIO
from pathlib import Path
from tempfile import TemporaryFile

from arena.match.record import Job
from arena.refusals import refused
from arena.workers.logs import ON_SCREEN

LONGEST_NAME = 40
"""Characters of a player's name in that of a file."""
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")

logger = logging.getLogger(__name__)


class TalkLog:
    """Holds the file of the game that this process plays.

    It is written line by line, without a buffer, so that it is complete however a game ends.
    """

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        """Make the folder, if there is none; ConfigError if no file can be made there.

        `fresh` throws away what was written before of a game that begins.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=folder).close()
        except OSError as error:
            raise refused(error, f"--log {folder}") from None
        self._folder = folder.absolute()
        self._kept_from = time.time() if fresh else 0.0
        """When the oldest file was written that is added to."""
        self._file: FileIO | None = None
        self._began = 0.0
        self._rests = dict[tuple[str, str], bytes]()
        """What was said since the last end of a line, by the player and the mark."""

    def begin(self, job: Job) -> None:
        """Go on with a game of this job; one that is played again is added to its file."""
        self.end()
        self._began = time.monotonic()
        self._path = self._folder / _file_name(job)
        try:
            is_kept = self._path.exists() and self._path.stat().st_mtime >= self._kept_from
            self._file = FileIO(self._path, "ab" if is_kept else "wb")
        except OSError as error:
            self._give_up(error)
        self._put(f"# game {job.number}: {job}; begun {datetime.now():%Y-%m-%d %H:%M:%S}")

    def write(self, player: str, mark: str, data: bytes) -> None:
        """Write the lines of what a player's program was sent (`>`), has said (`<`), or has written
        to standard error (`!`)."""
        if mark == ">":
            self._write_rests(player)
        *lines, rest = (self._rests.pop((player, mark), b"") + data).split(b"\n")
        for line in lines:
            self._put_line(player, mark, line)
        if rest:
            self._rests[player, mark] = rest

    def end(self, words: str = "") -> None:
        """End the file of a game, with words on it."""
        for player in {player for player, _ in self._rests}:
            self._write_rests(player)
        if words:
            self._put(f"# {words}")
        if self._file:
            self._file.close()
            self._file = None

    def _write_rests(self, player: str) -> None:
        """Write what a player has said without an end of line."""
        for key in [key for key in self._rests if key[0] == player]:
            self._put_line(*key, self._rests.pop(key) + b" (no end of line)")

    def _put_line(self, player: str, mark: str, line: bytes) -> None:
        text = CONTROL.sub(
            lambda found: repr(found[0])[1:-1], line.decode(errors="backslashreplace")
        )
        self._put(f"{time.monotonic() - self._began:9.3f} {player} {mark} {text}")

    def _put(self, text: str) -> None:
        """Add a line to the file, if there is one."""
        if self._file:
            try:
                self._file.write(f"{text}\n".encode(errors="backslashreplace"))
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Write no more of this game: it goes on, since a full disk is no player's fault."""
        logger.warning("no more of a log: %s", refused(error, self._path), extra=ON_SCREEN)
        if self._file:
            with suppress(OSError):
                self._file.close()
        self._file = None


def _file_name(job: Job) -> str:
    """The name of a game's file: its number in the run, and its players."""
    names = (re.sub(r"[^\w.+-]+", "-", job.player(seat))[:LONGEST_NAME] for seat in (1, 2))
    return f"{job.number:04}-{'-'.join(names)}.log"
