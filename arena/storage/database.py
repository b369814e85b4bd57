"""The games of one run in `arena.db`: kept and read, with the machines and files they are from."""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

import sqlalchemy as sql

from arena.errors import ConfigError, Fault
from arena.match.game_row import GameRow, content_of, key_number, read_efforts, row_of
from arena.match.record import MOST_AT_ONCE, Effort, GameKey, GameRecord, Numbered
from arena.storage.connection import (
    patient,
    refuse_network_drive,
    set_pragmas,
    set_small_cache,
    unusable,
    url,
)
from arena.storage.history import Session
from arena.storage.tables import (
    ASKED,
    FACTS,
    FILES,
    GAMES,
    INSERT_GAME,
    MACHINES,
    METADATA,
    SEARCH,
    SELECT_EFFORTS,
    SELECT_RECORDS,
    SELECT_ROWS,
    SESSIONS,
    TRIALS,
    packed_texts,
    record_from,
    rows_from,
)

OTHER_VERSION = (
    "was kept by another version of gomoku-arena: go on with it, or export its games, there"
)
FIRST_VERSION = (
    "was kept by gomoku-arena 0.1.0, whose games this version cannot read: export them there with "
    "`arena export %s -o games.jsonl`, and bring them in here with `arena import NAME games.jsonl`"
)
ONLY_IN_FIRST = "digest"  # A column of games that only 0.1.0 had
YEAR_10_000 = 253_402_300_800.0  # Seconds since 1970, from which on calendars end
BATCH = 1000  # Games of one transaction, where many are added
FIRST_READ = {GAMES.name, FACTS.name}  # Tables that every run has had since the first version
TAKEN = "SELECT 1 FROM games WHERE key = ? OR key = ?"
MEETINGS = "SELECT first, second, count(*) FROM games GROUP BY first, second"
BY_MACHINE = "SELECT machine, count(*), sum(reason = 'time') FROM games GROUP BY machine"
CLAIM_ROUND = "INSERT OR IGNORE INTO trial_rounds VALUES (?, ?, 0)"
CLAIM_NEXT = "INSERT INTO trial_rounds SELECT max(round) + 1, ?, 0 FROM trial_rounds"
CLAIMED = "SELECT point, openings FROM trial_rounds WHERE round = ?"
END_TRIAL = "UPDATE trial_rounds SET openings = max(openings, ?) WHERE round = ?"
KEEP_ASKED = "INSERT OR REPLACE INTO asked_trials VALUES (?, ?)"
KEEP_SEARCH = "INSERT OR REPLACE INTO search VALUES (?, ?)"
IS_STRICT = "SELECT strict FROM pragma_table_list(?) WHERE schema = 'main'"

T = TypeVar("T")


class PlayerEffort(NamedTuple):
    player: str
    games: int
    plies: int  # The plies of these games, whoever played them
    effort: Effort


