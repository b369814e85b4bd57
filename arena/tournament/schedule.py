"""The games that a config asks for, given those played: its format's pairings as numbered jobs."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping

from arena.config.settings import Config
from arena.format import MANY_FAULTS, ONLY_FAULTS, UNDECIDED, Field, Pairing, Row
from arena.match.first_games import FirstGames
from arena.match.pairs import Results
from arena.match.record import GameKey, GameRecord, Job, Numbered, key
from arena.plugins import load


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
        """All games of the tournament: each pairing gives two, colours swapped.

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

    def _settles(self, row: Row) -> bool:
        """True if the format is a test and its row accepts a hypothesis."""
        return row.get("decision") in self._statuses

    def status(self, results: Results) -> int | None:
        """The exit status that tells how a test ended; None for formats that test nothing."""
        if not self._statuses:
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
        yield Job(first, second, pairing.opening, pairing.round, int.from_bytes(digest) >> 1)
