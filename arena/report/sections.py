"""The sections of a page: standings, ratings, head to head, colours, openings, faults."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from math import isfinite, isnan
from typing import Any

import pandas as pd

from arena.coordinates import Coordinates
from arena.errors import ConfigError
from arena.game import FAULTS
from arena.plugins.load import load_game
from arena.report.fault_texts import mark_meaning
from arena.report.frames import Report, shown_standings
from arena.report.moves.score_scales import POINTS_BY_WINNER
from arena.report.numbers import OPEN, interval_text, share_text
from arena.report.page.document import Cell, Column, PageTable, Section
from arena.report.page.row_charts import (
    axis_mark,
    heat_style,
    interval_mark,
    part_bar,
    results_bar,
    row_scale,
    share_bar,
)
from arena.report.page.scales import around
from arena.report.page.tabular import page_table, with_marks
from arena.report.tables import (
    endings_table,
    first_move_text,
    pairs_table,
    ratings_scale,
    ratings_table,
    thinking_table,
)

FAR = 800.0
"""Elo beyond which a scale does not reach: an interval that goes on is open there."""
MOST_FAULTS = 200
"""Faulty games that the table lists."""
_OPENING_COUNTS = ["opening", "moves", "games", "first_score", "by_colour", "by_player", "drawn"]


def result_sections(report: Report) -> Iterator[Section]:
    """The sections on the players' results."""
    standings = report.standings
    yield standings_section(report)
    if len(standings) > 2 or report.anchor:
        yield ratings_section(report)
    yield heat_section(report)
    yield colours_section(report)


def standings_section(report: Report) -> Section:
    """The standings, each Elo with its interval as a bar; the pairs behind them."""
    standings = report.standings
    bounds = list(zip(standings["elo_low"], standings["elo"], standings["elo_high"], strict=True))
    table = interval_column(page_table(shown_standings(standings)), bounds, is_bar=True)
    pairs = page_table(pairs_table(report.pairs), "Distinct pairs by points")
    marks = mark_meaning(standings["doubtful"])
    text = " ".join(["Elo, with its 95 % interval, and LOS are against the field met.", *marks])
    return Section("standings", "Standings", [table, pairs], text)


def ratings_section(report: Report) -> Section:
    """The ratings on one scale."""
    rated = report.standings.sort_values(["group", "rating"], ascending=[True, False])
    bounds = list(zip(rated["rating_low"], rated["rating"], rated["rating_high"], strict=True))
    table = interval_column(page_table(ratings_table(report.standings)), bounds)
    text = " ".join(
        [sentence(ratings_scale(report)), *mark_meaning(report.standings["rating_doubtful"])]
    )
    return Section("ratings", "Ratings", [table], text)


def interval_column(
    table: PageTable, bounds: Sequence[tuple[float, float, float]], *, is_bar: bool = False
) -> PageTable:
    """The table with its intervals drawn on one scale."""
    ends = [known(*each) for each in bounds]
    # A bound may lie far from all intervals, which would shrink to dots beside it.
    whole = [each for each in ends if all(map(isfinite, each))]
    shown = [value for each in whole or ends for value in each if abs(value) <= FAR]
    reach = around(shown, 0, 1, least=20)
    scale = row_scale(reach.low, reach.high)
    marks = [
        Cell(mark=interval_mark(scale, *each, interval_label(*each), is_bar=is_bar))
        for each in ends
    ]
    foot = Cell(mark=axis_mark(scale, "Scale of Elo"))
    return with_marks(table, "Elo with 95 %", marks, foot, after="95 %")


def known(low: float, value: float, high: float) -> tuple[float, float, float]:
    """The value with its interval; NaN for ends, and for a value, that results do not tell."""
    nothing = float("nan")
    has_low, has_high = low > value - OPEN and low > -OPEN, high < value + OPEN and high < OPEN
    ends = low if has_low else nothing, high if has_high else nothing
    return ends[0], value if has_low or has_high else nothing, ends[1]


def interval_label(low: float, value: float, high: float) -> str:
    """The drawing in words."""
    if isnan(value):
        return "not known"
    ends = (-2 * OPEN if isnan(low) else low, 2 * OPEN if isnan(high) else high)
    is_bound = isnan(low) or isnan(high)
    return interval_text(*ends) if is_bound else f"{value:+.0f}, {interval_text(*ends)}"