class Store:
    """Holds the database's connection; one process writes, others may read meanwhile."""

    def __init__(self, file: Path, read_only: bool = False) -> None:
        """Open the file, and unless it is only read, make it if there is none.

        ConfigError here and in all methods if the file is no database of a run, and here if it is
        to be written to on a network drive.
        """
        if not read_only:
            refuse_network_drive(file.parent)
        self.file = file
        self._pending = 0
        self._numbers: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._engine = sql.create_engine(url(file, read_only), connect_args=patient())
        with self._faults(), ExitStack() as stack:
            stack.callback(self._engine.dispose)
            on_connect = set_small_cache if read_only else set_pragmas
            sql.event.listen(self._engine, "connect", on_connect)
            self._check_tables()
            if not read_only:
                METADATA.create_all(self._engine)
            self._connection = self._engine.connect()
            # Below SQLAlchemy's own, whose statements take ten times as long.
            self._driver = cast(sqlite3.Connection, self._connection.connection.driver_connection)
            stack.pop_all()

    @property
    def is_made(self) -> bool:
        """False for a file whose process was stopped before it had made the tables, first of all.

        That is no fault of the file: the next process that writes makes those that are missing.
        """
        with self._faults():
            found = {*sql.inspect(self._connection).get_table_names()}
        return found >= FIRST_READ or not found <= {*METADATA.tables}

    def append(self, record: GameRecord) -> GameRow:
        """Keep one game, all of it or, if killed on the way, nothing; what is counted of it.

        ConfigError if the file was removed: no game would be kept any more.
        """
        if not self.file.exists():
            message = "was removed or moved while games were played into it: no more are played"
            raise ConfigError(Fault(str(self.file), message))
        row = self.add(record)
        self.flush()
        return row

    def add(self, record: GameRecord) -> GameRow:
        """Keep one game; many are kept at once, the last of them by `flush`."""
        row, texts = row_of(record), packed_texts(record)
        first, second = record.efforts or read_efforts(record)
        counted = record.winner, record.reason, row.key, row.cluster, row.content
        told = record.round, record.seed, record.plies
        with self._faults():
            try:
                number = self._number_of
                values = (
                    *(None, number(record.first), number(record.second), *counted),
                    *(number(row.rule), row.scored, *told, number(record.machine)),
                    *(*first, *second, texts),
                )
                id = self._driver.execute(INSERT_GAME, values).lastrowid
            except BaseException:
                self._roll_back()  # as SQLite itself may have done: then names have no numbers
                raise
        self._pending += 1
        if self._pending == BATCH:
            self.flush()
        return row._replace(id=id or 0)

    def flush(self) -> None:
        with self._faults():
            self._driver.commit()
        self._pending = 0

    def games(self) -> list[GameRecord]:
        """Every game kept, in the order in which they ended."""
        return list(self.each())

    def each(self) -> Iterator[GameRecord]:
        """Every game, one by one, in the order in which they ended."""
        return self._read(SELECT_RECORDS + "ORDER BY id", (), self._record)

    def game_rows(self, keys: Iterable[int] | None = None) -> list[GameRow]:
        """What is counted of every game, or of those with these keys, in the order in which they
        ended."""
        query, values = SELECT_ROWS % "", list[str]()
        if keys is not None:
            where = "WHERE key IN (SELECT value FROM json_each(?)) "
            query, values = SELECT_ROWS % where, [json.dumps([*keys])]
        with self._refusing_games(), closing(self._parts(query, values)) as parts:
            return rows_from(parts, self._name_of)

    def records(self, ids: Sequence[int]) -> Iterator[GameRecord | None]:
        """The games with these numbers, in this order; None for one that is not kept."""
        for start in range(0, len(ids), BATCH):
            wanted = ids[start : start + BATCH]
            where = "WHERE id IN (SELECT value FROM json_each(?))"
            query, values = SELECT_RECORDS + where, (json.dumps(wanted),)
            records = dict(self._read(query, values, lambda row: (row[0], self._record(row))))
            yield from map(records.get, wanted)

    def efforts(self, ids: Collection[int]) -> list[PlayerEffort]:
        def of_both(row: Sequence[Any]) -> list[PlayerEffort]:
            first, second, games, plies, *sums = row
            half = len(Effort._fields)
            both = (first, sums[:half]), (second, sums[half:])
            return [
                PlayerEffort(self._name_of(player), games, plies, Effort(*own))
                for player, own in both
            ]

        last = max(ids, default=0)
        kept = self._read("SELECT id FROM games WHERE id <= ?", (last,), itemgetter(0))
        others = [id for id in kept if id not in ids]
        parts = self._read(SELECT_EFFORTS, (last, json.dumps(others)), of_both)
        return list(chain.from_iterable(parts))

    def free_round(self, key: GameKey, is_for_both: bool = False) -> int:
        """A round, from the key's own on, in which no game has this key: the first one, if rounds
        are taken in order. With `is_for_both`, the key with seats changed is free there, too."""
        first, second, opening, start = key

        def is_taken(round: int) -> bool:
            number = key_number(first, second, opening, round)
            numbers = number, number ^ is_for_both
            return self._driver.execute(TAKEN, numbers).fetchone() is not None

        with self._faults():
            taken, free = start - 1, start
            while is_taken(free):
                taken, free = free, 2 * free - start + 1
            while free - taken > 1:
                middle = (taken + free) // 2
                if is_taken(middle):
                    taken = middle
                else:
                    free = middle
        return free

    def find(self, key: GameKey) -> GameRecord | None:
        query = SELECT_RECORDS + "WHERE key = ?"
        return next(self._read(query, (key_number(*key),), self._record), None)

    def rounds(self) -> list[int]:
        return list(self._read("SELECT round FROM games ORDER BY id", (), itemgetter(0)))

    def players(self) -> set[str]:
        return {name for both in self.meetings() for name in both}

    def count(self) -> int:
        with self._faults():
            self._roll_back()
            return int(self._driver.execute("SELECT count(*) FROM games").fetchone()[0])

    def clusters(self) -> set[int]:
        return {cluster for (cluster,) in self.rows(sql.select(GAMES.c.cluster).distinct())}

    def meetings(self) -> dict[tuple[str, str], int]:
        name = self._name_of
        return dict(self._read(MEETINGS, (), lambda row: ((name(row[0]), name(row[1])), row[2])))

    def games_by_machine(self) -> dict[str, tuple[int, int]]:
        """How many games each machine played, and how many were lost on time; the name of this
        machine is empty."""
        rows = self._read(BY_MACHINE, (), lambda row: (self._name_of(row[0]), (row[1], row[2])))
        return dict(rows)

    def facts(self) -> dict[str, Any]:
        """The config that was noted; nothing yet in a new file."""
        text = next((row[0] for row in [*self.rows(sql.select(FACTS.c.json))]), "{}")
        with suppress(ValueError, RecursionError):
            if isinstance(facts := json.loads(text), dict):
                return facts
        return self._refuse(FACTS)

    def note(self, facts: dict[str, Any]) -> None:
        with self._faults():
            self._connection.execute(FACTS.delete())
            self._connection.execute(FACTS.insert(), {"json": json.dumps(facts)})
            self._connection.commit()

    def keep_session(self, session: Session) -> None:
        with self._faults():
            self._connection.execute(SESSIONS.insert().prefix_with("OR REPLACE"), asdict(session))
            self._connection.commit()

    def claim_round(self, wanted: int, point: str, openings: int, *, is_own: bool) -> int:
        """The round of a new trial's games: the one that is wanted, or the one after the last.

        A round that is taken is shared with a trial of the same point only if that has all its
        `openings`, so that no other process plays its games, or is the same, tried again.
        """
        with self._faults():
            # No other process claims one, from here on.
            is_free = self._driver.execute(CLAIM_ROUND, (wanted, point)).rowcount == 1
            there, ended = self._driver.execute(CLAIMED, (wanted,)).fetchone()
            if not (is_free or (there == point and (is_own or ended == openings))):
                wanted = self._driver.execute(CLAIM_NEXT, (point,)).lastrowid or wanted
            self._driver.commit()
        return wanted

    def end_trial(self, round: int, openings: int) -> None:
        """Keep after how many openings the trial ended whose games have this round; of two that
        share it, the later end."""
        with self._faults():
            self._driver.execute(END_TRIAL, (openings, round))
            self._driver.commit()

    def trials_ended(self) -> list[tuple[int, str, int]]:
        """The rounds of trials that ended, the names of their points, and their openings."""
        ended = sql.select(TRIALS).where(TRIALS.c.openings > 0).order_by(TRIALS.c.round)
        return [(row[0], row[1], row[2]) for row in self.rows(ended)]

    def keep_search(self, facts: Mapping[str, str], asked: Iterable[tuple[int, str]] = ()) -> None:
        """Store the state of a study's search, and the trials it asked for, by their rounds, in
        place of what was stored before. If the process is killed on the way, nothing changes."""
        with self._faults():
            try:
                self._driver.executemany(KEEP_ASKED, asked)
                self._driver.executemany(KEEP_SEARCH, facts.items())
                self._driver.commit()
            except BaseException:
                self._roll_back()
                raise

    def asked_trials(self) -> list[tuple[int, str]]:
        """The trials that were asked for, by their rounds, in turn."""
        return self._pairs_in(ASKED)

    def search_facts(self) -> dict[str, str]:
        """What is known of a study's search; nothing in a folder from before it was kept."""
        return dict(self._pairs_in(SEARCH))

    def _pairs_in(self, table: sql.Table) -> list[tuple[Any, str]]:
        with self._faults():
            is_there = sql.inspect(self._connection).has_table(table.name)
        query = sql.select(table).order_by(*table.primary_key)
        return [(row[0], row[1]) for row in self.rows(query)] if is_there else []

    def sessions(self) -> list[Session]:
        """Every time that the run was played, in order."""
        rows = self.rows(sql.select(SESSIONS).order_by(SESSIONS.c.began))
        found = [Session(*row) for row in rows]
        if not all(0 <= at < YEAR_10_000 for each in found for at in (each.began, each.ended)):
            self._refuse(SESSIONS)
        return found

    @contextmanager
    def transaction(self) -> Iterator[sql.Connection]:
        with self._faults():
            try:
                yield self._connection
                self._connection.commit()
            except BaseException:
                self._connection.rollback()
                self._roll_back()
                raise

    def close(self) -> None:
        self._connection.close()
        self._engine.dispose()

    def rows(self, query: sql.Select[Any]) -> Iterator[Sequence[Any]]:
        """The rows of a query, some at a time."""
        with self._faults(), self._engine.connect() as connection:
            for batch in connection.execute(query).partitions(BATCH):
                yield from batch

    def _read(
        self, query: str, values: Sequence[Any], read: Callable[[Sequence[Any]], T]
    ) -> Iterator[T]:
        """What a statement about games gives; ConfigError for a row that cannot be read as one."""
        for part in self._parts(query, values):
            with self._refusing_games():
                rows = list(map(read, part))
            yield from rows

    def _parts(
        self, query: str, values: Sequence[Any] = ()
    ) -> Generator[list[Sequence[Any]], None, None]:
        with self._faults(), closing(self._driver.cursor()) as cursor:
            cursor.execute(query, values)
            while part := cursor.fetchmany(MOST_AT_ONCE):
                yield part

    @contextmanager
    def _refusing_games(self) -> Iterator[None]:
        """Turn a row that cannot be read as a game into a ConfigError."""
        try:
            yield
        except (KeyError, OverflowError, TypeError, ValueError):
            self._refuse(GAMES)

    def _record(self, row: Sequence[Any]) -> GameRecord:
        return record_from(row, self._name_of)

    def _roll_back(self) -> None:
        """Take back what was not committed, with the numbers of its names."""
        self._driver.rollback()
        self._pending = 0
        self._numbers.clear()

    def _number_of(self, name: str) -> int:
        if (number := self._numbers.get(name)) is None:
            self._driver.execute("INSERT OR IGNORE INTO names (name) VALUES (?)", (name,))
            row = self._driver.execute("SELECT id FROM names WHERE name = ?", (name,)).fetchone()
            number = self._numbers[name] = int(row[0])
        return number

    def _name_of(self, number: int) -> str:
        if number not in self._names:
            with self._faults():
                self._names |= dict(self._driver.execute("SELECT id, name FROM names"))
        return self._names[number]

    def _refuse(self, table: sql.FromClause) -> NoReturn:
        """Raise a ConfigError about a table that another program has written, or changed."""
        message = f"its table {table.description} has other values than a run keeps"
        raise ConfigError(Fault(str(self.file), message))

    def _check_tables(self) -> None:
        """Raise a ConfigError for tables of another version, and for views.

        A foreign view may have rows without an end.
        """
        views = "SELECT name FROM sqlite_master WHERE type = 'view'"
        with self._engine.connect() as connection:
            if connection.exec_driver_sql(views).first():
                raise ConfigError(Fault(str(self.file), "has a view, which no run keeps"))
            for name, table in METADATA.tables.items():
                rows = connection.exec_driver_sql(f"PRAGMA table_info({name})").all()
                columns = {
                    each.name: (str(each.type), not each.nullable, each.primary_key)
                    for each in table.columns
                }
                if rows and {row[1] for row in rows} != {*columns}:
                    is_first = table is GAMES and ONLY_IN_FIRST in {row[1] for row in rows}
                    folder = shlex.quote(str(self.file.parent))
                    message = FIRST_VERSION % folder if is_first else OTHER_VERSION
                    raise ConfigError(Fault(str(self.file), message))
                # SQLite itself sees to it that a strict table has values of its columns' types.
                is_strict = connection.exec_driver_sql(IS_STRICT, (name,)).scalar()
                found = {row[1]: (row[2], bool(row[3]), bool(row[5])) for row in rows}
                if rows and not (is_strict and found == columns):
                    self._refuse(table)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """A file that is no database of ours is the user's to mend."""
        try:
            yield
        except (sql.exc.DBAPIError, sqlite3.Error, UnicodeDecodeError) as error:
            cause = getattr(error, "orig", error)
            broken = f"cannot be used as the database of a run: {cause}"
            raise unusable(self.file, error, broken) from None


