"""One list of ratings over all runs of a folder: by game, by limit, and by version of the code."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

from arena.config.settings import limit_from_data, one_named
from arena.engine import Limit
from arena.errors import ConfigError
from arena.plugins.load import HUMAN
from arena.report.numbers import with_short_numbers
from arena.report.standings import Tally, tally_of
from arena.stats.leads import NO_LOOKS, LeadViews, Looks, joined_looks, lead_views
from arena.stats.ratings import Rating, rate_with_faults
from arena.stats.rounding import rounded
from arena.storage.database import Games, Store, kept_games
from arena.storage.folder import (
    CONFIG,
    DATABASE,
    kept_plans,
    kind_module,
    last_looks,
    path_text,
    read_store,
)
from arena.storage.history import CODE, FILES, Session

MARK_BYTES = 3  # Size of the mark of a version, such as 4f09a2
TEMPOS = ((0.1, "below 0.1 s a move"), (1.0, "0.1 to 1 s a move"), (10.0, "1 to 10 s a move"))
SLOWEST = "10 s a move or more"
MOVES = 40  # Moves that a clock is taken to last for


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player as its engine, parameters, own limit and code tell it from all others."""

    name: str  # The engine's own name
    version: str  # A mark of its code; empty where no code is known
    settings: tuple[tuple[str, str], ...] = ()
    """Its parameters, and its own limit if that is not its run's, with their values as text."""

    @property
    def engine(self) -> str:
        values = ",".join(f"{key}={value}" for key, value in self.settings)
        return f"{self.name}:{values}" if values else self.name