def heat_section(report: Report) -> Section:
    """The scores of rows against columns, the better the more one colour."""
    rates = report.win_rates
    order = list(report.standings["name"])
    matrix = rates.loc[order, order].to_numpy()
    rows = []
    for name, scores in zip(order, matrix, strict=True):
        cells = [
            Cell(
                "" if isnan(score) else share_text(score),
                "" if isnan(score) else float(score),
                style=heat_style(score),
            )
            for score in scores
        ]
        rows.append([Cell(name), *cells])
    columns = [Column("against", is_number=False), *(Column(name) for name in order)]
    text = "Each row's share of the points against each column: above one half blue, below orange."
    return Section("head-to-head", "Head to head", [PageTable(columns, rows)], text)


def colours_section(report: Report) -> Section:
    """Wins, draws and losses of each player in either seat."""
    rows = []
    place = {name: i for i, name in enumerate(report.standings["name"])}
    found = report.colours.to_dict("records")
    for row in sorted(found, key=lambda row: (place[row["name"]], row["seat"])):
        score = row["score"]
        rows.append(
            [
                Cell(row["name"]),
                Cell("first" if row["seat"] == 1 else "second"),
                Cell("" if isnan(score) else share_text(score), "" if isnan(score) else score),
                Cell(mark=results_bar(row["wins"], row["draws"], row["losses"])),
                *(number_cell(row[each]) for each in ("games", "wins", "draws", "losses")),
            ]
        )
    columns = [
        Column("name", is_number=False),
        Column("plays", is_number=False),
        Column("score"),
        Column("won, drawn, lost", is_number=False, is_sortable=False),
        *map(Column, ["games", "wins", "draws", "losses"]),
    ]
    text = sentence(first_move_text(report))
    return Section("colours", "Colours", [PageTable(columns, rows)], text)


def sentence(words: str) -> str:
    """Words with a capital and a full stop; nothing of none."""
    return f"{words[0].upper()}{words[1:]}." if words else ""


def number_cell(number: int) -> Cell:
    """A whole number."""
    return Cell(f"{number:,}", float(number))


def thinking_section(report: Report) -> Section:
    """Time, nodes and depth of the players' moves."""
    standings = report.standings
    table = page_table(thinking_table(standings))
    costs = [1e3 * cost for cost in standings["seconds_per_move"]]
    most = max((cost for cost in costs if isfinite(cost)), default=0.0)
    marks = [
        Cell(mark=part_bar(cost, most, "not known" if isnan(cost) else f"{cost:.2f} ms a move"))
        for cost in costs
    ]
    text = "Means of the moves that the players chose; nodes and depth where they searched."
    table = with_marks(table, "time", marks, after="ms/move")
    return Section("thinking", "Time and depth", [table], text)


def endings_section(report: Report) -> Section:
    """The reasons of all ends, and each game that a fault ended."""

    endings = report.endings
    table = page_table(endings_table(endings))
    most = float(endings["games"].max()) if len(endings) else 0.0
    marks = [Cell(mark=part_bar(float(each), most, f"{each} games")) for each in endings["games"]]
    table = with_marks(table, "share", marks)
    faults = faults_table(report)
    return Section("endings", "Ends and faults", [table, *([faults] if faults else [])])


def openings_section(report: Report, most: int = 100) -> Section | None:
    """The openings, and which of them decide; those that favour a side most if there are many."""

    found = _openings_table(report.games)
    if found.empty:
        return None
    pairs = int(found[["by_colour", "by_player", "drawn"]].to_numpy().sum())
    by_colour, by_player = int(found["by_colour"].sum()), int(found["by_player"].sum())
    text = (
        f"Of {pairs:,} pairs of games, {by_colour:,} were won by the same colour twice: there the "
        f"opening decided. {by_player:,} were won by the same player twice, and "
        f"{pairs - by_colour - by_player:,} had a draw."
    )
    if len(found) > most:
        lean = (found["first_score"] - 0.5).abs() * found["games"]
        shown = found.loc[lean.sort_values(ascending=False, kind="stable").index[:most]]
        text += f" Of {len(found):,} openings, the {most} that favoured a side most are shown."
        found = shown.sort_values("opening")
    return Section("openings", "Openings", [openings_part(found, move_names(report))], text)


def made_section(report: Report) -> Section | None:
    """The proposals and choices of the players; None if openings were given."""
    if not report.openings_made:
        return None
    rules, told, table = report.openings_made
    name = rules.lower().replace(" ", "-")
    return Section(name, rules, [page_table(table)], sentence(told))


def move_names(report: Report) -> Callable[[str], str]:
    """A function that writes moves with points as boards name them; they stay if boards differ."""
    try:
        sizes = {load_game(facts.game).size for facts in report.runs}
    except ConfigError:  # the viewer says why a game is none here
        return str
    return Coordinates(sizes.pop()).text if len(sizes) == 1 else str


