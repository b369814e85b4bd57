"""One list of ratings over all runs of a folder: by game, by limit, and by version of the code."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.config.settings import limit_from_data, one_named
from arena.engine import Limit
from arena.errors import ConfigError
from arena.match.columns import Games
from arena.plugins.load import HUMAN, IMPORTED
from arena.report.numbers import elo_text, interval_text
from arena.report.standings import Tally, tally_of
from arena.stats.ratings import Rating, rate
from arena.storage.database import Store
from arena.storage.folder import CONFIG, kind_of, path_text, read_store
from arena.storage.game_columns import kept_games
from arena.storage.sources import CODE, FILES

if TYPE_CHECKING:
    from arena.report.export import Contents

MARK_BYTES = 3
"""Size of the mark of a version, such as 4f09a2."""
TEMPOS = ((0.1, "below 0.1 s a move"), (1.0, "0.1 to 1 s a move"), (10.0, "1 to 10 s a move"))
SLOWEST = "10 s a move or more"
MOVES = 40
"""Moves that a clock is taken to last for."""
PLAYER_COLUMNS = ["game", "limit", "name", "version", "engine", "elo", "elo_low", "elo_high"]
PLAYER_COLUMNS += ["group", "games", "faults", "last_played", "against"]
VERSION_COLUMNS = ["game", "limit", "engine", "before", "after", "elo", "elo_low", "elo_high"]


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player as its engine, parameters, own limit and code tell it from all others."""

    engine: str
    """The engine with its parameters and its own limit."""
    version: str
    """A mark of its code; empty where no code is known."""


@dataclass(frozen=True, slots=True)
class RatedRun:
    """The games of a run, and its players by the names that they have in it."""

    place: str
    pool: tuple[str, str]
    """The game with its rule, and the class of the limit: runs of one pool are rated together."""
    players: Mapping[str, RatedPlayer]
    games: Games
    """The games without their moves."""
    played: float
    """Seconds since 1970 when it was last played; 0 where that was not noted."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A player in the list."""

    game: str
    limit: str
    name: str
    version: str
    engine: str
    elo: float
    elo_low: float
    elo_high: float
    group: int
    """Players of one group can be compared: see `Rating`."""
    games: int
    faults: int
    last_played: str
    """The day; empty where that was not noted."""
    against: str
    """The players that it met, joined by commas."""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """The difference between two versions of one engine with equal parameters."""

    game: str
    limit: str
    engine: str
    before: str
    after: str
    """Marks of the versions, in the order in which they were first played."""
    elo: float
    """The lead of the later version."""
    elo_low: float
    elo_high: float


@dataclass(frozen=True, slots=True)
class RatingList:
    """All ratings of a folder."""

    players: Sequence[RatingRow]
    """Pool by pool, the best of each group first."""
    versions: Sequence[VersionRow]
    notes: Sequence[str] = field(default_factory=tuple)


def rating_list(results: Path) -> RatingList:
    """The ratings of all players in the runs of a folder; ConfigError if there is no run."""
    pools: dict[tuple[str, str], list[RatedRun]] = defaultdict(list)
    notes: list[str] = []
    for folder in run_folders(results):
        try:
            if run := rated_run(folder, notes):
                pools[run.pool].append(run)
        except (ConfigError, AttributeError, KeyError, TypeError, ValueError) as error:
            notes.append(f"{path_text(folder)} is left out: {error}")
    if not pools:
        raise ConfigError(f"no games to be rated in {path_text(results)}", *notes)
    players, versions = list[RatingRow](), list[VersionRow]()
    for pool in sorted(pools):
        rows, changes = rated_pool(pool, sorted(pools[pool], key=lambda run: run.played))
        players += rows
        versions += changes
    return RatingList(players, versions, notes)


def run_folders(results: Path) -> list[Path]:
    """The folders of runs, with those of a study's or a fit's own runs."""
    found = [*results.glob(f"*/{CONFIG}"), *results.glob(f"*/*/{CONFIG}")]
    return sorted(file.parent for file in found)


