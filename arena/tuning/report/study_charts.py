"""The charts of a study: its history, where its points lay, and which parameters matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from arena.files import written
from arena.report.numbers import DOUBT, OPEN, format_estimate, format_interval, format_share
from arena.report.page.charts import (
    PANE,
    ChartFrame,
    Plot,
    around,
    part_bar,
    sheet,
    thinned,
    tick_text,
)
from arena.report.table import Figure
from arena.stats.rounding import DECIMALS
from arena.storage.folder import make_folder
from arena.tuning.method import interval_of
from arena.tuning.report.frames import Frames, ends_text, kind_of_reach, reach_of, weight_text

MOST_POINTS, MOST_SPECKS = 400, 200  # Points of the history, and of each slice, on a page
FAR_OFF = 400.0  # Elo from a value beyond which an end of its interval may leave the chart
IMPORTANCE = "Importance: share of the effect on strength"
BINS, LEAST = 10, 3  # Most means of a slice, and the least number of points of each


def draw(frames: Frames, errors: Sequence[float], folder: Path) -> list[Path]:
    """Write the charts as SVG, if there is a trial; ConfigError if a file cannot be written."""
    if frames.trials.empty:
        return []
    make_folder(folder)
    texts = {
        "history": sheet([history_figure(frames, errors)]),
        "slices": sheet(list(slice_figures(frames)), columns=3, text=slices_text(frames)),
        "importance": sheet(list(_importance_figures(frames)), text=IMPORTANCE),
    }
    files = {folder / f"{name}.svg": text for name, text in texts.items()}
    for file, text in files.items():
        with written(file, "svg") as out:
            out.write(text.encode())
    return list(files)


def history_figure(frames: Frames, errors: Sequence[float] = ()) -> Figure:
    """`errors` are the standard errors of the estimates, NaN for what is not known."""
    trials = frames.trials
    has_model = any(str(name).startswith("plus_") for name in trials)
    games = int(trials["games_so_far"].iloc[-1])
    points = _pairs_of(trials["games_so_far"], trials["estimate"])
    end = format_estimate(points[-1][1], trials["doubtful"].iloc[-1])
    caption = f"Elo of each trial over the default; the last of {games:,} games measured {end}."
    if has_model:
        caption = f"Elo over the default after {games:,} games: {end}, "
        caption += "as the model sees the centre."
    band_of = _model_band if has_model else means_band
    band, sentence = band_of(trials, errors)
    caption += sentence
    points = thinned(points, MOST_POINTS)
    levels, last, test = [elo for _, elo in points], games, None
    levels += [end for _, *ends in band for end in ends if abs(end - ends[0]) < FAR_OFF]
    if len(frames.verification):
        test = frames.verification.iloc[0]
        last += int(test["games"])
        levels += near(test)
        bounds = format_interval(test["elo_low"], test["elo_high"])
        verdict = "passed" if test["passed"] else "not passed"
        caption += f" The test ({verdict}) measured {test['elo']:+z.0f} ({bounds})."
    frame, reach = ChartFrame(), around(levels, 0, 1, least=20)
    plot = Plot(frame, frame.across(0, 1.02 * max(last, 1)), frame.upwards(reach.low, reach.high))
    if test is not None:
        plot.band(games, last)
    plot.ribbon(band)
    plot.axes("games", "Elo over the default", y_text=_signed_elo)
    if has_model:
        plot.line(points)
    else:
        plot.dots(points)
        plot.line([(x, (low + high) / 2) for x, low, high in band])
    if test is not None:
        plot.errors(last, *(_ends_of(test)), "test")
    return Figure(plot.drawn(caption), caption)


Band = list[tuple[float, float, float]]  # Games, and the low and the high end at that time


def _model_band(trials: pd.DataFrame, errors: Sequence[float]) -> tuple[Band, str]:
    if len(errors) < len(trials) or not any(map(isfinite, errors)):
        return [], ""
    known = zip(trials["games_so_far"], trials["estimate"], errors, strict=True)
    band = [(float(games), *interval_of(elo, error)) for games, elo, error in known]
    text = " Shaded: the model's 95 % interval, which is too narrow where strength is not like it."
    return thinned(band, MOST_POINTS), text


def means_band(trials: pd.DataFrame, _: Sequence[float]) -> tuple[Band, str]:
    """The means of a tenth of the trials each with twice their errors, and a sentence on them."""
    games, elo, pairs = (
        trials[name].to_numpy(dtype=float) for name in ("games_so_far", "estimate", "pairs")
    )
    at, means, errors = binned(games / games[-1], games, elo, pairs)
    if not len(at):
        return [], ""
    text = " Line and shade: means of a tenth of the trials each, with two standard errors."
    if (trials["estimate"] != trials["elo"]).any():
        text += " 0 is what the default won in the first trial, which is as unsure as one dot."
    return list(zip(at, means - errors, means + errors, strict=True)), text


def near(test: pd.Series[Any]) -> list[float]:
    elo, low, high = _ends_of(test)
    return [elo, *(end for end in (low, high) if isfinite(end) and abs(end - elo) < FAR_OFF)]


def _ends_of(test: pd.Series[Any]) -> tuple[float, float, float]:
    """Elo, and the ends of its interval; NaN for what is not known."""
    elo, low, high = (float(test[each]) for each in ("elo", "elo_low", "elo_high"))
    return elo, low if low > -OPEN else nan, high if high < OPEN else nan


def slice_figures(frames: Frames) -> Iterator[Figure]:
    for row in frames.parameters.to_dict("records"):
        points = frames.slices[frames.slices["parameter"] == row["name"]]
        if len(points):
            chart = _choice_chart if pd.isna(row["range_low"]) else _range_chart
            caption = _slice_text(row, frames.name_of_values)
            yield Figure(chart(points, row, caption), caption)


def slices_text(frames: Frames) -> str:
    kind = kind_of_reach(frames.parameters)
    shaded = f"; shaded: {kind}" if kind else ""
    whom = "the other point" if "plus" in set(frames.slices["side"]) else "the opponents"
    return (
        f"Elo of the points played over {whom}, by each parameter's value: means with two standard "
        f"errors. Dashed: the default; full line: {frames.name_of_values}"
        f"{shaded}.{_faults_text(frames.trials)}"
    )


def _faults_text(trials: pd.DataFrame) -> str:
    count = int(trials["doubtful"].sum())
    if not count:
        return ""
    rest = "trial rests" if count == 1 else "trials rest"
    return f" The Elo of {count} {rest} on games that ended by faults ({DOUBT})."


def _range_chart(points: pd.DataFrame, row: Mapping[Any, Any], caption: str) -> Markup:
    values = pd.to_numeric(points["value"]).to_numpy(dtype=float)
    elo, pairs = points["elo"].to_numpy(dtype=float), points["pairs"].to_numpy(dtype=float)
    across = PANE.across(row["range_low"], row["range_high"], bool(row["log"]))
    width = across.end - across.start
    units = np.array([(across.at(value) - across.start) / width for value in values])
    at, means, errors = binned(units, values, elo, pairs)
    plot = Plot(PANE, across, PANE.upwards(-1, 1))
    plot.y = _upwards_of(means, errors)
    if reach := reach_of(row):
        plot.band(reach.low, reach.high)
    plot.axes(row["name"], "Elo", y_text=_signed_elo, x_ticks=across.ticks(6))
    plot.specks(thinned(_pairs_of(values, elo), MOST_SPECKS))
    _mark_default_and_tuned(plot, row["default"], row["tuned"])
    _draw_means(plot, at, means, errors)
    return plot.drawn(caption, "pane")


def _choice_chart(points: pd.DataFrame, row: Mapping[Any, Any], caption: str) -> Markup:
    texts = points["value"].map(str)
    choices = sorted({*texts, str(row["default"])})
    own = [points[texts == choice] for choice in choices]
    rows = [weighted_mean(each["elo"].to_numpy(), each["pairs"].to_numpy()) for each in own]
    means, errors = map(np.array, zip(*rows, strict=True))
    across = PANE.across(-0.5, len(choices) - 0.5)
    plot = Plot(PANE, across, _upwards_of(means, errors))
    places = list(map(float, range(len(choices))))
    plot.axes(row["name"], "Elo", lambda i: choices[int(i)][:12], _signed_elo, places)
    tuned = choices.index(str(row["tuned"])) if str(row["tuned"]) in choices else nan
    _mark_default_and_tuned(plot, choices.index(str(row["default"])), tuned)
    _draw_means(plot, np.array(places), means, errors)
    return plot.drawn(caption, "pane")


def binned(units: np.ndarray, values: np.ndarray, elo: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Mean value, mean Elo and twice its standard error in equal parts of the range, as rows."""
    part = np.minimum((units * BINS).astype(int), BINS - 1)
    parts = [part == i for i in range(BINS) if (part == i).sum() >= LEAST]
    rows = [(float(np.mean(values[own])), *weighted_mean(elo[own], pairs[own])) for own in parts]
    return np.array(rows).reshape(-1, 3).T


