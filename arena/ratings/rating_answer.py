"""The answer on the ratings of all runs, and on one player over all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from math import ceil, floor, isfinite

import pandas as pd
from markupsafe import Markup

from arena.ratings.rating_list import MeetingRow, RatingList, RatingRow, VersionRow
from arena.report.answer import Answer
from arena.report.numbers import (
    format_elo,
    format_interval,
    format_los,
    format_share,
    with_short_numbers,
)
from arena.report.page.charts import (
    FAR,
    ChartFrame,
    Plot,
    around,
    elo_intervals,
    known,
    results_bar,
    text_at,
)
from arena.report.table import AnyPart, Column, Figure, Row, Section, Table, frame_table
from arena.report.verdict import FAULTS_FIRST, Conclusion, mark_meaning, price_text
from arena.stats.leads import LeadViews

HOUR, DAY = 3600.0, 86400.0
STEPS = [HOUR * n for n in (1, 3, 6, 12)] + [DAY * n for n in (1, 2, 7, 14, 28, 91, 182, 364)]
"""Seconds between two marks of an axis of time."""
MOST_MARKS = 5
LABELLED = 8  # Versions of a chart that have their marks on it; of more, the table has them
PLAYER_COLUMNS = ["game", "limit", "name", "version", "engine", "elo", "elo_low", "elo_high"]
PLAYER_COLUMNS += ["doubtful", "group", "games", "faults", "won_by_faults", "last_played"]
PLAYER_COLUMNS += ["against"]
VERSION_COLUMNS = ["game", "limit", "engine", "before", "after", "elo", "elo_low", "elo_high"]
VERSION_COLUMNS += ["doubtful"]
HISTORY_COLUMNS = ["game", "limit", "engine", "version", "name", "first_played"]
HISTORY_COLUMNS += ["elo", "elo_low", "elo_high", "doubtful", "group", "games"]
TEXT = (
    "Players are one in all runs if engine, parameters and code are; the code version is a mark of "
    "its files. Elo is on one scale for all that met, with a mean of 0; players of different "
    "groups did not meet, and cannot be compared."
)
Pool = tuple[str, str]  # A list: the game with its rule, and the class of limits


def ratings_answer(rated: RatingList, address: str = "") -> Answer:
    """`address` is where the names of players lead, with their ids; empty for nowhere."""
    lists = _lists_of(rated)
    pools = sorted(lists, key=lambda pool: -sum(row.games for row in lists[pool]))
    doubts = [row.doubtful for row in rated.players] + [row.doubtful for row in rated.versions]
    return Answer(
        title="Ratings over all runs",
        subtitle="By game, rule and limit",
        facts=[("Players", f"{len(rated.players):,}"), ("Lists", f"{len(pools):,}")],
        verdict=_verdict(lists[pools[0]], rated.leads.get(pools[0])),
        notes=[*rated.notes, *mark_meaning(doubts)],
        make_sections=lambda: [
            _section(rated, pool, i, address) for i, pool in enumerate(pools, start=1)
        ],
        frames={
            "players": pd.DataFrame(map(asdict, rated.players), columns=PLAYER_COLUMNS),
            "versions": pd.DataFrame(map(asdict, rated.versions), columns=VERSION_COLUMNS),
            "history": pd.DataFrame(map(asdict, rated.history), columns=HISTORY_COLUMNS),
        },
    )


def _lists_of(rated: RatingList) -> dict[Pool, list[RatingRow]]:
    lists: dict[Pool, list[RatingRow]] = {}
    for row in rated.players:
        lists.setdefault((row.game, row.limit), []).append(row)
    return lists


def _list_title(game: str, limit: str) -> str:
    return f"{game.replace(':', ': ', 1).replace(',', ', ')}; {limit}"


def _verdict(rows: Sequence[RatingRow], lead: LeadViews | None) -> Conclusion:
    title = _list_title(rows[0].game, rows[0].limit)
    best, *others = [row for row in rows if row.group == 1]
    told = f"{_elo_text(best)}, in {title}"
    if not lead:
        return Conclusion(f"{best.name} met nobody it can be compared with", told)
    second = others[0]
    told = f"{told}; then {second.name} at {_elo_text(second)}"
    told = f"{told}, LOS {format_los(lead.los.played)}"
    if lead.is_sure:
        return Conclusion(f"{best.name} leads", told, "good")
    told = f"{best.name} is first at {told}"
    if lead.is_carried or best.doubtful or second.doubtful:
        without, drawn = format_los(lead.los.without), format_los(lead.los.drawn)
        rests = (
            f"; but on faults rests the lead: LOS {without} without the pairs in which they ended "
            f"a game, {drawn} with these games as draws"
        )
        told = f"{told}{rests if lead.is_less_sure else price_text(lead)}"
        return Conclusion("No clear leader", told, "doubtful", FAULTS_FIRST)
    more = f"Only more games of {best.name} and {second.name} can tell which is better."
    return Conclusion("No clear leader", f"{told}{price_text(lead)}", next_step=more)


def _elo_text(row: RatingRow) -> str:
    elo = format_elo(row.elo, row.elo_low, row.elo_high, row.doubtful)
    return f"{elo} ({format_interval(row.elo_low, row.elo_high, row.elo)})"


def _section(rated: RatingList, pool: Pool, number: int, address: str) -> Section:
    players = [row for row in rated.players if (row.game, row.limit) == pool]
    versions = [row for row in rated.versions if (row.game, row.limit) == pool]
    history = [row for row in rated.history if (row.game, row.limit) == pool]
    parts: list[AnyPart] = [_players_table(players, ", ".join(pool), address)]
    if versions:
        title = f"Versions of engines, each against the one before: {', '.join(pool)}"
        parts.append(_versions_table(versions, title))
    parts += _history_figures(history)
    return Section(f"list-{number}", _list_title(*pool), parts, TEXT if number == 1 else "")


def _history_figures(rows: Sequence[RatingRow]) -> Iterator[Figure]:
    families: dict[tuple[object, ...], list[RatingRow]] = {}
    for row in rows:
        if row.first_played:
            families.setdefault((row.game, row.limit, row.engine, row.group), []).append(row)
    for family in families.values():
        if len(family) > 1:
            yield _history_figure(family)


def _history_figure(rows: Sequence[RatingRow]) -> Figure:
    ends = [known(row.elo_low, row.elo, row.elo_high) for row in rows]
    shown = [value for each in ends for value in each if abs(value) <= FAR]
    frame = ChartFrame(width=640, height=260, top=22, right=34)
    times = [row.first_played for row in rows]
    reach = around(shown, 0, 1, least=40, zero=False)
    x = around(times, 0, 1, least=HOUR, zero=False)
    plot = Plot(frame, frame.across(x.low, x.high), frame.upwards(reach.low, reach.high))
    span = x.high - x.low
    step = next((each for each in STEPS if span / each <= MOST_MARKS), span / MOST_MARKS)
    ticks = [i * step for i in range(ceil(x.low / step), floor(x.high / step) + 1)]
    form = "%Y-%m-%d" if step >= DAY else "%m-%d %H:%M"
    plot.axes("first game (UTC)", "Elo", lambda value: _time_text(value, form), x_ticks=ticks)
    plot.line((time, end[1]) for time, end in zip(times, ends, strict=True))
    for row, (low, value, high) in zip(rows, ends, strict=True):
        plot.errors(row.first_played, value, low, high)
        if len(rows) <= LABELLED and isfinite(value):
            top = plot.y.at(high if isfinite(high) else reach.high)
            plot.marks.append(text_at(plot.x.at(row.first_played), top - 5, row.version, "tick"))
    name = _short_engine(rows[0].engine)
    caption = f"{name}: rating of its versions, with 95 % intervals, by their first games"
    told = "; ".join(map(_history_text, rows))
    return Figure(plot.drawn(f"{caption}: {told}"), f"{caption}: {told}.")


def _history_text(row: RatingRow) -> str:
    day = _time_text(row.first_played, "%Y-%m-%d")
    return f"{row.version or 'unknown code'} {_elo_text(row)} since {day}"


def _time_text(seconds: float, form: str) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime(form)


def _players_table(rows: Sequence[RatingRow], title: str, address: str) -> Table:
    frame = pd.DataFrame(map(asdict, rows))
    columns = [
        Column("rank"),
        Column("name", link="address" if address else None),
        *([Column("settings", "differs by", _or_dash)] if frame["settings"].any() else []),
        *_elo_columns(frame),
        Column("games", "games", "{:,}"),
        *([Column("faults")] if frame["faults"].any() else []),
        Column("opponents", opens="against"),
        *([Column("group", "comparable group")] if frame["group"].nunique() > 1 else []),
        Column("version", "code version", _or_dash),
        Column("last_played", "last played", _or_dash),
    ]
    frame = frame.assign(
        rank=frame.groupby("group").cumcount() + 1, address=[f"{address}{row.id}" for row in rows]
    )
    return Table(title, frame, columns)


def _versions_table(rows: Sequence[VersionRow], title: str) -> Table:
    frame = pd.DataFrame(map(asdict, rows))
    columns = [
        Column("engine", "engine", _short_engine),
        Column("before", "before", _or_dash),
        Column("after", "after", _or_dash),
        *_elo_columns(frame),
    ]
    return Table(title, frame, columns)


def _elo_columns(frame: pd.DataFrame) -> list[Column]:
    return [
        Column("elo", "Elo", format_elo, ("elo_low", "elo_high", "doubtful")),
        Column("elo_low", "95 %", format_interval, ("elo_high", "elo"), is_number=False),
        elo_intervals(frame, "elo_low", "elo", "elo_high"),
    ]


def _or_dash(text: str) -> str:
    return text or "-"


def _short_engine(engine: str) -> str:
    """An engine with its parameters; of a file or program, only the last part of its path."""
    path, _, values = engine.partition(":")
    name = path.rpartition("/")[2] or path
    return f"{name}: {with_short_numbers(values).replace(',', ', ')}" if values else name


COUNTS = ["wins", "draws", "losses", "faults"]
LIST = ["game", "limit"]


def player_answer(
    rated: RatingList, id: str, runs: Mapping[str, tuple[str, str]], address: str
) -> Answer:
    """A player by its id, which one in the list must have.

    `runs` has the name and the address of each run by its folder; the names of players lead to
    `address` with their ids.
    """
    rows = sorted((row for row in rated.players if row.id == id), key=lambda row: -row.games)
    first, ratings = rows[0], _ratings(rated, rows)
    names = {(row.game, row.limit): row.name for row in rows}
    own = [each for each in rated.meetings if names.get((each.game, each.limit)) == each.name]
    meetings = pd.DataFrame(map(asdict, own), columns=list(MeetingRow.__annotations__))
    met = _sums(meetings, [*LIST, "opponent"]).sort_values("games", ascending=False, kind="stable")
    ids = {(row.game, row.limit, row.name): f"{address}{row.id}" for row in rated.players}
    met["address"] = [ids[*key] for key in met[[*LIST, "opponent"]].itertuples(index=False)]
    played = _sums(meetings, ["run", "last_played", *LIST])[::-1]
    links = [runs.get(folder, (folder, "")) for folder in played["run"]]
    played = played.assign(run=[name for name, _ in links], address=[to for _, to in links])
    rank, of = ratings.loc[0, ["rank", "of"]]
    return Answer(
        title=first.name,
        subtitle=f"{_short_engine(first.player.name)}, over all runs",
        facts=[
            ("Games", f"{sum(row.games for row in rows):,}"),
            ("Runs", f"{len(played):,}"),
            ("Opponents", f"{len(met):,}"),
            ("Last played", _or_dash(max(row.last_played for row in rows))),
        ],
        verdict=Conclusion(
            f"Elo {_elo_text(first)}",
            f"rank {rank} of {of} in {_list_title(first.game, first.limit)}; {first.games:,} games",
        ),
        notes=mark_meaning(row.doubtful for row in rows),
        make_sections=partial(_sections, rated, first, ratings, met, played),
        frames={
            "ratings": ratings[["rank", "of", *PLAYER_COLUMNS]],
            "opponents": met.drop(columns="address"),
            "runs": played.drop(columns="address"),
        },
    )


def _ratings(rated: RatingList, rows: list[RatingRow]) -> pd.DataFrame:
    lists = _lists_of(rated)
    groups = [
        [each for each in lists[row.game, row.limit] if each.group == row.group] for row in rows
    ]
    return pd.DataFrame(map(asdict, rows)).assign(
        rank=[group.index(row) + 1 for row, group in zip(rows, groups, strict=True)],
        of=[len(group) for group in groups],
    )


def _sums(meetings: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    sums = meetings.groupby(keys, sort=False)[COUNTS].sum().reset_index()
    games = sums["wins"] + sums["draws"] + sums["losses"]
    return sums.assign(games=games, score=(sums["wins"] + sums["draws"] / 2) / games)


def _sections(
    rated: RatingList,
    player: RatingRow,
    ratings: pd.DataFrame,
    met: pd.DataFrame,
    played: pd.DataFrame,
) -> Iterator[Section]:
    history = [row for row in rated.history if row.engine == player.engine]
    parts: list[AnyPart] = [_ratings_table(ratings), *_history_figures(history)]
    yield Section("ratings", "Ratings", parts, level="main")
    has_lists = len(ratings) > 1
    opponent = Column("opponent", link="address")
    yield Section(
        "opponents", "Opponents", [_results_table("Opponents", met, [opponent], has_lists)]
    )
    run = [Column("run", link="address"), Column("last_played", "last played", _or_dash)]
    yield Section("runs", "Runs", [_results_table("Runs", played, run, has_lists)])
    of = player.player
    settings = [("engine", of.name), *of.settings, ("code version", _or_dash(of.version))]
    table = frame_table("Settings", pd.DataFrame(settings, columns=["setting", "value"]))
    yield Section("settings", table.title, [table], level="folded")


def _list_column() -> Column:
    return Column("game", "list", _list_title, ("limit",))


def _ratings_table(ratings: pd.DataFrame) -> Table:
    columns = [
        _list_column(),
        Column("rank", "rank", "{} of {}", ("of",)),
        Column("name"),
        *_elo_columns(ratings),
        Column("games", "games", "{:,}"),
        Column("last_played", "last played", _or_dash),
    ]
    return Table("Ratings", ratings, columns)


def _results_table(title: str, frame: pd.DataFrame, first: list[Column], has_lists: bool) -> Table:
    def bar(row: Row) -> Markup:
        return results_bar(row["wins"], row["draws"], row["losses"])

    columns = [
        *first,
        Column("score", "score", format_share),
        Column("results", draw=bar),
        *(Column(name, name, "{:,}") for name in ("games", *COUNTS[:3])),
        *([Column("faults")] if frame["faults"].any() else []),
        *([_list_column()] if has_lists else []),
    ]
    return Table(title, frame, columns)
