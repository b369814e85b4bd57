"""The files that imported games are from, however many they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import sqlalchemy as sql

from arena.storage.database import Store
from arena.storage.tables import FILES

SHOWN_FILES = 3
"""Files that a sentence names."""


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file as it was when its games were imported."""

    file: str
    format: str
    sha256: str
    games: int  # Games that came in
    left_out: int


def keep_files(store: Store, files: Iterable[ImportedFile]) -> None:
    """Keep the facts about these files."""
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
