"""The games that count in a run: those that its config asks for, or all, if no config does."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from arena.config.settings import Config, Player, named_data, one_named
from arena.errors import ConfigError
from arena.format import MANY_FAULTS, ONLY_FAULTS, UNDECIDED, Field, Pairing, Row
from arena.match.first_games import FirstGames
from arena.match.opening import Openings
from arena.match.pairs import Results
from arena.match.record import GameKey, GameRecord, Job, Numbered, job_of, key
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.load import IMPORTED, Named
from arena.storage.folder import CONFIG


class Schedule:
    """Holds a config's field and format."""

    has_singles = False
    """True if games may have no other of their pair, and count nevertheless."""

    def __init__(self, config: Config) -> None:
        self.field = Field(config.names, config.openings, config.rounds)
        self._seed = config.terms.seed
        self._format = load.module("format", config.format.name)
        self._statuses: Mapping[str, int] = getattr(self._format, "STATUS", {})
        self._parameters = config.format.parameters
        self._watched = [] if config.terms.keep_going else config.names

    @property
    def total(self) -> int | None:
        """The games of the whole tournament, at most; None where results decide it."""
        pairs = self._format.total(self.field, **self._parameters)
        return None if pairs is None else 2 * int(pairs)

    def jobs(self, results: Results) -> Iterator[Job | None]:
        """All games of the tournament: each pairing gives two, in turn begun by both.

        None as long as results are missing on which the next pairing depends. There are no more
        games once the first ones of a player all ended by its own faults.
        """
        first_games = FirstGames(self._watched)
        for pairing in self._format.pairings(self.field, results, **self._parameters):
            if first_games.look(results):
                return
            if pairing is None:
                yield None
            else:
                first_games.add(pairing)
                yield from jobs_of(pairing, self._seed)

    def first_games(self, results: Results) -> FirstGames:
        """The players' first games, as far as these results tell if a run is to stop for them."""
        found = FirstGames(self._watched)
        for pairing in self._format.pairings(self.field, results, **self._parameters):
            if pairing is None:
                break
            found.add(pairing)
            found.look(results)
            if found.is_settled:
                break
        return found

    def is_over(self, played: Collection[GameKey], results: Results) -> bool:
        """True if no game is missing, of those that were played and counted."""
        return all(job is not None and key(job) in played for job in self.jobs(results))

    def numbered(self, records: Iterable[GameRecord], results: Results) -> Numbered:
        """The games that the config asks for, with their numbers; `results` are of their pairs."""
        kept = {key(record): record for record in records}
        found: Numbered = []
        for number, job in enumerate(self.jobs(results), start=1):
            if job is None or len(found) == len(kept):
                break
            if key(job) in kept:
                found.append((number, kept[key(job)]))
        return found

    def matches(self, results: Results) -> list[Row]:
        """The matches that the format decides, after these results; none for most formats.

        A test accepts no hypothesis by games of which a player lost too many by its own faults.
        """
        told = getattr(self._format, "matches", None)
        rows: list[Row] = list(told(self.field, results, **self._parameters)) if told else []
        if rows and "decision" in rows[0] and self.first_games(results).faulty:
            return [{**row, "decision": ONLY_FAULTS} for row in rows]
        if results.are_doubtful:
            return [{**row, "decision": MANY_FAULTS} if self._settles(row) else row for row in rows]
        return rows

    @property
    def is_test(self) -> bool:
        """True if the format is one test of two hypotheses."""
        return bool(self._statuses)

    def _settles(self, row: Row) -> bool:
        """True if the format is a test and its row accepts a hypothesis."""
        return row.get("decision") in self._statuses

    def status(self, results: Results) -> int | None:
        """The exit status that tells how a test ended; None for formats that test nothing."""
        if not self.is_test:
            return None
        (row,) = self.matches(results)
        return self._statuses.get(row["decision"], UNDECIDED)

    def notes(self, results: Results) -> list[str]:
        """Sentences of the format for a reader of these results, unless faults decided them."""
        sentences = getattr(self._format, "notes", None)
        if sentences is None or self.first_games(results).faulty or results.are_doubtful:
            return []
        return list(sentences(self.field, results, **self._parameters))


def jobs_of(pairing: Pairing, seed: int) -> Iterator[Job]:
    """Both games of a pairing, each with a seed that depends on nothing else in the run."""
    for first, second in ((pairing.one, pairing.other), (pairing.other, pairing.one)):
        facts = (seed, first, second, pairing.opening, pairing.round)
        digest = hashlib.blake2b(repr(facts).encode(), digest_size=8).digest()
        # SQLite's integers have a sign.
        where = first, second, pairing.opening, pairing.round
        yield job_of(where, int.from_bytes(digest) >> 1)


def data_of(name: str, game: Named, players: Iterable[str], date: str) -> dict[str, Any]:
    """The config of a run of imported games, as its folder keeps it."""
    return {
        "kind": IMPORTED,
        "name": name,
        "game": named_data(game),
        "date": date,
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


class UnscheduledGames(Schedule):
    """Holds the players of games that no config asks for: every game counts.

    These are imported games, of which `source` tells the files, and games with persons.
    """

    has_singles = True
    is_test = False

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

    def status(self, results: Results) -> None:
        """None: these games test nothing."""

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
