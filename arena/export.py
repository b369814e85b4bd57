"""A report for programs: its frames as csv, json or Parquet."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from arena.faults import ConfigError, Fault, unknown
from arena.reports import Report
from arena.tables import markdown, markdown_text, plain, report_text

FRAMES = (
    "standings",
    "pairs",
    "win_rates",
    "colours",
    "endings",
    "summary",
    "matches",
    "games",
    "uncounted",
)
"""Those that programs are given."""


def text_of(report: Report, form: str, name: str | None = None) -> str:
    """The report, or one frame of it, as table, markdown, csv or json; ConfigError for Parquet."""
    if form == "parquet":
        raise ConfigError("Parquet is no text: say where to with -o FOLDER, or --frame and -o FILE")
    if form == "csv":
        return csv_text(report, name or "standings").rstrip("\n")
    if form == "json":
        return json_text(report, name)
    if name:
        return (markdown if form == "markdown" else plain)(frame_of(report, name))
    return (markdown_text if form == "markdown" else report_text)(report)


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
        if not pd.isna(shares[i, j])
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
    head = {"distinct_games": report.distinct_games, "notes": list(report.notes)}
    return json.dumps({**head, **found}, indent=1)


def rows(report: Report, name: str) -> list[dict[str, Any]]:
    """A frame's rows, ready for json."""
    found: list[dict[str, Any]] = json.loads(frame_of(report, name).to_json(orient="records"))
    return found


def save(report: Report, form: str, name: str | None, path: Path) -> list[Path]:
    """Write the report, or one frame of it, to a file; ConfigError if that cannot be.

    Parquet files hold one frame each: all of them go into a folder. The files written.
    """
    try:
        if form != "parquet":
            path.write_text(text_of(report, form, name).rstrip("\n") + "\n", encoding="utf-8")
            return [path]
        return save_parquet(report, name, path)
    except OSError as error:
        raise ConfigError(Fault(str(path), error.strerror or str(error))) from None


def save_parquet(report: Report, name: str | None, path: Path) -> list[Path]:
    """One frame to this file, or each to a file of its name in this folder."""
    if find_spec("pyarrow") is None:
        raise ConfigError("Parquet needs pyarrow: pip install 'gomoku-arena[parquet]'")
    if not name:
        path.mkdir(parents=True, exist_ok=True)
    files = {name: path} if name else {each: path / f"{each}.parquet" for each in FRAMES}
    for each, file in files.items():
        frame_of(report, each).to_parquet(file, engine="pyarrow", index=False)
    return list(files.values())