THROWN_AWAY = "the games were thrown away, or changed, while they were read"


@dataclass(frozen=True, eq=False)
class Games:
    """Games in an order, each with its number in the schedule."""

    rows: Sequence[GameRow] = ()
    numbers: Sequence[int] = ()
    file: Path | None = None  # The database that has their texts; None if there are no games
    pairs: Sequence[int] = ()
    """The number of each game's pair, from 1, where that does not follow from its own."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Other names of players than they have in the file."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def pair_numbers(self) -> Sequence[int]:
        """The number of each game's pair, from 1."""
        return self.pairs or [(number + 1) // 2 for number in self.numbers]

    def part(self, is_wanted: Callable[[GameRow], bool]) -> Games:
        return self.at([place for place, row in enumerate(self.rows) if is_wanted(row)])

    def at(self, places: Iterable[int]) -> Games:
        places = list(places)
        rows = [self.rows[place] for place in places]
        numbers = [self.numbers[place] for place in places]
        pairs = [self.pairs[place] for place in places] if self.pairs else ()
        return replace(self, rows=rows, numbers=numbers, pairs=pairs)

    def of_players(self, names: Collection[str]) -> Games:
        return self.part(lambda row: row.result.first in names and row.result.second in names)

    def renamed(self, names: Mapping[str, str]) -> Games:
        return replace(self, rows=[row.renamed(names) for row in self.rows], names=names)

    def records(self) -> Iterator[GameRecord]:
        """The whole games, with the names that their players have here.

        ConfigError if they were thrown away, or changed, since the rows were read.
        """
        if self.file is None:
            return
        with closing(Store(self.file, read_only=True)) as store:
            records = store.records([row.id for row in self.rows])
            for row, record in zip(self.rows, records, strict=True):
                if record is None or content_of(record) != row.content:
                    raise ConfigError(Fault(str(self.file), THROWN_AWAY))
                first, second, *_ = row.result
                is_named = record.first == first and record.second == second
                yield record if is_named else replace(record, first=first, second=second)

    def numbered(self) -> Numbered:
        return list(zip(self.numbers, self.records(), strict=True))

    def efforts(self) -> list[PlayerEffort]:
        """What moves cost in these games: by players and seats, in sums."""
        if self.file is None or not self.rows:
            return []
        with closing(Store(self.file, read_only=True)) as store:
            efforts = store.efforts({row.id for row in self.rows})
        return [each._replace(player=self.names.get(each.player, each.player)) for each in efforts]


def kept_games(store: Store) -> Games:
    """All games that are kept, in the order in which they ended; ConfigError as in `Store.rows`."""
    rows = store.game_rows()
    return Games(rows, range(1, len(rows) + 1), store.file)


HERE = "(no cluster)"  # The name, in a report, of the machine that plays without a cluster
LEVEL = 0.001
"""Significance level of the test for machines that lose more games on time than the others."""


@dataclass(frozen=True, slots=True)
class Machine:
    name: str
    cores: int
    megabytes: int  # Its memory


def keep_machine(store: Store, machine: Machine) -> None:
    with store.transaction() as connection:
        connection.execute(MACHINES.insert().prefix_with("OR REPLACE"), asdict(machine))


def machine_rows(store: Store) -> list[dict[str, Any]]:
    """One row of a report for each machine, by name; none for a run that was played at home."""
    columns = (MACHINES.c[each.name] for each in fields(Machine))
    known = {row[0]: Machine(*row) for row in store.rows(sql.select(*columns))}
    counts = store.games_by_machine()
    names = sorted({*known, *counts})
    if names in ([], [""]):
        return []
    rows = []
    for name in names:
        games, late = counts.get(name, (0, 0))
        machine = asdict(known.get(name, Machine(name, 0, 0)))
        rows.append({**machine, "name": name or HERE, "games": games, "late": late})
    return rows


def machine_notes(rows: Iterable[Mapping[str, Any]], was_scaled: object) -> Iterator[str]:
    """Sentences for a report: on machines with many losses on time, and on limits of time that were
    scaled by the machines' speeds, as a file of an earlier version could say.
    """
    rows = list(rows)
    games, late = (sum(row[name] for row in rows) for name in ("games", "late"))
    for row in rows:
        others, others_late = games - row["games"], late - row["late"]
        if row["late"] and chance_of_late(row["late"], row["games"], late, games) < LEVEL:
            yield (
                f"{row['name']} stands out: {row['late']} of its {row['games']} games were lost on "
                f"time, and {others_late} of {others} on the other machines. That is more than "
                "chance explains, and says something of the machine rather than of the players."
            )
    if was_scaled is True and rows:
        yield (
            "Limits of time were scaled by each machine's speed, and all times are told in seconds "
            "of the machine that the run was started on."
        )


def chance_of_late(late: int, games: int, all_late: int, all_games: int) -> float:
    """The probability that a machine loses `late` or more of its games on time by chance.

    It is that of Fisher's exact test, one-sided, given the numbers of all machines, its own among
    them.
    """
    from scipy.stats import hypergeom  # most of a second, and machines hardly ever differ

    return float(hypergeom.sf(late - 1, all_games, all_late, games))


SHOWN_FILES = 3  # Files that a sentence names


@dataclass(frozen=True, slots=True)
class ImportedFile:
    file: str
    format: str
    sha256: str
    games: int  # Games that came in
    left_out: int


def keep_files(store: Store, files: Iterable[ImportedFile]) -> None:
    with store.transaction() as connection:
        connection.execute(FILES.insert(), list(map(asdict, files)))


def imported_files(store: Store, most: int | None = None) -> list[ImportedFile]:
    """The files, or the first `most` of them, in the order in which they came in."""
    query = sql.select(FILES).order_by(sql.text("rowid")).limit(most)
    return [ImportedFile(*row) for row in store.rows(query)]


def files_text(store: Store) -> str:
    """The names of the first files, and how many more there are."""
    ((count,),) = store.rows(sql.select(sql.func.count()).select_from(FILES))
    names = [each.file for each in imported_files(store, SHOWN_FILES)]
    more = f" and {count - len(names):,} more" if count > len(names) else ""
    return ", ".join(names) + more