def openings_part(found: pd.DataFrame, names: Callable[[str], str]) -> PageTable:
    """The table of the openings, with moves as `names` writes them."""
    titles = ["games", "first's share", "won by colour", "by player", "drawn pairs"]
    columns = [Column("opening"), Column("moves", is_number=False), *map(Column, titles)]
    columns.append(Column("share", is_number=False, is_sortable=False))
    rows = [
        [
            number_cell(row["opening"]),
            Cell(names(row["moves"])),
            number_cell(row["games"]),
            Cell(share_text(row["first_score"]), float(row["first_score"])),
            *(number_cell(row[each]) for each in ("by_colour", "by_player", "drawn")),
            Cell(mark=share_bar(row["first_score"], share_text(row["first_score"]))),
        ]
        for row in found.to_dict("records")
    ]
    return PageTable(columns, rows)


def opening_numbers(games: pd.DataFrame) -> pd.Series[int]:
    """The number of each game's opening, in the order in which they come; 0 for none, and for one
    that the players made."""
    texts = games["opening"].where(games["proposer"] == 0, "")
    found = {text: i for i, text in enumerate(texts[texts != ""].unique(), start=1)}
    return texts.map(found).fillna(0).astype(int)


def _openings_table(games: pd.DataFrame) -> pd.DataFrame:
    """One row an opening, in the order in which they come.

    `first_score` is the first player's share of the points. Of the pairs on it, `by_colour` had
    both games won by one colour: there the opening decides; `by_player` had both won by one
    player: there the players do; `drawn` are all others.
    """
    if not opening_numbers(games).any():
        return pd.DataFrame(columns=_OPENING_COUNTS)
    columns = ["run", "pair"] if "run" in games else ["pair"]
    points = [POINTS_BY_WINNER.get(winner, 0.5) for winner in games["winner"].fillna(0)]
    rows = games.assign(number=opening_numbers(games), points=points)
    rows = rows[rows["number"] > 0]
    by_opening = rows.groupby("number")
    found = pd.DataFrame(
        {
            "moves": by_opening["opening"].first(),
            "games": by_opening.size(),
            "first_score": by_opening["points"].mean(),
        }
    )
    kinds = _pair_kinds(rows, columns).groupby("number")[["by_colour", "by_player", "drawn"]].sum()
    found = found.join(kinds).fillna({"by_colour": 0, "by_player": 0, "drawn": 0})
    found = found.astype({"by_colour": int, "by_player": int, "drawn": int})
    return found.reset_index(names="opening")[_OPENING_COUNTS]


def _pair_kinds(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """One row for each complete pair: which of both decided it."""
    pairs = rows.groupby([*columns, "number"])["points"].agg(["size", "sum", "min", "max"])
    pairs = pairs[pairs["size"] == 2].reset_index()
    # Points of the first player: 2 or 0 in all if one colour won both, 1 and 0 if one player did.
    by_colour = pairs["sum"].isin([0.0, 2.0])
    by_player = (pairs["min"] == 0) & (pairs["max"] == 1)
    return pd.DataFrame(
        {
            "number": pairs["number"],
            "by_colour": by_colour,
            "by_player": by_player,
            "drawn": ~(by_colour | by_player),
        }
    )


def faults_table(report: Report) -> PageTable | None:
    """One row for each game that a fault ended; None if none did."""
    games = report.games
    faulty = games[games["reason"].isin(FAULTS)]
    if faulty.empty:
        return None
    shown, several = faulty.head(MOST_FAULTS), "run" in games
    place = {facts.name: i for i, facts in enumerate(report.runs)}
    rows = [
        [
            *([Cell(row["run"])] if several else []),
            Cell(str(row["game"]), float(row["game"]), link=game_link(row, place)),
            Cell(str(loser(row["first"], row["second"], row["winner"]))),
            Cell(row["reason"]),
            Cell(row["detail"]),
        ]
        for row in shown.to_dict("records")
    ]
    titles = [
        *([Column("run", False)] if several else []),
        Column("game"),
        *(Column(each, False) for each in ("player", "fault", "detail")),
    ]
    more = f", the first {MOST_FAULTS} of {len(faulty):,}" if len(faulty) > MOST_FAULTS else ""
    return PageTable(titles, rows, f"Games that a fault ended{more}")


def game_link(row: Mapping[Hashable, Any], place: Mapping[str, int]) -> str:
    """The link to a game in the viewer, which knows runs by their places; empty without one."""
    if "run" not in row:
        return f"#game={row['game']}"
    return f"#run={place[row['run']]}&game={row['game']}" if row["run"] in place else ""


def loser(first: str, second: str, winner: int | None) -> str:
    """The player whose fault it was."""
    return "" if pd.isna(winner) else second if winner == 1 else first
