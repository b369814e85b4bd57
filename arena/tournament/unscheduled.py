"""Runs that no config schedules: games that were played elsewhere, and games with persons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from arena.config.settings import Config, Player, named_data, one_named
from arena.errors import ConfigError
from arena.format import Row
from arena.match.first_games import FirstGames
from arena.match.opening import Openings
from arena.match.pairs import Results
from arena.match.record import GameKey, GameRecord, Job, Numbered
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


def source_text(data: Mapping[str, Any]) -> str:
    """A sentence on where imported games are from."""
    files = [str(file["file"]) for file in data["files"]]
    more = len(files) - SHOWN_FILES
    shown = ", ".join(files[:SHOWN_FILES]) + (f" and {more} more" if more > 0 else "")
    return f"These games were played elsewhere, and imported on {data['date']} from {shown}."


class UnscheduledGames(Schedule):
    """Holds the players of games that no config asks for: every game counts.

    These are imported games, of which `source` tells the files, and games with persons.
    """

    has_singles = True

    def __init__(self, config: Config, source: str = "") -> None:
        self._players = {*config.names}
        self._is_imported = config.format.name == IMPORTED
        self._source = source

    @property
    def total(self) -> int | None:
        """Nothing is known of games that might be missing."""
        return None

    def jobs(self, results: Results) -> Iterator[Job | None]:
        """No games to be played."""
        return iter(())

    def first_games(self, results: Results) -> FirstGames:
        """Nothing: these games cannot be stopped, and a person may lose on time at will."""
        return FirstGames([])

    def is_over(self, played: Collection[GameKey], results: Results) -> bool:
        """True for imported games; another game with a person may come at any time."""
        return self._is_imported

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
        found = [self._source] if self._source else []
        if singles := sum(1 for _ in results.halves()):
            games = "games have" if singles > 1 else "game has"
            found.append(
                f"{singles} {games} no other on the same opening with colours swapped: each "
                "counts by itself, and Elo has in it who moved first."
            )
        return found
