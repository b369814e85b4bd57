"""The list of ratings as tables for people, and as frames for programs."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from arena.ratings.rating_list import RatingList, RatingRow, VersionRow
from arena.report.export import Contents
from arena.report.fault_texts import mark_meaning
from arena.report.numbers import elo_text, interval_text, marked

PLAYER_COLUMNS = ["game", "limit", "name", "version", "engine", "elo", "elo_low", "elo_high"]
PLAYER_COLUMNS += ["doubtful", "group", "games", "faults", "won_by_faults", "last_played"]
PLAYER_COLUMNS += ["against"]
VERSION_COLUMNS = ["game", "limit", "engine", "before", "after", "elo", "elo_low", "elo_high"]
VERSION_COLUMNS += ["doubtful"]
HISTORY_COLUMNS = ["game", "limit", "engine", "version", "name", "first_played"]
HISTORY_COLUMNS += ["elo", "elo_low", "elo_high", "doubtful", "group", "games"]


def ratings_contents(found: RatingList) -> Contents:
    """The list for people and for programs."""
    players = pd.DataFrame(map(asdict, found.players), columns=PLAYER_COLUMNS)
    versions = pd.DataFrame(map(asdict, found.versions), columns=VERSION_COLUMNS)
    history = pd.DataFrame(map(asdict, found.history), columns=HISTORY_COLUMNS)
    tables = []
    for pool in dict.fromkeys((row.game, row.limit) for row in found.players):
        own = [row for row in found.players if (row.game, row.limit) == pool]
        tables.append((", ".join(pool), pd.DataFrame(map(shown_player, own))))
        if changes := [row for row in found.versions if (row.game, row.limit) == pool]:
            title = f"Versions of engines, each against the one before: {', '.join(pool)}"
            tables.append((title, pd.DataFrame(map(shown_version, changes))))
    frames = {"players": players, "versions": versions, "history": history}
    return Contents(frames, tables, {}, [*found.notes, *doubt_notes(found)])


def doubt_notes(found: RatingList) -> list[str]:
    """The meaning of the mark at a rating, where there is one."""
    players, versions = found.players, found.versions
    return mark_meaning([row.doubtful for row in players] + [row.doubtful for row in versions])


def shown_player(row: RatingRow) -> dict[str, object]:
    """A player's row as people read it."""
    return {
        "name": row.name,
        "Elo": marked(elo_text(row.elo, row.elo_low, row.elo_high), row.doubtful),
        "95 %": interval_text(row.elo_low, row.elo_high, row.elo),
        "group": row.group,
        "games": row.games,
        "faults": row.faults,
        "version": row.version or "-",
        "last played": row.last_played or "-",
        "opponents": len(row.against.split(", ")) if row.against else 0,
    }


def short_engine(engine: str) -> str:
    """An engine with its parameters; of a file or program, only the last part of its path."""
    place, _, values = engine.partition(":")
    told = place.rpartition("/")[2] or place
    return f"{told}: {values.replace(',', ', ')}" if values else told


def shown_version(row: VersionRow) -> dict[str, object]:
    """The difference of two versions as people read it."""
    return {
        "engine": short_engine(row.engine),
        "before": row.before or "-",
        "after": row.after or "-",
        "Elo": marked(elo_text(row.elo, row.elo_low, row.elo_high), row.doubtful),
        "95 %": interval_text(row.elo_low, row.elo_high, row.elo),
    }
