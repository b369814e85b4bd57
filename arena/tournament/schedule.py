"""The games that count in a run: those that its config asks for, or all, if no config does."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, NamedTuple

from arena.config.settings import Config, Player, named_data, one_named
from arena.errors import ConfigError, Fault
from arena.format import ONLY_FAULTS, UNDECIDED, Field, Pairing, Row
from arena.match.game_row import GameRow, keys_of
from arena.match.opening import Openings
from arena.match.pairs import FirstGames, Results
from arena.match.record import Job, job_of
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.load import IMPORTED, Named
from arena.storage.database import Games
from arena.storage.folder import CONFIG


class Scheduled(NamedTuple):
    """The games of a run that count."""

    games: Games
    is_over: bool  # True if no game is missing


class Schedule:
    has_singles = False  # True if games may have no other of their pair, and count nevertheless

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

    @property
    def plan(self) -> int:
        """A size by which plans are compared: the pairs of two players that meet, times the stages.
        Without `pairs`, there is one on each opening in each round."""
        pairs = self._parameters.get("pairs", 0)
        if isinstance(pairs, Sequence):  # a number for each couple of players
            pairs = sum(pairs)
        stages = max(int(self._parameters.get("stages", 0)), 1)
        return self.field.pairs(int(pairs)) * stages

    def jobs(self, results: Results) -> Iterator[Job | None]:
        """All games of the tournament: each pairing gives two, in turn begun by both.

        None as long as results are missing on which the next pairing depends. There are no more
        games once the first ones of a player all ended by its own faults.
        """
        number = 1
        for pairing in self._pairings(results):
            if pairing is None:
                yield None
            else:
                yield from jobs_of(pairing, self._seed, number)
                number += 2

    def _pairings(self, results: Results) -> Iterator[Pairing | None]:
        first_games = FirstGames(self._watched)
        pairings = self._format.pairings(self.field, results, **self._parameters)
        for pairing in pairings:
            if first_games.look(results):
                return
            if pairing is not None:
                first_games.add(pairing)
            yield pairing
            if first_games.are_sound:
                yield from pairings

    def first_games(self, results: Results) -> FirstGames:
        """The players' first games, as far as these results tell if a run is to stop for them."""
        first_games = FirstGames(self._watched)
        for pairing in self._format.pairings(self.field, results, **self._parameters):
            if pairing is None:
                break
            first_games.add(pairing)
            first_games.look(results)
            if first_games.is_settled:
                break
        return first_games

    def scheduled(self, games: Games, results: Results) -> Scheduled:
        """The games that the config asks for, with their numbers; `results` are of their pairs.

        ConfigError for a game of others, which only a foreign file can have in their place.
        """
        kept = {row.key: row for row in games.rows}
        rows, numbers, is_over, number = list[GameRow](), array("q"), True, 0
        for pairing in self._pairings(results):
            if pairing is None:
                is_over = False
                break
            for key in keys_of(pairing):
                number += 1
                if row := kept.get(key):
                    rows.append(row)
                    numbers.append(number)
                else:
                    is_over = False
            if not is_over and len(rows) == len(kept):
                break
        players = {name for result in {row.result for row in rows} for name in result[:2]}
        if strangers := players - {*self.field.players}:
            message = f"has a game of {min(strangers)} in the place of one of others"
            raise ConfigError(Fault(str(games.file), message))
        return Scheduled(replace(games, rows=rows, numbers=numbers), is_over)

    def matches(self, results: Results) -> list[Row]:
        """The matches that the format decides, after these results; none for most formats."""
        decided = getattr(self._format, "matches", None)
        rows: list[Row] = list(decided(self.field, results, **self._parameters)) if decided else []
        if rows and "decision" in rows[0] and self.first_games(results).faulty:
            return [{**row, "decision": ONLY_FAULTS} for row in rows]
        return rows

    @property
    def is_test(self) -> bool:
        return bool(self._statuses)

    def status(self, results: Results) -> int | None:
        """The exit status that tells how a test ended; None for formats that test nothing."""
        if not self.is_test:
            return None
        (row,) = self.matches(results)
        return self._statuses.get(row["decision"], UNDECIDED)

    def notes(self, results: Results) -> list[str]:
        """Sentences of the format for a reader of these results, unless faults decided them."""
        sentences = getattr(self._format, "notes", None)
        if sentences is None or self.first_games(results).faulty:
            return []
        return list(sentences(self.field, results, **self._parameters))


def jobs_of(pairing: Pairing, seed: int, number: int = 0) -> Iterator[Job]:
    """Both games of a pairing, each with a seed that depends on nothing else in the run.

    `number`: that of the first in the schedule, if it has one.
    """
    for game, (first, second) in enumerate(permutations((pairing.one, pairing.other))):
        facts = (seed, first, second, pairing.opening, pairing.round)
        digest = hashlib.blake2b(repr(facts).encode(), digest_size=8).digest()
        # SQLite's integers have a sign.
        where = first, second, pairing.opening, pairing.round
        yield job_of(where, int.from_bytes(digest) >> 1, number and number + game)


def data_of(name: str, game: Named, players: Iterable[str], date: str) -> dict[str, Any]:
    return {
        "kind": IMPORTED,
        "name": name,
        "game": named_data(game),
        "date": date,
        "engines": [{"name": player, "engine": IMPORTED} for player in players],
    }


def imported_config(data: Mapping[str, Any]) -> Config:
    """The config of imported games, like that of any run. Raises KeyError and such for others."""
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
        return iter(())

    def first_games(self, results: Results) -> FirstGames:
        """Nothing: these games cannot be stopped, and a person may lose on time at will."""
        return FirstGames([])

    def scheduled(self, games: Games, results: Results) -> Scheduled:
        """All games, in the order in which they came in; ConfigError for those of strangers.

        Nothing is missing of imported games; another game with a person may come at any time.
        """
        for number, row in zip(games.numbers, games.rows, strict=True):
            if strangers := {*row.result[:2]} - self._players:
                message = f"game {number} is of {min(strangers)}, who is not in {CONFIG}"
                raise ConfigError(message)
        numbers: dict[int, int] = {}
        pairs = [numbers.setdefault(row.pair, 1 + len(numbers)) for row in games.rows]
        return Scheduled(replace(games, pairs=pairs), self._is_imported)

    def matches(self, results: Results) -> list[Row]:
        return []

    def status(self, results: Results) -> None:
        """None: these games test nothing."""

    def notes(self, results: Results) -> list[str]:
        sentences = [self._source] if self._source else []
        if singles := len(results.singles):
            games = "games have" if singles > 1 else "game has"
            sentences.append(
                f"{singles} {games} no other on the same opening with colours swapped: each "
                "counts by itself, and Elo has in it who moved first."
            )
        return sentences
