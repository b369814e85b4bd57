"""The sections of the page of runs: their tables and charts, with a sentence or two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pandas as pd

from arena.coordinates import Coordinates
from arena.errors import ConfigError
from arena.plugins.load import Named, load_game
from arena.report.fault_texts import mark_meaning
from arena.report.frames import Report
from arena.report.numbers import format_share
from arena.report.openings import opening_counts
from arena.report.page.charts import PANE, reliability_plot
from arena.report.page.document import PageFigure, PageGrid, Part, Section, page_table
from arena.report.page.llr_path import llr_figure
from arena.report.planning.plan import plan_section
from arena.report.table import Table
from arena.report.tables import (
    SCALES_TITLE,
    endings_table,
    faults_table,
    first_move_text,
    machines_table,
    matches_table,
    openings_table,
    pairs_table,
    ratings_scale,
    ratings_table,
    scales_table,
    seats_table,
    standings_table,
    thinking_table,
    win_rates_table,
)

MAX_CHARTS = 12
"""Players whose charts are drawn, the best ones."""
CHARTS_TEXT = (
    "Each dot is a tenth of the player's moves. On the diagonal, games came out as its scores, and "
    "the strength of its opponents, let expect."
)


def run_sections(report: Report) -> Iterator[Section]:
    """All sections but the games themselves, first what the verdict rests on."""
    matches = [_matches_section(report)] if len(report.matches) else []
    is_test = "llr" in report.matches
    yield from matches if is_test else []
    yield from _result_sections(report)
    yield from [] if is_test else matches
    if openings := openings_section(report):
        yield openings
    if made := report.openings_made:
        yield _made_section(*made)
    faults = faults_table(report)
    ends = [page_table(endings_table(report.endings))]
    ends += [page_table(faults, faults.title)] if len(faults.frame) else []
    yield Section("endings", "Ends and faults", ends)
    text = "Means of the moves that the players chose; nodes and depth where they searched."
    yield _section("thinking", "Time and depth", thinking_table(report.standings), text)
    if scores := scores_section(report):
        yield scores
    if plan := plan_section(report):
        yield plan
    if len(report.machines):
        text = "A speed of 1 is that of the machine that the run was started on."
        yield _section("machines", "Machines", machines_table(report.machines), text)


def _section(key: str, title: str, table: Table, text: str = "") -> Section:
    """A section of one table."""
    return Section(key, title, [page_table(table)], text)


def _result_sections(report: Report) -> Iterator[Section]:
    """The sections on the players' results."""
    standings, pairs = report.standings, pairs_table(report.pairs)
    tables = [page_table(standings_table(report)), page_table(pairs, pairs.title)]
    text = "Elo, with its 95 % interval, and LOS are against the field met."
    marks = mark_meaning(standings["doubtful"])
    yield Section("standings", "Standings", tables, " ".join([text, *marks]))
    if len(standings) > 2 or report.anchor:
        ratings = ratings_table(standings, "Ratings")
        text = " ".join(
            [_sentence(ratings_scale(report)), *mark_meaning(standings["rating_doubtful"])]
        )
        yield _section("ratings", "Ratings", ratings, text)
    names = list(standings["name"])
    rates = win_rates_table(report.win_rates.loc[names, names], "against")
    text = "Each row's share of the points against each column: above one half blue, below orange."
    yield _section("head-to-head", "Head to head", rates, text)
    yield _section("colours", "Colours", seats_table(report), _sentence(first_move_text(report)))


def _matches_section(report: Report) -> Section:
    """The matches that the format decides; of a test, its LLR pair by pair."""
    matches = report.matches
    figures: list[Part] = []
    if "llr" in matches:
        # Of runs of several formats, not every match is a test.
        for test in matches[matches["llr"].notna()].to_dict("records"):
            (only, *others) = report.played.values()
            games = report.played[test["run"]] if others else only
            figures.append(llr_figure(games, test))
    title = "Test" if figures else "Matches"
    return Section("matches", title, [*figures, page_table(matches_table(matches))])


def openings_section(report: Report, most: int = 100) -> Section | None:
    """The openings, and which of them decide; those that favour a side most if there are many."""
    found = opening_counts(report.games)
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
    names = point_names(facts.game for facts in report.runs)
    return _section("openings", "Openings", openings_table(found, names), text)


def point_names(games: Iterable[Named]) -> Callable[[str], str]:
    """A function that writes moves with points as boards name them; they stay if boards differ."""
    try:
        sizes = {load_game(game).size for game in games}
    except ConfigError:  # of a user's file that is there no longer
        return str
    return Coordinates(sizes.pop()).text if len(sizes) == 1 else str


def _made_section(rules: str, told: str, table: Table) -> Section:
    """The proposals and choices of the players that made the openings."""
    return _section(rules.lower().replace(" ", "-"), rules, table, _sentence(told))


def scores_section(report: Report) -> Section | None:
    """The worth of the players' scores, with small charts; None where no player gave scores."""
    table = scales_table(report.scales)
    if table.frame.empty:
        return None
    errors = report.scales.set_index("name")["calibration_error"]
    figures = [
        _reliability_figure(str(name), tenths, errors[name])
        for name, tenths in report.reliability.groupby("name", sort=False)
    ]
    parts: list[Part] = [page_table(table)]
    parts += [PageGrid(figures[:MAX_CHARTS])] if figures else []
    text = [*table.notes, *([CHARTS_TEXT] if figures else [])]
    return Section("scores", SCALES_TITLE, parts, " ".join(text))


def _reliability_figure(name: str, tenths: pd.DataFrame, error: float) -> PageFigure:
    """The results of a player's positions by the expected ones, a dot for each tenth."""
    caption = f"{name}: off by {format_share(error)}"
    plot = reliability_plot(PANE)
    plot.dots(zip(tenths["expected"], tenths["scored"], strict=True), radius=3.5)
    return PageFigure(plot.drawn(caption, "pane"), caption)


def _sentence(words: str) -> str:
    """Words with a capital and a full stop; nothing of none."""
    return f"{words[0].upper()}{words[1:]}." if words else ""
