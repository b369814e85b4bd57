"""A run of games that were played elsewhere: its config, and its games in the files' order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from arena.config.settings import Config, Player, named_data, one_named
from arena.errors import ConfigError, Fault
from arena.format import Row
from arena.match.first_games import FirstGames
from arena.match.opening import Openings
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, Numbered
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.storage.folder import CONFIG
from arena.tournament.schedule import Schedule

IMPORTED: Final = "imported"
"""The kind of such a folder, and in its config the engine and the format, which are not known."""
SHOWN_FILES = 3
"""Files that the note names."""


def data_of(
    name: str, game: Named, players: Iterable[str], files: list[dict[str, Any]], date: str
) -> dict[str, Any]:
    """The config of a run of these files, as its folder keeps it."""
    return {
        "kind": IMPORTED,
        "name": name,
        "game": named_data(game),
        "date": date,
        "files": files,
        "engines": [{"name": player, "engine": IMPORTED} for player in players],
    }


def imported_config(data: Mapping[str, Any]) -> Config:
    """The config as that of any run; KeyError and the like for what is none."""
    game = one_named(data["game"])
    return Config(
        name=str(data["name"]),
        terms=Terms(game=game),
        format=Named(IMPORTED),
        openings=Openings(Named("list", {"list": []}), game),
        players=tuple(Player(str(each["name"]), Named(IMPORTED)) for each in data["engines"]),
    )


class ImportedSchedule(Schedule):
    """Holds what the files were; nothing is scheduled, and every game counts."""

    has_singles = True

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._has_persons = False
        self._date = str(data["date"])
        self._files = [str(file["file"]) for file in data["files"]]
        self._players = {str(each["name"]) for each in data["engines"]}

    @property
    def total(self) -> int | None:
        """Nothing is known of games that might be missing."""
        return None

    def jobs(self, results: Results) -> Iterator[Job | None]:
        """No games to be played."""
        return iter(())

    def first_games(self, results: Results) -> FirstGames:
        """Nothing: imported games cannot be stopped."""
        return FirstGames([])

    def numbered(self, records: Iterable[GameRecord], results: Results) -> Numbered:
        """All games, in the order in which they came in; ConfigError for those of strangers."""
        found = list(enumerate(records, start=1))
        for number, record in found:
            if strangers := sorted({record.first, record.second} - self._players):
                raise ConfigError(f"game {number} is of {strangers[0]}, who is not in {CONFIG}")
        return found

    def matches(self, results: Results) -> list[Row]:
        """No matches."""
        return []

    def notes(self, results: Results) -> list[str]:
        """Sentences on where the games are from, and on those that nothing balances."""
        more = len(self._files) - SHOWN_FILES
        files = ", ".join(self._files[:SHOWN_FILES]) + (f" and {more} more" if more > 0 else "")
        found = [f"These games were played elsewhere, and imported on {self._date} from {files}."]
        if singles := sum(1 for _ in results.halves()):
            games = "games have" if singles > 1 else "game has"
            found.append(
                f"{singles} {games} no other on the same opening with colours swapped: each "
                "counts by itself, and Elo has in it who moved first."
            )
        return found


def refuse_play(folder: Path, schedule: Schedule) -> None:
    """Raise a ConfigError if these games were not played here, so that none can be added."""
    if isinstance(schedule, ImportedSchedule):
        message = "imported games, which were played elsewhere, cannot be gone on with"
        raise ConfigError(Fault(str(folder), message))
