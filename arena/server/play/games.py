"""The games that people play, as many as a server bears, and their journals on disk."""

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
from arena.human import in_play
from arena.human.in_play import Help, Setup, game_after
from arena.match.play import GameInPlay
from arena.match.record import GameRecord
from arena.server.play.journal import Storage, read_journal, write_journal
from arena.server.play.live_game import LiveGame
from arena.server.play.offer import Offer
from arena.storage.folder import CONFIG, make_folder, run_id

IN_PLAY = ".in-play"  # Folder of the games in play, beside the runs
MOST_IN_PLAY = 12  # Games in play at once; each may have a process
MOST_OVER = 30  # Games that are over, and still shown
LONGEST_REST = 1800.0  # Seconds without a look at a game, after which its engine is let go
CHECK_PAUSE = 10.0
ID = re.compile("[0-9a-f]{16}")
TOO_MANY = (
    f"{MOST_IN_PLAY} games are in play already: finish one, or leave one; they are listed on "
    "the page Play."
)


class LiveGames:
    """Holds the games that people play here, and the engines that they may play against."""

    def __init__(self, results: Path, configs: Sequence[Path] = ()) -> None:
        """`configs`: files with engines to play against; ConfigError if one cannot be read."""
        self._is_of_one_run = (results / CONFIG).is_file()
        self.results = results.resolve().parent if self._is_of_one_run else results
        self.offer = Offer(configs)
        self._folder = self.results / IN_PLAY
        self._games: dict[str, LiveGame] = {}
        self._opening = threading.Lock()
        self._is_closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def open(self, wish: Any) -> str:
        """Begin the game that a browser wants: its id. ConfigError says why it cannot be."""
        setup = self.offer.setup(wish)
        with self._opening:
            if len(self._in_play()) >= MOST_IN_PLAY or self._is_closed.is_set():
                raise ConfigError(TOO_MANY)
            self._drop_old()
            make_folder(self._folder)
            id = secrets.token_hex(8)
            write_journal(self._file(id), setup, game_after(setup), Help())
            self._begin(id, setup)
        return id

    def find(self, id: str) -> LiveGame | None:
        """The game of an id, where its game may have to be woken; None if there is none.

        ConfigError if the game was kept, and cannot be gone on with.
        """
        if not ID.fullmatch(id):
            return None
        with self._opening:
            game = self._games.get(id)
            if (game is None or game.is_asleep) and self._file(id).is_file():
                if self._is_closed.is_set():
                    return game
                setup, play, taken = read_journal(self._file(id), self.offer.players)
                game = self._begin(id, setup, (play, taken))
        if game:
            game.touched = time.monotonic()
        return game

    def forget(self, id: str) -> None:
        if ID.fullmatch(id):
            if game := self._games.get(id):
                game.stop("left")
            self._file(id).unlink(missing_ok=True)

    def listing(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for id in self._in_play():
            if game := self._games.get(id):
                names, plies = game.setup.names, game.plies
                rows.append({"id": id, "players": list(names), "plies": plies})
            else:
                rows.append({"id": id, **self._at_rest(id)})
        return sorted(rows, key=lambda each: not each["plies"])

    def _at_rest(self, id: str) -> dict[str, Any]:
        try:
            setup, play, _ = read_journal(self._file(id), self.offer.players)
            return {"players": list(setup.names), "plies": play.p.ply}
        except ConfigError as error:
            return {"players": [], "plies": 0, "trouble": str(error)}

    def _in_play(self) -> list[str]:
        files = [file for file in self._folder.glob("*.json") if ID.fullmatch(file.stem)]
        return [file.stem for file in sorted(files, key=_changed_at, reverse=True)]

    def _begin(
        self, id: str, setup: Setup, so_far: tuple[GameInPlay, Help] | None = None
    ) -> LiveGame:
        storage = Storage(
            partial(write_journal, self._file(id), setup),
            self._archived(setup),
            partial(self._file(id).unlink, missing_ok=True),
        )
        game = self._games[id] = LiveGame(setup, storage, so_far)
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
        return game

    def _archived(self, setup: Setup) -> Callable[[GameRecord], Mapping[str, Any]]:
        def keep(record: GameRecord) -> Mapping[str, Any]:
            if not setup.persons:
                return {}
            config = in_play.config_of(setup)
            folder, number = in_play.keep(record, config, self.results)
            kept = {"run": folder.name, "number": number}
            if self._is_of_one_run:  # others are not on the page
                return kept
            return kept | {"address": f"/runs/{run_id(Path(folder.name))}#game={number}"}

        return keep

    def _file(self, id: str) -> Path:
        return self._folder / f"{id}.json"

    def _drop_old(self) -> None:
        over = [id for id, game in self._games.items() if game.is_over]
        for id in over[: max(0, len(over) - MOST_OVER)]:
            del self._games[id]

    def _watch(self) -> None:
        while not self._is_closed.wait(CHECK_PAUSE):
            for game in list(self._games.values()):
                if not game.is_over and time.monotonic() - game.touched > LONGEST_REST:
                    game.stop()

    def close(self) -> None:
        """Let go of all engines; the games in play go on when the server is back."""
        self._is_closed.set()
        with self._opening:
            for game in self._games.values():
                game.stop()


def _changed_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