def rated_run(folder: Path, notes: list[str]) -> RatedRun | None:
    """A run with its games; None if no player of it has a known engine.

    A note is added on code that changed between its games.
    """
    kept = read_store(folder, lambda store: (store.facts(), last_played(store)))
    facts, played = kept or ({}, 0.0)
    if not facts or kind_of(facts) != "tournament":
        return None
    if one_named(facts["format"]).name in (HUMAN, IMPORTED):
        return None
    games = read_store(folder, kept_games)
    if not games:
        return None
    if changed := sorted({row["player"] for row in facts.get(CODE, [])}):
        told = ", ".join(changed)
        notes.append(f"{path_text(folder)}: the code of {told} changed between its games, which")
        notes[-1] += " all count for the last version."
    pool = str(one_named(facts["game"])), limit_class(limit_from_data(facts["limit"]))
    players = {entry["name"]: player_of(entry) for entry in facts["engines"]}
    return RatedRun(path_text(folder), pool, players, games, played)


def last_played(store: Store) -> float:
    """The end of a run's last session, in seconds since 1970; 0 if there was none."""
    return max((session.ended for session in store.sessions()), default=0.0)


def player_of(entry: Mapping[str, Any]) -> RatedPlayer:
    """The identity of a player from its entry in a run's facts."""
    own = {key: value for key, value in entry.items() if key not in ("name", FILES)}
    engine, limit = own.pop("engine"), own.pop("limit", None)
    values = [f"{key}={value}" for key, value in sorted(own.items())]
    if limit:
        values += [f"{key}={value}" for key, value in sorted(limit.items())]
    text = f"{engine}:{','.join(values)}" if values else str(engine)
    digests = sorted(map(str, entry.get(FILES, {}).values()))
    return RatedPlayer(text, version_mark(digests) if digests else "")


def version_mark(digests: Sequence[str]) -> str:
    """A short mark of an engine's files."""
    return blake2b(json.dumps(digests).encode(), digest_size=MARK_BYTES).hexdigest()


def limit_class(limit: Limit) -> str:
    """The class of a limit: by time for a move, or else by depth or nodes."""
    seconds = limit.seconds
    if limit.time_left is not None:
        clock = limit.time_left / MOVES + (limit.increment or 0.0)
        seconds = clock if seconds is None else min(seconds, clock)
    if seconds is not None:
        return next((name for most, name in TEMPOS if seconds < most), SLOWEST)
    parts = [f"depth {limit.depth}" if limit.depth else "", nodes_text(limit.nodes)]
    return ", ".join(filter(None, parts)) or "no limit"


def nodes_text(nodes: int | None) -> str:
    """A limit of nodes; empty for none."""
    return f"{nodes:,} nodes" if nodes else ""


def rated_pool(
    pool: tuple[str, str], runs: Sequence[RatedRun]
) -> tuple[list[RatingRow], list[VersionRow]]:
    """The rows of the players of runs, from the earliest, and of versions that differ."""
    names = names_of_players(runs)
    played: dict[str, Games] = {}
    last: dict[str, float] = {}
    for run in runs:
        own = {name: names[player] for name, player in run.players.items()}
        games = run.games.of_players(own).renamed(own)
        played[run.place] = games
        last |= dict.fromkeys(games.met, run.played)
    tally = tally_of(list(names.values()), played)
    shown = [name for name in tally.names if name in last]
    ratings = {each.name: each for each in rate(tally.names, tally.evidence).players}
    of_name = {name: player for player, name in names.items()}
    rows = [
        rating_row(pool, of_name[name], ratings[name], tally, day_text(last[name]))
        for name in sorted(shown, key=lambda name: (ratings[name].group, -ratings[name].elo))
    ]
    return rows, list(version_rows(pool, names, [*shown], ratings, tally))


