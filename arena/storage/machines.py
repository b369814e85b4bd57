"""The machines of a cluster that played a run's games, and the games of those left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy.dialects.sqlite import Insert, insert

from arena.match.record import GameRecord
from arena.storage.database import Store
from arena.storage.tables import GAMES_TABLE, MACHINES, STORED, VOIDED

HERE = "(no cluster)"
"""The name, in a report, of the machine that plays without a cluster."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of a cluster, as it was seen while a run was played."""

    name: str
    cores: int
    megabytes: int
    """Its memory."""
    speed: float | None = None
    """The median of what was measured, relative to the machine that the run was started on; None
    where time was not limited."""
    slowest: float | None = None
    fastest: float | None = None
    left_out: str = ""
    """The reason why its games do not count; empty as long as they do."""


@dataclass(frozen=True, slots=True)
class LateGames:
    """Games of one machine, and those that were lost on time."""

    games: int = 0
    late: int = 0

    def __add__(self, other: LateGames) -> LateGames:
        return LateGames(self.games + other.games, self.late + other.late)

    def __sub__(self, other: LateGames) -> LateGames:
        return LateGames(self.games - other.games, self.late - other.late)


def keep_machine(store: Store, machine: Machine) -> None:
    """Keep what is known of a machine, in place of what was known before."""
    with store.transaction() as connection:
        connection.execute(keeping(machine))


def keeping(machine: Machine) -> Insert:
    """The statement that keeps a machine; why it was once left out stays."""
    statement = insert(MACHINES).values(asdict(machine))
    changed = {name: statement.excluded[name] for name in asdict(machine)}
    if not machine.left_out:
        del changed["left_out"]
    return statement.on_conflict_do_update(index_elements=["name"], set_=changed)


def kept_machines(store: Store) -> list[Machine]:
    """Every machine that was seen, by name; none in a run that was played at home."""
    if not store.has_table(MACHINES):
        return []
    rows = store.rows(sql.select(MACHINES).order_by(MACHINES.c.name))
    return [Machine(*row) for row in rows]


def void(store: Store, machine: Machine) -> int:
    """Leave a machine out: move its games to those that do not count, all or none; how many."""
    columns = [GAMES_TABLE.c[name] for name in STORED]
    is_its = GAMES_TABLE.c.machine == machine.name
    moved = sql.select(*columns).where(is_its).order_by(sql.text("rowid"))
    with store.transaction() as connection:
        connection.execute(VOIDED.insert().from_select(STORED, moved))
        gone = connection.execute(GAMES_TABLE.delete().where(is_its)).rowcount
        connection.execute(keeping(machine))
    return gone


def voided_games(store: Store) -> list[GameRecord]:
    """The games of machines that were left out, in the order in which they ended."""
    if not store.has_table(VOIDED):
        return []
    columns = [VOIDED.c[name] for name in STORED]
    return [GameRecord(*row) for row in store.rows(sql.select(*columns).order_by(VOIDED.c.number))]


def late_games(store: Store, table: sql.Table = GAMES_TABLE) -> dict[str, LateGames]:
    """The games of a table by the machine that played them; those of this one under no name."""
    if not (store.has_table(table) and store.has_column(GAMES_TABLE.c.machine)):
        return {}
    machine, late = table.c.machine, sql.func.sum(table.c.reason == "time")
    counts = sql.func.count(), sql.cast(late, sql.Integer)
    rows = store.rows(sql.select(machine, *counts).group_by(machine).order_by(machine))
    return {name: LateGames(games, late) for name, games, late in rows}


def machine_rows(store: Store) -> list[dict[str, Any]]:
    """One row of a report for each machine, by name; none for a run that was played at home."""
    known = {machine.name: machine for machine in kept_machines(store)}
    counted, voided = late_games(store), late_games(store, VOIDED)
    names = sorted({*known, *counted, *voided})
    if names in ([], [""]):
        return []
    return [
        {
            **asdict(known.get(name, Machine(name, 0, 0))),
            "name": name or HERE,
            "games": counted.get(name, LateGames()).games,
            "late": counted.get(name, LateGames()).late,
            "voided": voided.get(name, LateGames()).games,
            "voided_late": voided.get(name, LateGames()).late,
        }
        for name in names
    ]


def machine_notes(rows: Iterable[Mapping[str, Any]], scale: bool) -> Iterator[str]:
    """Sentences for readers of a report: on machines left out, and on limits that were scaled."""
    rows = list(rows)
    for row in rows:
        if row["voided"]:
            games = "games are" if row["voided"] > 1 else "game is"
            why = f", since {row['left_out']}" if row["left_out"] else ""
            yield (
                f"{row['voided']} {games} voided, kept but not counted, and played anew: those of "
                f"{row['name']}, which was left out{why}."
            )
    if scale and any(row["speed"] is not None for row in rows):
        yield (
            "Limits of time were scaled by each machine's speed, and all times are told in seconds "
            "of the machine that the run was started on."
        )
