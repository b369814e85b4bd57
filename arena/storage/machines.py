"""The machines of a cluster that played a run's games, and the games that they lost on time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import sqlalchemy as sql

from arena.storage.database import Store
from arena.storage.tables import MACHINES

HERE = "(no cluster)"
"""The name, in a report, of the machine that plays without a cluster."""
LEVEL = 0.001
"""Significance level of the test for machines that lose more games on time than the others."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of a cluster, as it was seen while a run was played."""

    name: str
    cores: int
    megabytes: int  # Its memory


def keep_machine(store: Store, machine: Machine) -> None:
    """Keep the facts about a machine, in place of those known before."""
    with store.transaction() as connection:
        connection.execute(MACHINES.insert().prefix_with("OR REPLACE"), asdict(machine))


def _kept_machines(store: Store) -> list[Machine]:
    """Every machine that was seen, by name; none in a run that was played at home."""
    wanted = (MACHINES.c[each.name] for each in fields(Machine))
    rows = store.rows(sql.select(*wanted).order_by(MACHINES.c.name))
    return [Machine(*row) for row in rows]


def machine_rows(store: Store) -> list[dict[str, Any]]:
    """One row of a report for each machine, by name; none for a run that was played at home."""
    known = {machine.name: machine for machine in _kept_machines(store)}
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
