"""The games that count in a run: those that its config asks for, or all, if no config does."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, permutations, takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.config.settings import Config, Player, named_data, one_named
from arena.errors import ConfigError
from arena.format import ONLY_FAULTS, UNDECIDED, Field, Pairing, Row
from arena.match.columns import Games
from arena.match.first_games import FirstGames
from arena.match.marks import Marks, hashes, mark
from arena.match.opening import Openings
from arena.match.pairs import Results, pair_numbers
from arena.match.record import MOST_AT_ONCE, Job, job_of
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.load import IMPORTED, Named
from arena.storage.folder import CONFIG

FIRST_PART = 64
"""Pairings that are looked up at once, at first."""


class Scheduled(NamedTuple):
    """The games of a run that count."""

    games: Games
    is_over: bool
    """True if no game is missing."""


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
        number = 1
        for pairing in self._pairings(results):
            if pairing is None:
                yield None
            else:
                yield from jobs_of(pairing, self._seed, number)
                number += 2

    def _pairings(self, results: Results) -> Iterator[Pairing | None]:
        """The pairings of `jobs`."""
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
        found = FirstGames(self._watched)
        for pairing in self._format.pairings(self.field, results, **self._parameters):
            if pairing is None:
                break
            found.add(pairing)
            found.look(results)
            if found.is_settled:
                break
        return found

    def scheduled(self, games: Games, results: Results) -> Scheduled:
        """The games that the config asks for, with their numbers; `results` are of their pairs."""
        order = np.argsort(games.keys, kind="stable")
        kept = games.keys[order]
        wanted = int((kept[1:] != kept[:-1]).sum()) + bool(len(kept))
        places, numbers = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        found, asked, is_over = 0, 0, True
        pairings = until_waiting(self._pairings(results))
        while is_over or found < wanted:
            # Few at first: openings are drawn as they are asked for, and a run may have few games.
            size = min(MOST_AT_ONCE, max(FIRST_PART, asked))
            part = list(islice(pairings, size))
            keys = keys_of([pairing for pairing in takewhile(bool, part) if pairing])
            at, is_kept = last_places(kept, keys)
            places.append(order[at[is_kept]])
            numbers.append(asked + 1 + np.flatnonzero(is_kept))
            found, asked = found + len(places[-1]), asked + len(keys)
            is_over = is_over and bool(is_kept.all()) and len(keys) == 2 * len(part)
            if len(keys) < 2 * size:
                break
        return Scheduled(games.part(np.concatenate(places), np.concatenate(numbers)), is_over)

    def matches(self, results: Results) -> list[Row]:
        """The matches that the format decides, after these results; none for most formats."""
        told = getattr(self._format, "matches", None)
        rows: list[Row] = list(told(self.field, results, **self._parameters)) if told else []
        if rows and "decision" in rows[0] and self.first_games(results).faulty:
            return [{**row, "decision": ONLY_FAULTS} for row in rows]
        return rows

    @property
    def is_test(self) -> bool:
        """True if the format is one test of two hypotheses."""
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


def until_waiting(pairings: Iterable[Pairing | None]) -> Iterator[Pairing | None]:
    """The pairings up to the first None, after which results are missing."""
    for pairing in pairings:
        yield pairing
        if pairing is None:
            return


def keys_of(pairings: Sequence[Pairing]) -> Marks:
    """The marks of the `key` of both games of each pairing, in turn."""
    columns = zip(*pairings, strict=True) if pairings else ((), (), (), ())
    # The hash of a whole number, such as a round, is that number.
    one, other, opening, number = (hashes(column, len(pairings)) for column in columns)
    first_games = mark(one, other, opening, number)
    return np.stack([first_games, mark(other, one, opening, number)], axis=1).ravel()


def last_places(ordered: Marks, keys: Marks) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The last place of each key in ordered marks, and whether it is there at all."""
    if not len(ordered):
        return np.zeros(len(keys), np.int64), np.zeros(len(keys), np.bool_)
    # Keys in ascending order are found in half the time, each near the one before.
    order = np.argsort(keys)
    at = np.empty(len(keys), np.int64)
    at[order] = np.maximum(ordered.searchsorted(keys[order], side="right") - 1, 0)
    return at, ordered[at] == keys


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

    def scheduled(self, games: Games, results: Results) -> Scheduled:
        """All games, in the order in which they came in; ConfigError for those of strangers.

        Nothing is missing of imported games; another game with a person may come at any time.
        """
        known = np.array([name in self._players for name in games.players], np.bool_)
        strange = np.flatnonzero(~(known[games.first] & known[games.second]))
        if len(strange):
            first, second = (seat[strange[0]] for seat in (games.first, games.second))
            stranger = min({games.players[first], games.players[second]} - self._players)
            message = f"game {strange[0] + 1} is of {stranger}, who is not in {CONFIG}"
            raise ConfigError(message)
        return Scheduled(replace(games, pair=pair_numbers(games)), self._is_imported)

    def matches(self, results: Results) -> list[Row]:
        """No matches."""
        return []

    def status(self, results: Results) -> None:
        """None: these games test nothing."""

    def notes(self, results: Results) -> list[str]:
        """Sentences on where the games are from, and on those that nothing balances."""
        found = [self._source] if self._source else []
        if singles := results.singles:
            games = "games have" if singles > 1 else "game has"
            found.append(
                f"{singles} {games} no other on the same opening with colours swapped: each "
                "counts by itself, and Elo has in it who moved first."
            )
        return found