@dataclass(frozen=True, slots=True)
class RatedRun:
    """The games of a run, and its players by the names that they have in it."""

    place: str
    pool: tuple[str, str]  # Game with rule, and class of limits, which are rated together
    players: Mapping[str, RatedPlayer]
    games: Games  # The games without their moves
    began: float  # Seconds since 1970 when it was first played; 0 where that was not noted
    played: float  # The time at which it was last played, likewise
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Its settings, as they are kept with its games."""
    looks: Looks = NO_LOOKS


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
    doubtful: bool  # True if faults carry the rating: see `arena.stats.leads`
    group: int  # Players of one group can be compared: see `Rating`
    games: int
    faults: int  # Games lost by own faults
    won_by_faults: int
    last_played: str  # The day; empty where that was not noted
    against: str  # The players that it met, joined by commas
    settings: str  # The settings that tell it from others of its name; empty if there are none
    player: RatedPlayer
    opponents: int  # The number of players that it met
    first_played: float  # When its first run began, in seconds since 1970; 0 if not noted

    @property
    def id(self) -> str:
        """The same in every list, for an address."""
        return blake2b(json.dumps([self.engine, self.version]).encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class MeetingRow:
    """The games of a player against another in one run."""

    game: str
    limit: str
    run: str  # The folder
    last_played: str
    name: str  # Its name in the list, as that of the other
    opponent: str
    wins: int
    draws: int
    losses: int
    faults: int  # Games lost by own faults


@dataclass(frozen=True, slots=True)
class VersionRow:
    """The difference between two versions of one engine with equal parameters."""

    game: str
    limit: str
    engine: str
    before: str
    after: str  # Marks of the versions, in the order in which they were first played
    elo: float  # The lead of the later version
    elo_low: float
    elo_high: float
    doubtful: bool


@dataclass(frozen=True, slots=True)
class RatingList:
    """All ratings of a folder."""

    players: Sequence[RatingRow]  # Pool by pool, the best of each group first
    versions: Sequence[VersionRow]
    history: Sequence[RatingRow]  # Of engines with versions, pool by pool; the earliest first
    notes: Sequence[str] = ()
    meetings: Sequence[MeetingRow] = ()  # Run by run; each meeting from both sides
    leads: Mapping[tuple[str, str], LeadViews] = field(default_factory=dict)
    """Of pools with several players that can be compared, the lead of the first on the second."""


def rating_list(results: Path, candidates: bool = False) -> RatingList:
    return rated_folders(_run_folders(results), path_text(results), candidates)


def rated_folders(folders: Iterable[Path], place: str, candidates: bool = False) -> RatingList:
    """`candidates`: with the own runs of studies and fits, in which their candidates play."""
    pools: dict[tuple[str, str], list[RatedRun]] = defaultdict(list)
    notes: list[str] = []
    own = 0
    for folder in folders:
        if not candidates and (folder.parent / DATABASE).is_file():
            own += 1
            continue
        try:
            if run := _rated_run(folder, notes):
                pools[run.pool].append(run)
        except (ConfigError, AttributeError, KeyError, TypeError, ValueError) as error:
            notes.append(f"{path_text(folder)} is left out: {error}")
    if own:
        told = "1 run of studies and fits is" if own == 1 else f"{own} runs of studies and fits are"
        notes.append(f"{told} left out: arena ratings --candidates")
    if not pools:
        raise ConfigError(f"no games to be rated in {place}", *notes)
    players, versions, history = list[RatingRow](), list[VersionRow](), list[RatingRow]()
    meetings, leads = list[MeetingRow](), dict[tuple[str, str], LeadViews]()
    for pool in sorted(pools):
        runs = _without_copies(pools[pool], notes)
        rated = rated_pool(pool, sorted(runs, key=lambda run: run.played))
        players += rated.players
        versions += rated.versions
        history += rated.history
        meetings += rated.meetings
        leads |= rated.leads
    return RatingList(players, versions, history, notes, meetings, leads)


def _run_folders(results: Path) -> list[Path]:
    files = [*results.glob(f"*/{CONFIG}"), *results.glob(f"*/*/{CONFIG}")]
    return sorted(file.parent for file in files)


def _without_copies(runs: Sequence[RatedRun], notes: list[str]) -> list[RatedRun]:
    kept: list[RatedRun] = []
    for run in sorted(runs, key=lambda run: -len(run.games)):
        if other := next((other for other in kept if _is_copy(run, other)), None):
            notes.append(f"{run.place} is left out: it is a copy of {other.place}")
        else:
            kept.append(run)
    places = {run.place for run in kept}
    return [run for run in runs if run.place in places]


def _is_copy(run: RatedRun, other: RatedRun) -> bool:
    """True if two runs are of the same settings and beginning, and the other has all its games."""
    if not run.began or run.began != other.began or run.settings != other.settings:
        return False
    return {row.identity for row in run.games.rows} <= {row.identity for row in other.games.rows}


def _rated_run(folder: Path, notes: list[str]) -> RatedRun | None:
    facts, sessions, games = read_store(folder, _rated_games) or ({}, [], None)
    if not games:
        return None
    if changed := sorted({row["player"] for row in facts.get(CODE, [])}):
        notes.append(
            f"{path_text(folder)}: the code of {', '.join(changed)} changed between its games, "
            "which all count for the last version."
        )
    limit = limit_from_data(facts["limit"])
    pool = str(one_named(facts["game"])), limit_class(limit)
    players = {entry["name"]: player_of(entry, limit) for entry in facts["engines"]}
    began = min((session.began for session in sessions), default=0.0)
    played = max((session.ended for session in sessions), default=0.0)
    plans = kept_plans(facts)
    settings = {key: value for key, value in facts.items() if key not in plans}
    looks = last_looks(facts, len(games))
    return RatedRun(path_text(folder), pool, players, games, began, played, settings, looks)


def _rated_games(store: Store) -> tuple[Mapping[str, Any], Sequence[Session], Games | None]:
    facts, sessions = store.facts(), store.sessions()
    kind = kind_module(facts) if facts else None
    is_played = kind and kind.COMBINES and kind.COMMAND
    is_rated = is_played and one_named(facts["format"]).name != HUMAN
    return facts, sessions, kept_games(store) if is_rated else None


def player_of(entry: Mapping[str, Any], run_limit: Limit) -> RatedPlayer:
    own = {key: value for key, value in entry.items() if key not in ("name", FILES)}
    engine, limit = own.pop("engine"), own.pop("limit", None)
    settings = sorted(own.items())
    if limit and limit_from_data(limit) != run_limit:
        settings += [(f"limit.{key}", value) for key, value in sorted(limit.items())]
    digests = sorted(map(str, entry.get(FILES, {}).values()))
    return RatedPlayer(
        str(engine),
        version_mark(digests) if digests else "",
        tuple((key, str(value)) for key, value in settings),
    )


def version_mark(digests: Sequence[str]) -> str:
    return blake2b(json.dumps(digests).encode(), digest_size=MARK_BYTES).hexdigest()


def limit_class(limit: Limit) -> str:
    seconds = limit.seconds
    if limit.time_left is not None:
        clock = limit.time_left / MOVES + (limit.increment or 0.0)
        seconds = clock if seconds is None else min(seconds, clock)
    if seconds is not None:
        return next((name for most, name in TEMPOS if seconds < most), SLOWEST)
    depth = f"depth {limit.depth}" if limit.depth else ""
    nodes = f"{limit.nodes:,} nodes" if limit.nodes else ""
    return ", ".join(filter(None, [depth, nodes])) or "no limit"


def rated_pool(pool: tuple[str, str], runs: Sequence[RatedRun]) -> RatingList:
    names, settings = _names_of_players(runs), _settings_apart(runs)
    played: dict[str, Games] = {}
    meetings = list[MeetingRow]()
    first, last = dict[str, float](), dict[str, float]()
    for run in runs:
        own = {name: names[player] for name, player in run.players.items()}
        games = run.games.of_players(own).renamed(own)
        played[run.place] = games
        met = {name for row in games.rows for name in row.result[:2]}
        first |= {name: min(first.get(name, inf), run.began) for name in met}
        last |= dict.fromkeys(met, run.played)
        meetings += _meeting_rows(run, games)
    tally = tally_of(list(names.values()), played)
    shown = [name for name in tally.names if name in last]
    ratings = {each.name: each for each in tally.ratings().players}
    of_name = {name: player for player, name in names.items()}
    rows = [
        _rating_row(
            pool,
            of_name[name],
            ratings[name],
            tally,
            first[name],
            _day_text(last[name]),
            settings.get(of_name[name], ""),
        )
        for name in sorted(
            shown, key=lambda name: (ratings[name].group, -rounded(ratings[name].elo))
        )
    ]
    families = _families_of(sorted(rows, key=lambda row: shown.index(row.name)))
    versions = list(_version_rows(pool, families, tally))
    history = [row for family in families for row in family]
    leads = dict(_leads(pool, rows, tally, [(played[run.place], run.looks) for run in runs]))
    return RatingList(rows, versions, history, meetings=meetings, leads=leads)


def _leads(
    pool: tuple[str, str],
    rows: Sequence[RatingRow],
    tally: Tally,
    runs: Sequence[tuple[Games, Looks]],
) -> Iterator[tuple[tuple[str, str], LeadViews]]:
    best, *others = [row.name for row in rows if row.group == 1]
    if others:
        both = {best, others[0]}
        looks = [
            each for games, each in runs if any(both & {*row.result[:2]} for row in games.rows)
        ]
        views = lead_views(tally.evidence_views, best, others[0], others)
        yield pool, tally.lead(views, joined_looks(looks), *both)


def _meeting_rows(run: RatedRun, games: Games) -> Iterator[MeetingRow]:
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 4)
    for result, count in Counter(row.result for row in games.rows).items():
        first, second, loser = result.first, result.second, result.loser_by_fault
        for name, other, points in (
            (first, second, result.half_points),
            (second, first, 2 - result.half_points),
        ):
            counts[name, other][2 - points] += count
            if name == loser:
                counts[name, other][3] += count
    for names, results in counts.items():
        if names[0] != names[1]:  # two names of a run may be one player
            yield MeetingRow(*run.pool, run.place, _day_text(run.played), *names, *results)


def _last_names(runs: Sequence[RatedRun]) -> dict[RatedPlayer, str]:
    names: dict[RatedPlayer, str] = {}
    for run in runs:
        names |= {player: name for name, player in run.players.items()}
    return names


def _namesakes(names: Mapping[RatedPlayer, str]) -> list[list[RatedPlayer]]:
    by_name: dict[str, list[RatedPlayer]] = defaultdict(list)
    for player, name in names.items():
        by_name[name].append(player)
    return [players for players in by_name.values() if len(players) > 1]


def _names_of_players(runs: Sequence[RatedRun]) -> dict[RatedPlayer, str]:
    names = _last_names(runs)
    for players in _namesakes(names):
        versions = [each.version for each in players]
        for number, player in enumerate(players, start=1):
            mark = player.version if versions.count(player.version) == 1 else f"{number}"
            names[player] = f"{names[player]} ({mark})"
    return names


def _settings_apart(runs: Sequence[RatedRun]) -> dict[RatedPlayer, str]:
    """What tells each player from others of its name, such as `depth 6`."""
    texts: dict[RatedPlayer, str] = {}
    for players in _namesakes(_last_names(runs)):
        settings = [
            {"engine": each.name, **dict(each.settings), "code version": each.version}
            for each in players
        ]
        keys = dict.fromkeys(key for own in settings for key in own)
        apart = [key for key in keys if len({own.get(key) for own in settings}) > 1]
        for player, own in zip(players, settings, strict=True):
            parts = (f"{key} {own[key]}" if own.get(key) else f"no {key}" for key in apart)
            texts[player] = with_short_numbers(", ".join(parts))
    return texts


def _rating_row(
    pool: tuple[str, str],
    player: RatedPlayer,
    rating: Rating,
    tally: Tally,
    first_played: float,
    day: str,
    settings: str,
) -> RatingRow:
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
        doubtful=rating.doubtful,
        group=rating.group,
        games=sum(tally.results_of(rating.name)),
        faults=tally.faults[rating.name].total(),
        won_by_faults=tally.won_by_faults[rating.name],
        last_played=day,
        against=", ".join(sorted(met)),
        settings=settings,
        player=player,
        opponents=len(met),
        first_played=first_played,
    )


def _families_of(rows: Iterable[RatingRow]) -> list[list[RatingRow]]:
    families: dict[str, list[RatingRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.first_played):
        families[row.engine].append(row)
    return [family for family in families.values() if len(family) > 1]


def _version_rows(
    pool: tuple[str, str], families: Sequence[Sequence[RatingRow]], tally: Tally
) -> Iterator[VersionRow]:
    steps = [
        (before, after)
        for family in families
        for before, after in pairwise(family)
        if before.group == after.group
    ]
    if not steps:
        return
    fields = {after.name: [before.name] for before, after in steps}
    rated = rate_with_faults(tally.names, tally.evidence_views, over=fields).players
    leads = {each.name: each for each in rated}
    for before, after in steps:
        lead = leads[after.name]
        both = before.version, after.version
        yield VersionRow(*pool, after.engine, *both, lead.elo, lead.low, lead.high, lead.doubtful)


def _day_text(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat() if seconds else ""
