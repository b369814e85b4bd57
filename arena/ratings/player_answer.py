"""The answer on one player over all runs: its ratings, its runs, its opponents, its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial

import pandas as pd
from markupsafe import Markup

from arena.ratings.rating_answer import (
    PLAYER_COLUMNS,
    elo_columns,
    elo_text,
    history_figures,
    list_title,
    lists_of,
    or_dash,
    short_engine,
)
from arena.ratings.rating_list import MeetingRow, RatingList, RatingRow
from arena.report.answer import Answer
from arena.report.numbers import format_share
from arena.report.page.charts import results_bar
from arena.report.table import AnyPart, Column, Row, Section, Table, frame_table
from arena.report.verdict import Conclusion, mark_meaning

COUNTS = ["wins", "draws", "losses", "faults"]
LIST = ["game", "limit"]


def player_answer(
    found: RatingList, id: str, runs: Mapping[str, tuple[str, str]], address: str
) -> Answer:
    """A player by its id, which one in the list must have.

    `runs` has the name and the address of each run by its folder; the names of players lead to
    `address` with their ids.
    """
    rows = sorted((row for row in found.players if row.id == id), key=lambda row: -row.games)
    first, ratings = rows[0], _ratings(found, rows)
    names = {(row.game, row.limit): row.name for row in rows}
    own = [each for each in found.meetings if names.get((each.game, each.limit)) == each.name]
    meetings = pd.DataFrame(map(asdict, own), columns=list(MeetingRow.__annotations__))
    met = _sums(meetings, [*LIST, "opponent"]).sort_values("games", ascending=False, kind="stable")
    ids = {(row.game, row.limit, row.name): f"{address}{row.id}" for row in found.players}
    met["address"] = [ids[*key] for key in met[[*LIST, "opponent"]].itertuples(index=False)]
    played = _sums(meetings, ["run", "last_played", *LIST])[::-1]
    told = [runs.get(place, (place, "")) for place in played["run"]]
    played = played.assign(run=[name for name, _ in told], address=[to for _, to in told])
    rank, of = ratings.loc[0, ["rank", "of"]]
    return Answer(
        title=first.name,
        subtitle=f"{short_engine(first.player.name)}, over all runs",
        facts=[
            ("Games", f"{sum(row.games for row in rows):,}"),
            ("Runs", f"{len(played):,}"),
            ("Opponents", f"{len(met):,}"),
            ("Last played", or_dash(max(row.last_played for row in rows))),
        ],
        verdict=Conclusion(
            f"Elo {elo_text(first)}",
            f"rank {rank} of {of} in {list_title(first.game, first.limit)}; {first.games:,} games",
        ),
        notes=mark_meaning(row.doubtful for row in rows),
        make_sections=partial(_sections, found, first, ratings, met, played),
        frames={
            "ratings": ratings[["rank", "of", *PLAYER_COLUMNS]],
            "opponents": met.drop(columns="address"),
            "runs": played.drop(columns="address"),
        },
    )


def _ratings(found: RatingList, rows: list[RatingRow]) -> pd.DataFrame:
    """The player's ratings, with its rank of those in its list that it can be compared with."""
    lists = lists_of(found)
    groups = [
        [each for each in lists[row.game, row.limit] if each.group == row.group] for row in rows
    ]
    return pd.DataFrame(map(asdict, rows)).assign(
        rank=[group.index(row) + 1 for row, group in zip(rows, groups, strict=True)],
        of=[len(group) for group in groups],
    )


def _sums(meetings: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """The results of meetings that have these values in common, added up."""
    sums = meetings.groupby(keys, sort=False)[COUNTS].sum().reset_index()
    games = sums["wins"] + sums["draws"] + sums["losses"]
    return sums.assign(games=games, score=(sums["wins"] + sums["draws"] / 2) / games)


def _sections(
    found: RatingList,
    player: RatingRow,
    ratings: pd.DataFrame,
    met: pd.DataFrame,
    played: pd.DataFrame,
) -> Iterator[Section]:
    history = [row for row in found.history if row.engine == player.engine]
    parts: list[AnyPart] = [_ratings_table(ratings), *history_figures(history)]
    yield Section("ratings", "Ratings", parts, level="main")
    has_lists = len(ratings) > 1
    opponent = Column("opponent", link="address")
    yield Section(
        "opponents", "Opponents", [_results_table("Opponents", met, [opponent], has_lists)]
    )
    run = [Column("run", link="address"), Column("last_played", "last played", or_dash)]
    yield Section("runs", "Runs", [_results_table("Runs", played, run, has_lists)])
    of = player.player
    settings = [("engine", of.name), *of.settings, ("code version", or_dash(of.version))]
    table = frame_table("Settings", pd.DataFrame(settings, columns=["setting", "value"]))
    yield Section("settings", table.title, [table], level="folded")


def _list_column() -> Column:
    return Column("game", "list", list_title, ("limit",))


def _ratings_table(ratings: pd.DataFrame) -> Table:
    columns = [
        _list_column(),
        Column("rank", "rank", "{} of {}", ("of",)),
        Column("name"),
        *elo_columns(ratings),
        Column("games", "games", "{:,}"),
        Column("last_played", "last played", or_dash),
    ]
    return Table("Ratings", ratings, columns)


def _results_table(title: str, frame: pd.DataFrame, first: list[Column], has_lists: bool) -> Table:
    """The results of the player in each row."""

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