def names_of_players(runs: Sequence[RatedRun]) -> dict[RatedPlayer, str]:
    """One name for each player: the one it last had, with a mark where another has that, too."""
    names: dict[RatedPlayer, str] = {}
    for run in runs:
        names |= {player: name for name, player in run.players.items()}
    taken: dict[str, list[RatedPlayer]] = defaultdict(list)
    for player, name in names.items():
        taken[name].append(player)
    for name, players in taken.items():
        for number, player in enumerate(players if len(players) > 1 else [], start=1):
            versions = [each.version for each in players]
            mark = player.version if versions.count(player.version) == 1 else f"{number}"
            names[player] = f"{name} ({mark})"
    return names


def rating_row(
    pool: tuple[str, str], player: RatedPlayer, rating: Rating, tally: Tally, day: str
) -> RatingRow:
    """A player's row."""
    met = {
        other
        for seats in tally.by_seat
        for other in seats
        if rating.name in seats and other != rating.name
    }
    return RatingRow(
        *pool,
        name=rating.name,
        version=player.version,
        engine=player.engine,
        elo=rating.elo,
        elo_low=rating.low,
        elo_high=rating.high,
        group=rating.group,
        games=sum(tally.results_of(rating.name)),
        faults=tally.faults[rating.name].total(),
        last_played=day,
        against=", ".join(sorted(met)),
    )


def version_rows(
    pool: tuple[str, str],
    names: Mapping[RatedPlayer, str],
    played: Sequence[str],
    ratings: Mapping[str, Rating],
    tally: Tally,
) -> Iterator[VersionRow]:
    """The lead of each version of an engine over the one before, where both can be compared."""
    families: dict[str, list[RatedPlayer]] = defaultdict(list)
    for player, name in names.items():
        if name in played:
            families[player.engine].append(player)
    for engine, players in families.items():
        for before, after in pairwise(players):
            if ratings[names[before]].group != ratings[names[after]].group:
                continue
            held = rate(tally.names, tally.evidence, (names[before], 0.0)).players
            lead = next(each for each in held if each.name == names[after])
            marks = before.version, after.version
            yield VersionRow(*pool, engine, *marks, lead.elo, lead.low, lead.high)


def day_text(seconds: float) -> str:
    """A day; empty where none was noted."""
    return datetime.fromtimestamp(seconds).date().isoformat() if seconds else ""


def ratings_contents(found: RatingList) -> Contents:
    """The list for people and for programs."""
    import pandas as pd

    from arena.report.export import Contents

    players = pd.DataFrame(map(asdict, found.players), columns=PLAYER_COLUMNS)
    versions = pd.DataFrame(map(asdict, found.versions), columns=VERSION_COLUMNS)
    tables = []
    for pool in dict.fromkeys((row.game, row.limit) for row in found.players):
        own = [row for row in found.players if (row.game, row.limit) == pool]
        tables.append((", ".join(pool), pd.DataFrame(map(shown_player, own))))
        if changes := [row for row in found.versions if (row.game, row.limit) == pool]:
            title = f"Versions of engines, each against the one before: {', '.join(pool)}"
            tables.append((title, pd.DataFrame(map(shown_version, changes))))
    return Contents({"players": players, "versions": versions}, tables, {}, found.notes)


def shown_player(row: RatingRow) -> dict[str, object]:
    """A player's row as people read it."""
    return {
        "name": row.name,
        "Elo": elo_text(row.elo, row.elo_low, row.elo_high),
        "95 %": interval_text(row.elo_low, row.elo_high, row.elo),
        "group": row.group,
        "games": row.games,
        "faults": row.faults,
        "version": row.version or "-",
        "last played": row.last_played or "-",
        "opponents": len(row.against.split(", ")) if row.against else 0,
    }


def shown_version(row: VersionRow) -> dict[str, object]:
    """The difference of two versions as people read it."""
    return {
        "engine": row.engine,
        "before": row.before or "-",
        "after": row.after or "-",
        "Elo": elo_text(row.elo, row.elo_low, row.elo_high),
        "95 %": interval_text(row.elo_low, row.elo_high, row.elo),
    }
