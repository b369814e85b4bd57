"""The players of a run by name, read so quickly that thousands of runs can be searched by them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from arena.errors import ConfigError
from arena.storage.connection import read_only_address
from arena.storage.folder import DATABASE, kind_module

HAS_FACTS = "SELECT 1 FROM sqlite_master WHERE name = 'facts' AND type = 'table'"
"""A foreign view of this name may have rows without an end."""
KEPT_FACTS = "SELECT json FROM facts LIMIT 1"


def player_names(folder: Path) -> tuple[str, ...]:
    """The names in a folder's config, with players that left it; nothing if it cannot be read."""
    try:
        facts = json.loads(_facts_text(f"{folder}/{DATABASE}"))
        entries = facts[kind_module(facts).PLAYERS]
        return tuple(str(entry["name"]) for entry in entries)
    except (sqlite3.Error, OSError, ValueError, KeyError, TypeError, AttributeError, ConfigError):
        return ()
    except RecursionError:  # brackets in brackets, in a foreign file
        return ()


def _facts_text(file: str) -> str:
    """The facts of a database; an empty object if there are none."""
    with closing(sqlite3.connect(read_only_address(file), uri=True)) as base:
        row = base.execute(KEPT_FACTS).fetchone() if base.execute(HAS_FACTS).fetchone() else None
        return str(row[0]) if row else "{}"
