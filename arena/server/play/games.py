"""The tables at which people play, as many as a server bears, and their games in play on disk."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.human import archive
from arena.human.setup import Setup
from arena.human.take_back import Help, Note
from arena.match.record import GameRecord
from arena.server.play.journal import Keeper, read_journal, write_journal
from arena.server.play.live_game import Table
from arena.server.play.offer import Offer
from arena.server.watch.run_folders import run_id
from arena.storage.folder import CONFIG, make_folder

IN_PLAY = ".in-play"
"""Folder of the games in play, beside the runs."""
MOST_IN_PLAY = 12
"""Games in play at once; each may have a process."""
MOST_OVER = 30
"""Games that are over, and still shown."""
LONGEST_REST = 1800.0
"""Seconds without a look at a game, after which its engine is let go."""
CHECK_PAUSE = 10.0
ID = re.compile("[0-9a-f]{16}")
NO_TABLE = (
    f"{MOST_IN_PLAY} games are in play already: finish one, or leave one; they are listed on "
    "the page Play."
)


class Tables:
    """Holds the games that people play here, and the engines that they may play against."""

    def __init__(self, results: Path, configs: Sequence[Path] = ()) -> None:
        """`configs`: files whose engines are at hand beside those that come along.

        ConfigError if one of them is none.
        """
        self._is_of_one_run = (results / CONFIG).is_file()
        self.results = results.resolve().parent if self._is_of_one_run else results
        self.offer = Offer(configs)
        self._folder = self.results / IN_PLAY
        self._tables: dict[str, Table] = {}
        self._opening = threading.Lock()
        self._is_closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def open(self, wish: Any) -> str:
        """Begin the game that a browser wants: its id. ConfigError says why it cannot be."""
        setup = self.offer.setup(wish)
        with self._opening:
            if len(self._in_play()) >= MOST_IN_PLAY or self._is_closed.is_set():
                raise ConfigError(NO_TABLE)
            self._drop_old()
            make_folder(self._folder)
            id = secrets.token_hex(8)
            write_journal(self._file(id), setup, [], Help())
            self._seat(id, setup)
        return id

    def find(self, id: str) -> Table | None:
        """The table of an id, where its game may have to be woken; None if there is none.

        ConfigError if the game was kept, and cannot be gone on with.
        """
        if not ID.fullmatch(id):
            return None
        with self._opening:
            table = self._tables.get(id)
            if (table is None or table.is_asleep) and self._file(id).is_file():
                if self._is_closed.is_set():
                    return table
                setup, notes, taken = read_journal(self._file(id), self.offer.players)
                table = self._seat(id, setup, (notes, taken))
        if table:
            table.touched = time.monotonic()
        return table

    def forget(self, id: str) -> None:
        """Throw away a game in play, whether it can be gone on with or not."""
        if ID.fullmatch(id):
            if table := self._tables.get(id):
                table.stop("leave")
            self._file(id).unlink(missing_ok=True)

    def listing(self) -> list[dict[str, Any]]:
        """The games in play."""
        found = []
        for id in self._in_play():
            if table := self._tables.get(id):
                names, plies = table.setup.names, table.plies
                found.append({"id": id, "players": list(names), "plies": plies})
            else:
                found.append({"id": id, **self._at_rest(id)})
        return found

    def _at_rest(self, id: str) -> dict[str, Any]:
        """The same of a game that waits on the disk."""
        try:
            setup, notes, _ = read_journal(self._file(id), self.offer.players)
            plies = len(setup.opening.split()) + len(notes)
            return {"players": list(setup.names), "plies": plies}
        except ConfigError as error:
            return {"players": [], "plies": 0, "trouble": str(error)}

    def _in_play(self) -> list[str]:
        """The ids of the games in play, the latest first."""
        files = [file for file in self._folder.glob("*.json") if ID.fullmatch(file.stem)]
        return [file.stem for file in sorted(files, key=changed_at, reverse=True)]

    def _seat(self, id: str, setup: Setup, so_far: tuple[list[Note], Help] | None = None) -> Table:
        """Begin a game, or go on with one."""
        keeper = Keeper(
            partial(write_journal, self._file(id), setup),
            self._archived(setup),
            partial(self._file(id).unlink, missing_ok=True),
        )
        table = self._tables[id] = Table(setup, keeper, so_far)
        table.start()
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
        return table

    def _archived(self, setup: Setup) -> Callable[[GameRecord], Mapping[str, Any]]:
        """A function that keeps a game which is over where those of the terminal are."""

        def keep(record: GameRecord) -> Mapping[str, Any]:
            if not setup.persons:
                return {}
            config = archive.config_of(setup)
            folder, number = archive.keep(record, config, self.results)
            kept = {"run": folder.name, "number": number}
            if self._is_of_one_run:  # others are not on the page
                return kept
            return kept | {"address": f"/runs/{run_id(Path(folder.name))}#game={number}"}

        return keep

    def _file(self, id: str) -> Path:
        """The journal of a game."""
        return self._folder / f"{id}.json"

    def _drop_old(self) -> None:
        """Forget the games that were over first, if they are many."""
        over = [id for id, table in self._tables.items() if table.is_over]
        for id in over[: max(0, len(over) - MOST_OVER)]:
            del self._tables[id]

    def _watch(self) -> None:
        """Let the engines go of games that nobody looks at."""
        while not self._is_closed.wait(CHECK_PAUSE):
            for table in list(self._tables.values()):
                if not table.is_over and time.monotonic() - table.touched > LONGEST_REST:
                    table.stop()

    def close(self) -> None:
        """Let go of all engines; the games in play go on when the server is back."""
        self._is_closed.set()
        with self._opening:
            for table in self._tables.values():
                table.stop()


def changed_at(file: Path) -> float:
    """The time when a file was written; 0 if it is gone."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
