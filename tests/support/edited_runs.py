"""Runs that others edited: their databases, by SQL, game by game, or text by text."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from arena.match.record import GameRecord
from arena.storage.database import Store
from arena.storage.folder import DATABASE
from arena.storage.tables import GAMES, SEPARATOR, TEXT_FIELDS

NAMED = "first", "second", "rule", "machine"  # columns of games that have numbers of names


def edit(folder: Path, *statements: str, values: tuple[Any, ...] = ()) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as base, base:
        for statement in statements:
            base.execute(statement, values)


def loosen(folder: Path, table: str = "games") -> None:
    loose = f"CREATE TABLE loose AS SELECT * FROM {table}"
    edit(folder, loose, f"DROP TABLE {table}", f"ALTER TABLE loose RENAME TO {table}")


def edited_games(folder: Path, change: Callable[[GameRecord], GameRecord]) -> None:
    """Keep other games in place of those of a run, one for each."""
    with closing(Store(folder / DATABASE)) as store:
        games = store.games()
        with store.transaction() as connection:
            connection.execute(GAMES.delete())
        for each in games:
            store.add(change(each))
        store.flush()


def edited_texts(folder: Path, number: int = 1, **texts: Any) -> None:
    """Give texts of one game other values, which may be bytes of no encoding."""
    with closing(sqlite3.connect(folder / DATABASE)) as base, base:
        query = "SELECT texts FROM games WHERE id = ?"
        (data,) = base.execute(query, [number]).fetchone()
        whole = data if data.startswith(SEPARATOR.encode()) else zlib.decompress(data)
        kept = dict(zip(("", *TEXT_FIELDS), whole.split(SEPARATOR.encode()), strict=True))
        for field, value in texts.items():
            is_text = not isinstance(value, bytes)
            kept[field] = str(value).encode("utf-8", "surrogatepass") if is_text else value
        blob = zlib.compress(SEPARATOR.encode().join(kept.values()))
        base.execute("UPDATE games SET texts = ? WHERE id = ?", [blob, number])


def overwrite(folder: Path, field: str, value: Any) -> None:
    """Give one field of the first game any value, in a loose table if ours does not take it."""
    if field in TEXT_FIELDS:
        edited_texts(folder, **{field: value})
        return
    if field in NAMED and isinstance(value, str):
        edit(folder, "INSERT OR IGNORE INTO names (name) VALUES (?)", values=(value,))
        number = "(SELECT id FROM names WHERE name = ?)"
    else:
        number = "?"
    update = f"UPDATE games SET {field} = {number} WHERE id = 1"
    try:
        edit(folder, update, values=(value,))
    except sqlite3.IntegrityError:
        loosen(folder)
        edit(folder, update, values=(value,))


def records_in(folder: Path) -> list[GameRecord]:
    with closing(Store(folder / DATABASE, read_only=True)) as store:
        return store.games()