def weighted_mean(elo: np.ndarray, pairs: np.ndarray) -> tuple[float, float]:
    """The mean by pairs played, and twice its standard error; NaN where nothing can be said."""
    if not len(elo):
        return nan, nan
    mean = float(np.average(elo, weights=pairs))
    if len(elo) < 2:
        return mean, nan
    spread = np.average((elo - mean) ** 2, weights=pairs)
    return mean, 2 * float(np.sqrt(spread / (len(elo) - 1)))


def _upwards_of(means: np.ndarray, errors: np.ndarray) -> Any:
    reach = np.abs(np.nan_to_num(means)) + np.nan_to_num(errors)
    room = 1.3 * float(np.max(reach, initial=0.0)) + 10
    return PANE.upwards(-room, room)


def _draw_means(plot: Plot, at: np.ndarray, means: np.ndarray, errors: np.ndarray) -> None:
    for place, mean, error in zip(at, means, np.nan_to_num(errors), strict=True):
        plot.errors(float(place), float(mean), float(mean - error), float(mean + error), "mean")


def _mark_default_and_tuned(plot: Plot, default: float, tuned: float | None) -> None:
    plot.upright(float(default), "default")
    if tuned is not None and pd.notna(tuned):
        plot.upright(float(tuned), "tuned")


def _slice_text(row: Mapping[Any, Any], name_of_values: str) -> str:
    tuned = "" if pd.isna(row["tuned"]) else f"; {name_of_values} {weight_text(row, 'tuned')}"
    reach = reach_of(row)
    ends = f" ({ends_text(row, reach.low, reach.high)})" if reach else ""
    return f"{row['name']}: default {weight_text(row, 'default')}{tuned}{ends}"


def _importance_figures(frames: Frames) -> Iterator[Figure]:
    shares = frames.parameters["importance"].round(DECIMALS)
    ranked = frames.parameters.loc[shares.sort_values(ascending=False, kind="stable").index]
    for name, share in zip(ranked["name"], ranked["importance"], strict=True):
        caption = f"{name}: {'not known' if pd.isna(share) else format_share(share)}"
        yield Figure(part_bar(share, 1, caption, width=320), caption)


def _signed_elo(value: float) -> str:
    return tick_text(value, is_signed=True)


def _pairs_of(xs: Any, ys: Any) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
