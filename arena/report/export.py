"""A report for programs: its frames as csv, json or Parquet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from arena.errors import ConfigError, Fault, unknown
from arena.report.frames import Report
from arena.report.tables import Tables, markdown, markdown_text, plain, plain_text, tables

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


@dataclass(frozen=True)
class Sheets:
    """A report of any kind, as it is written."""

    frames: Mapping[str, pd.DataFrame]
    """For programs, without an index; the first is what csv shows if none is named."""
    tables: Tables
    """For people."""
    head: Mapping[str, Any]
    """What stands in json beside the frames."""
    notes: Sequence[str]


def sheets_of(report: Report) -> Sheets:
    """The report of a run."""
    frames = {name: getattr(report, name) for name in FRAMES}
    frames["win_rates"] = long(report.win_rates)
    head = {"distinct_games": report.distinct_games}
    return Sheets(frames, list(tables(report)), head, report.notes)


def text_of(sheets: Sheets, form: str, name: str | None = None) -> str:
    """The report, or one frame of it, as table, markdown, csv or json; ConfigError for Parquet."""
    if form == "parquet":
        raise ConfigError("Parquet is no text: say where to with -o FOLDER, or --frame and -o FILE")
    if form == "csv":
        return csv_text(sheets, name).rstrip("\n")
    if form == "json":
        return json_text(sheets, name)
    if name:
        return (markdown if form == "markdown" else plain)(frame_of(sheets, name))
    return (markdown_text if form == "markdown" else plain_text)(sheets.tables, sheets.notes)


def frame_of(sheets: Sheets, name: str) -> pd.DataFrame:
    """One of the report's frames; ConfigError for any other name."""
    if name not in sheets.frames:
        raise ConfigError(unknown("frame", name, sheets.frames))
    return sheets.frames[name]


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


def csv_text(sheets: Sheets, name: str | None = None) -> str:
    """One frame of the report as csv."""
    text: str = frame_of(sheets, name or next(iter(sheets.frames))).to_csv(index=False)
    return text


def json_text(sheets: Sheets, name: str | None = None) -> str:
    """One frame as a list of rows, or all of them by name; what is unknown is null."""
    if name:
        return json.dumps(rows(sheets, name), indent=1)
    found: dict[str, Any] = {name: rows(sheets, name) for name in sheets.frames}
    return json.dumps({**sheets.head, "notes": list(sheets.notes), **found}, indent=1)


def rows(sheets: Sheets, name: str) -> list[dict[str, Any]]:
    """A frame's rows, ready for json."""
    found: list[dict[str, Any]] = json.loads(frame_of(sheets, name).to_json(orient="records"))
    return found


def save(sheets: Sheets, form: str, name: str | None, path: Path) -> list[Path]:
    """Write the report, or one frame of it, to a file; ConfigError if that cannot be.

    Parquet files hold one frame each: all of them go into a folder. The files written.
    """
    try:
        if form != "parquet":
            path.write_text(text_of(sheets, form, name).rstrip("\n") + "\n", encoding="utf-8")
            return [path]
        return save_parquet(sheets, name, path)
    except OSError as error:
        raise ConfigError(Fault(str(path), error.strerror or str(error))) from None


def save_parquet(sheets: Sheets, name: str | None, path: Path) -> list[Path]:
    """One frame to this file, or each to a file of its name in this folder."""
    if find_spec("pyarrow") is None:
        raise ConfigError("Parquet needs pyarrow: pip install 'gomoku-arena[parquet]'")
    if not name:
        path.mkdir(parents=True, exist_ok=True)
    files = {name: path} if name else {each: path / f"{each}.parquet" for each in sheets.frames}
    for each, file in files.items():
        frame_of(sheets, each).to_parquet(file, engine="pyarrow", index=False)
    return list(files.values())
