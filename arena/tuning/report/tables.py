"""The tables of a study."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import Any

import pandas as pd
from markupsafe import Markup

from arena.report.numbers import format_estimate, format_number, format_share
from arena.report.page.charts import part_bar, range_mark
from arena.report.page.render import NO_MARK
from arena.report.table import Column, Row, Table
from arena.tuning.report.frames import BEST_TENTH, Frames, ends_text, kind_of_reach, reach_of

MAX_TRIALS = 1000
"""Trials that the table lists."""


def games_played(frames: Frames) -> int:
    """The number of games of all trials that are over."""
    return int(frames.trials["games"].sum())


def parameters_table(parameters: pd.DataFrame, name_of_values: str, title: str = "") -> Table:
    """The values found, under this name, each with its interval, and its importance."""
    frame = parameters.assign(
        **{name: _as_numbers(parameters, name) for name in ("default", "tuned")}
    )
    most = float(parameters["importance"].max())
    kind = kind_of_reach(parameters)
    low, high = ("spread_low", "spread_high") if kind == BEST_TENTH else ("low", "high")

    def share_bar(row: Row) -> Markup:
        share = row["importance"]
        return NO_MARK if isnan(share) else part_bar(share, most, format_share(share), width=60)

    columns = [
        Column("name", "parameter"),
        Column("default", "default", format_number),
        Column("tuned", name_of_values, format_number),
        *([Column(low, kind, _format_ends, (high, "tuned"), is_number=False)] if kind else []),
        Column("flat_low", "within 1 Elo", _format_ends, ("flat_high", "tuned"), is_number=False),
        Column("importance", "importance", format_share),
        Column("within its range", draw=_range_mark),
        Column("share", draw=share_bar),
    ]
    return Table(title, frame, columns)


def _as_numbers(parameters: pd.DataFrame, name: str) -> pd.Series[Any]:
    """The values of a column, which beside choices holds numbers as texts."""
    values = zip(parameters[name], parameters["range_low"], strict=True)
    found = [
        float(value) if isinstance(value, str) and pd.notna(low) else value for value, low in values
    ]
    return pd.Series(found, parameters.index, dtype=object)


def _format_ends(low: float, high: float, tuned: object) -> str:
    return ends_text({"tuned": tuned}, low, high)


def _range_mark(row: Row) -> Markup:
    """The interval of the best value, or what stands for it, on the range; none of a choice."""
    if (reach := reach_of(row)) is None:
        return NO_MARK
    ends = ends_text(row, reach.low, reach.high)
    values = float(row["default"]), reach.low, float(row["tuned"]), reach.high
    return range_mark(row, *values, ends)


def trials_table(frames: Frames, rounds: Iterable[int]) -> Table:
    """One row a trial with games, and a link to the first of them in the viewer.

    `rounds` are those of all games, in the order in which they ended.
    """
    trials = frames.trials[frames.trials["pairs"] > 0]
    shown, numbers = trials.tail(MAX_TRIALS), game_numbers(rounds)
    own = [numbers.get(trial, []) for trial in shown["trial"]]
    frame = shown.assign(
        numbers=[_numbers_text(each) for each in own],
        link=[f"#game={each[0][0]}" if each else "" for each in own],
    )
    columns = [
        Column("trial"),
        Column("elo", "Elo", format_estimate, ("doubtful",)),
        Column("estimate", "estimate", format_estimate, ("doubtful",)),
        *(_weight_column(str(name), shown) for name in frames.parameters["name"]),
        Column("games"),
        *([Column("faults", "by faults")] if shown["faults"].any() else []),
        *([Column("stopped_early", "ended early")] if shown["stopped_early"].any() else []),
        Column("numbers", "numbers of the games", link="link"),
    ]
    last = f", the last {MAX_TRIALS:,} of {len(trials):,}" if len(trials) > MAX_TRIALS else ""
    return Table(f"Trials{last}", frame, columns)


def _weight_column(name: str, trials: pd.DataFrame) -> Column:
    """The values of a parameter: of one point, or of both that met."""
    if f"plus_{name}" not in trials:
        return Column(f"centre_{name}", name, format_number)
    return Column(f"plus_{name}", name, _format_both, (f"minus_{name}",))


def _format_both(plus: object, minus: object) -> str:
    return f"{format_number(plus)} : {format_number(minus)}"


def game_numbers(rounds: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
    """The games of each round: first and last of each row of numbers without a gap."""
    found: dict[int, list[tuple[int, int]]] = {}
    for number, round_ in enumerate(rounds, start=1):
        rows = found.setdefault(round_, [])
        first = rows.pop()[0] if rows and rows[-1][1] == number - 1 else number
        rows.append((first, number))
    return found


def _numbers_text(rows: Iterable[tuple[int, int]]) -> str:
    """Rows of numbers as people read them: `1 to 7, 9`."""
    return ", ".join(f"{one}" if one == last else f"{one} to {last}" for one, last in rows)
