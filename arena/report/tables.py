"""A report for people: titled tables, as plain text or as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan

import pandas as pd

from arena.report.frames import PAIRS, Report
from arena.report.numbers import elo_text, interval_text, share_text, value_text

TITLES = ["LL", "LD", "WL/DD", "WD", "WW"]


Tables = Iterable[tuple[str, pd.DataFrame]]
"""Each with its title."""


def report_text(report: Report) -> str:
    """The whole report for people, but for the list of games."""
    return plain_text(tables(report), report.notes)


def plain_text(tables: Tables, notes: Sequence[str]) -> str:
    """The titled tables, then the notes."""
    parts = [f"{title}\n{plain(table)}" for title, table in tables]
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])])


def markdown_text(tables: Tables, notes: Sequence[str]) -> str:
    """The same in Markdown."""
    parts = [f"## {title}\n\n{markdown(table)}" for title, table in tables]
    return "\n\n".join([*parts, *(["\n".join(f"- {note}" for note in notes)] if notes else [])])


def tables(report: Report) -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables that people read, each with its title."""
    games, standings = len(report.games), report.standings
    title = f"Standings after {games} games, {report.distinct_games} of them distinct"
    yield title, standings_table(standings)
    if len(report.matches):
        yield "Matches", report.matches.map(value_text)
    if len(standings) > 2 or report.anchor:
        yield ratings_title(report), ratings_table(standings)
    yield "Distinct pairs by points", pairs_table(report.pairs)
    yield "What the moves took", thinking_table(standings)
    yield "Win rates, row against column", named(percent(report.win_rates))
    yield colours_title(report), colours_table(report)
    endings = report.endings["winner"].map({1: "first", 2: "second"}).fillna("nobody")
    yield "How the games ended", report.endings.assign(winner=endings)


def standings_table(standings: pd.DataFrame) -> pd.DataFrame:
    """The standings as people read them."""
    table = standings[["name", "games", "wins", "draws", "losses"]].copy()
    table["score"] = standings["score"].map(share_text)
    bounds = standings["elo_low"], standings["elo_high"]
    table["Elo"] = list(map(elo_text, standings["elo"], *bounds))
    table["95 %"] = list(map(interval_text, *bounds))
    table["LOS"] = standings["los"].map(share_text)
    return table


def ratings_title(report: Report) -> str:
    """What the zero of the scale is, and which ratings can be compared."""
    zero = "their mean is 0"
    if report.anchor:
        name, elo = report.anchor
        zero = f"{name} is {elo:+.12g}"
    apart = ", in each group" if report.standings["group"].nunique() > 1 else ""
    return f"Ratings: one Elo scale for all that met{apart}; {zero}"


def ratings_table(standings: pd.DataFrame) -> pd.DataFrame:
    """The ratings as people read them, group by group."""
    rated = standings.sort_values(["group", "rating"], ascending=[True, False])
    table = rated[["name"]].copy()
    table["rating"] = [f"{rating:+.0f}" for rating in rated["rating"]]
    bounds = rated["rating_low"], rated["rating_high"]
    table["95 %"] = list(map(interval_text, *bounds, rated["rating"]))
    if rated["group"].nunique() > 1:
        table["group"] = rated["group"]
    return table


def pairs_table(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs as people read them; one kind of result alone says nothing of variance."""
    table = pairs[["name", *PAIRS]].set_axis(["name", *TITLES], axis=1)
    varied = (pairs[PAIRS] > 0).sum(axis=1) > 1
    played = pairs[PAIRS].sum(axis=1) > 0
    lost = pairs[["ll", "ld"]].sum(axis=1) > 0
    table["even"] = pairs["draw_ratio"].map(share_text).where(played, "-")
    table["won:lost"] = pairs["pair_ratio"].map("{:.2f}".format).where(lost, "-")
    table["nElo"] = pairs["nelo"].map("{:+.0f}".format).where(varied, "-")
    intervals = [
        f"{round(low):+d} to {round(high):+d}"
        for low, high in zip(pairs["nelo_low"], pairs["nelo_high"], strict=True)
    ]
    table["95 %"] = pd.Series(intervals, index=pairs.index, dtype=object).where(varied, "-")
    return table


def thinking_table(standings: pd.DataFrame) -> pd.DataFrame:
    """What the players' moves cost."""
    table = standings[["name"]].copy()
    table["plies"] = written(standings["plies"], "{:.1f}")
    table["ms/move"] = written(standings["seconds_per_move"] * 1e3, "{:.2f}")
    table["nodes/s"] = written(standings["nodes_per_second"], "{:,.0f}")
    table["depth"] = written(standings["depth"], "{:.1f}")
    return table


def colours_title(report: Report) -> str:
    """What the first move is worth."""
    row = report.summary.iloc[0]
    if not row["games"]:
        return "Win rates by colour"
    return (
        f"Win rates by colour: the first player took {share_text(row['first_score'])} of the "
        f"points, {row['advantage']:+.0f} Elo between equals; {share_text(row['draw_ratio'])} draws"
    )


def colours_table(report: Report) -> pd.DataFrame:
    """Each player's score in either seat."""
    colours = report.colours.pivot(index="name", columns="seat", values="score")
    colours = colours.reindex(report.win_rates.index)
    colours.columns = pd.Index(["as first", "as second"])
    return named(percent(colours))


def named(table: pd.DataFrame) -> pd.DataFrame:
    """The index as a first column without a title: whatever the columns are called."""
    table = table.copy()
    table.insert(0, "", table.index, allow_duplicates=True)
    return table


def written(figures: pd.Series[float], form: str) -> list[str]:
    """Figures as text; a dash for what nobody knows."""
    return ["-" if isnan(figure) else form.format(figure) for figure in figures]


def percent(frame: pd.DataFrame) -> pd.DataFrame:
    """Shares as per cent; nothing where there is none."""
    return frame.map(share_text, na_action="ignore").astype(object).fillna("")


def plain(table: pd.DataFrame) -> str:
    """Columns side by side."""
    return table.to_string(index=False)


def markdown(table: pd.DataFrame) -> str:
    """The table in pipes; names to the left, figures to the right."""
    head = [str(column) for column in table.columns]
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *table.to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(map(escaped, line))} |" for line in lines)


def escaped(cell: object) -> str:
    """A cell whose text cannot end it."""
    return str(cell).replace("|", "\\|")
