"""The list of ratings as tables for people, and as frames for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd

from arena.ratings.rating_list import RatingList, RatingRow, VersionRow
from arena.report.export import Contents
from arena.report.fault_texts import mark_meaning
from arena.report.numbers import format_elo, format_interval
from arena.report.page.row_charts import elo_intervals
from arena.report.table import Column, Table

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
        tables.append(players_table(own, ", ".join(pool)))
        if changes := [row for row in found.versions if (row.game, row.limit) == pool]:
            title = f"Versions of engines, each against the one before: {', '.join(pool)}"
            tables.append(versions_table(changes, title))
    frames = {"players": players, "versions": versions, "history": history}
    return Contents(frames, tables, {}, [*found.notes, *doubt_notes(found)])


def doubt_notes(found: RatingList) -> list[str]:
    """The meaning of the mark at a rating, where there is one."""
    players, versions = found.players, found.versions
    return mark_meaning([row.doubtful for row in players] + [row.doubtful for row in versions])


def players_table(rows: Sequence[RatingRow], title: str) -> Table:
    """The players of one game and class of limits, with their intervals as bars."""
    frame = pd.DataFrame(map(asdict, rows))
    met = frame["against"].map(lambda names: len(names.split(", ")) if names else 0)
    columns = [
        Column("name"),
        *_elo_columns(frame),
        Column("group"),
        Column("games"),
        Column("faults"),
        Column("version", "version", _or_dash),
        Column("last_played", "last played", _or_dash),
        Column("opponents"),
    ]
    return Table(title, frame.assign(opponents=met), columns)


def versions_table(rows: Sequence[VersionRow], title: str) -> Table:
    """The lead of each version of an engine over the one before."""
    frame = pd.DataFrame(map(asdict, rows))
    columns = [
        Column("engine", "engine", short_engine),
        Column("before", "before", _or_dash),
        Column("after", "after", _or_dash),
        *_elo_columns(frame),
    ]
    return Table(title, frame, columns)


def _elo_columns(frame: pd.DataFrame) -> list[Column]:
    """The columns of an Elo with its interval."""
    return [
        Column("elo", "Elo", format_elo, ("elo_low", "elo_high", "doubtful")),
        Column("elo_low", "95 %", format_interval, ("elo_high", "elo"), is_number=False),
        elo_intervals(frame, "elo_low", "elo", "elo_high"),
    ]


def _or_dash(text: str) -> str:
    """A text, or a dash for none."""
    return text or "-"


def short_engine(engine: str) -> str:
    """An engine with its parameters; of a file or program, only the last part of its path."""
    place, _, values = engine.partition(":")
    told = place.rpartition("/")[2] or place
    return f"{told}: {values.replace(',', ', ')}" if values else told
