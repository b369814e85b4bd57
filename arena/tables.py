"""A report as text: tables for people, csv and json for programs."""

from __future__ import annotations

import json
from math import isnan
from typing import Any

import pandas as pd

from arena.faults import ConfigError, unknown
from arena.figures import elo_text, interval_text, share_text
from arena.reports import Report

FRAMES = ("standings", "win_rates", "colours", "endings", "games")
"""Those that csv and json give."""


def report_text(report: Report) -> str:
    """The whole report for people, but for the list of games."""
    title = f"Standings after {len(report.games)} games, {report.distinct_games} of them distinct"
    colours = report.colours.pivot(index="name", columns="seat", values="score")
    colours = colours.reindex(report.win_rates.index)
    colours.columns = pd.Index(["as first", "as second"])
    endings = report.endings.assign(
        winner=report.endings["winner"].map({1: "first", 2: "second"}).fillna("nobody")
    )
    tables = {
        title: standings_table(report.standings).to_string(index=False),
        "Win rates, row against column": percent(report.win_rates).to_string(),
        "Win rates by colour": percent(colours.rename_axis(None)).to_string(),
        "How the games ended": endings.to_string(index=False),
    }
    return "\n\n".join(f"{title}\n{table}" for title, table in tables.items())


def standings_table(standings: pd.DataFrame) -> pd.DataFrame:
    """The standings as people read them."""
    table = standings[["name", "games", "wins", "draws", "losses"]].copy()
    table["score"] = standings["score"].map(share_text)
    bounds = standings["elo_low"], standings["elo_high"]
    table["Elo"] = list(map(elo_text, standings["elo"], *bounds))
    table["95 %"] = list(map(interval_text, *bounds))
    table["LOS"] = standings["los"].map(share_text)
    table["plies"] = written(standings["plies"], "{:.1f}")
    table["ms/move"] = written(standings["seconds_per_move"] * 1e3, "{:.2f}")
    table["nodes/s"] = written(standings["nodes_per_second"], "{:,.0f}")
    table["depth"] = written(standings["depth"], "{:.1f}")
    return table


def written(figures: pd.Series[float], form: str) -> list[str]:
    """Figures as text; a dash for what nobody knows."""
    return ["-" if isnan(figure) else form.format(figure) for figure in figures]


def percent(frame: pd.DataFrame) -> pd.DataFrame:
    """Shares as per cent; nothing where there is none."""
    return frame.map(share_text, na_action="ignore").astype(object).fillna("")


def frame_of(report: Report, name: str) -> pd.DataFrame:
    """One of the report's frames, without an index; ConfigError for any other name."""
    if name not in FRAMES:
        raise ConfigError(unknown("frame", name, FRAMES))
    frame: pd.DataFrame = getattr(report, name)
    return frame if name != "win_rates" else long(frame)


def long(matrix: pd.DataFrame) -> pd.DataFrame:
    """One row for each two players that met: players' names are values, never columns."""
    names = list(matrix.index)
    shares = matrix.to_numpy()
    rows = [
        (name, opponent, shares[i, j])
        for i, name in enumerate(names)
        for j, opponent in enumerate(names)
        if not isnan(shares[i, j])
    ]
    return pd.DataFrame(rows, columns=["name", "opponent", "score"])


def csv_text(report: Report, name: str = "standings") -> str:
    """One frame of the report as csv."""
    text: str = frame_of(report, name).to_csv(index=False)
    return text


def json_text(report: Report, name: str | None = None) -> str:
    """One frame as a list of rows, or all of them by name; what is unknown is null."""
    if name:
        return json.dumps(rows(report, name), indent=1)
    found: dict[str, Any] = {name: rows(report, name) for name in FRAMES}
    return json.dumps({"distinct_games": report.distinct_games, **found}, indent=1)


def rows(report: Report, name: str) -> list[dict[str, Any]]:
    """A frame's rows, ready for json."""
    found: list[dict[str, Any]] = json.loads(frame_of(report, name).to_json(orient="records"))
    return found
