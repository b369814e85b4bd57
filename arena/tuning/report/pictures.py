"""A study as pictures: its history, where its points lay, and which parameters matter."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from arena.errors import ConfigError, Fault
from arena.report.numbers import interval_text
from arena.storage.folder import make_folder
from arena.tuning.report.frames import Frames
from arena.tuning.report.intervals import reach_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#8c8c8c"
"""Okabe and Ito's, which the colour-blind tell apart; shapes differ as well."""
BINS, LEAST = 10, 3
"""Most means of a slice, and the least number of points of each."""
STYLE: Any = {
    "svg.hashsalt": "arena",  # the same study, the same file
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw(frames: Frames, folder: Path) -> list[Path]:
    """Write every picture there is material for as SVG; ConfigError if that cannot be."""
    import matplotlib

    if frames.trials.empty:
        return []
    make_folder(folder)
    with matplotlib.rc_context(STYLE):
        files = [folder / f"{picture.__name__}.svg" for picture in PICTURES]
        for file, picture in zip(files, PICTURES, strict=True):
            try:
                picture(frames).savefig(file, metadata={"Date": None})
            except OSError as error:
                raise ConfigError(Fault(str(file), error.strerror or str(error))) from None
    return files


def panels(count: int, width: float, height: float, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure of panels of this size in inches, drawn without a screen."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    columns = min(columns, count)
    rows = ceil(count / columns)
    figure = Figure(figsize=(width * columns, height * rows), dpi=150, layout="constrained")
    FigureCanvasSVG(figure)
    axes = [figure.add_subplot(rows, columns, i + 1) for i in range(count)]
    return figure, axes


def history(frames: Frames) -> Figure:
    """The estimated Elo of each trial's centre, and at the end what the test measured."""
    figure, (axes,) = panels(1, 7, 3.2)
    trials = frames.trials
    is_compared = any(str(name).startswith("plus_") for name in trials)
    games, estimate = trials["games_so_far"], trials["estimate"]
    axes.axhline(0, color=GREY, linewidth=0.8, linestyle=":")
    if is_compared:
        axes.plot(games, estimate, color=BLUE, label="centre of the trials, as the model sees it")
    else:
        axes.plot(games, estimate, "o", color=BLUE, markersize=3, label="trials, as measured")
    bottom, top = axes.get_ylim()
    axes.set_ylim(min(bottom, -10), max(top, 10))
    if len(frames.verification):
        mark_test(axes, frames.verification.iloc[0], int(games.iloc[-1]))
    axes.set_xlabel("games")
    axes.set_ylabel("Elo over the default")
    # Below the curve, wherever that goes.
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    return figure


def mark_test(axes: Axes, test: pd.Series[Any], games: int) -> None:
    """Draw the test's Elo with its interval, after its games; an unknown bound is left out."""
    low, elo, high = test["elo_low"], test["elo"], test["elo_high"]
    proof = "passed" if test["passed"] else "not passed"
    at = games + test["games"]
    axes.axvspan(games, at, color=GREY, alpha=0.12, linewidth=0)
    bottom, top = axes.get_ylim()
    axes.errorbar(
        [at],
        [elo],
        yerr=[[elo - low], [high - elo]],
        fmt="s",
        color=ORANGE,
        capsize=3,
        label=f"test: {elo:+z.0f} Elo ({interval_text(low, high)}), {proof}",
    )
    near = [end for end in (low, high) if abs(end - elo) < 400]
    axes.set_ylim(min([bottom, elo - 20, *near]) - 5, max([top, elo + 20, *near]) + 5)


def slices(frames: Frames) -> Figure:
    """The results of the points played, by their values, a panel for each parameter."""
    parameters = frames.parameters.set_index("name")
    figure, panes = panels(len(parameters), 2.9 if len(parameters) > 1 else 4.5, 2.4, columns=3)
    for axes, (name, row) in zip(panes, parameters.iterrows(), strict=True):
        points = frames.slices[frames.slices["parameter"] == name]
        (choice_panel if pd.isna(row["range_low"]) else range_panel)(axes, points, row)
        axes.set_title(str(name), fontsize=9)
        axes.axhline(0, color=GREY, linewidth=0.8, linestyle=":")
    for axes in panes[::3]:
        whom = "the other point" if "plus" in set(frames.slices["side"]) else "the opponents"
        axes.set_ylabel(f"Elo over {whom}")
    handles = {
        label: handle
        for axes in panes
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower center",
        ncols=min(2 * len(panes), 4),
        frameon=False,
    )
    return figure


def range_panel(axes: Axes, points: pd.DataFrame, row: pd.Series[Any]) -> None:
    """Draw one parameter with a range."""
    if row["log"]:
        axes.set_xscale("log")
    values = pd.to_numeric(points["value"]).to_numpy(dtype=float)
    elo, pairs = points["elo"].to_numpy(), points["pairs"].to_numpy()
    scale = np.log if row["log"] else np.asarray
    low, high = scale(row["range_low"]), scale(row["range_high"])
    units = (scale(values) - low) / (high - low)
    # Thousands of them: as one bitmap within the picture.
    axes.scatter(values, elo, s=5, color=GREY, alpha=0.35, linewidths=0, rasterized=True)
    if reach := reach_of(row):
        axes.axvspan(reach.low, reach.high, label=reach.kind, color=BLUE, alpha=0.12, linewidth=0)
    mark_values(axes, row, float)
    mark_means(axes, *binned(units, values, elo, pairs))


def choice_panel(axes: Axes, points: pd.DataFrame, row: pd.Series[Any]) -> None:
    """Draw one parameter with choices: the mean of each."""
    choices = sorted({*points["value"].map(str), str(row["default"])})
    columns = [points[points["value"].map(str) == choice] for choice in choices]
    found = [weighted_mean(each["elo"].to_numpy(), each["pairs"].to_numpy()) for each in columns]
    means, errors = map(np.array, zip(*found, strict=True))
    axes.set_xticks(range(len(choices)), choices)
    axes.set_xlim(-0.5, len(choices) - 0.5)
    mark_values(axes, row, lambda choice: choices.index(str(choice)))
    mark_means(axes, np.arange(len(choices)), means, errors)


def mark_values(axes: Axes, row: pd.Series[Any], place: Callable[[Any], float]) -> None:
    """Mark where the parameter was, and where it should be."""
    axes.axvline(place(row["default"]), color=GREY, linestyle="--", linewidth=1.2, label="default")
    if pd.notna(row["tuned"]):
        axes.axvline(place(row["tuned"]), color=ORANGE, linewidth=1.5, label="tuned")


def mark_means(axes: Axes, at: np.ndarray, means: np.ndarray, errors: np.ndarray) -> None:
    """Draw means with twice their standard errors, and make room: single trials go far beyond."""
    axes.errorbar(at, means, errors, color="black", fmt="o", markersize=3, label="means ± 2 s.e.")
    reach = np.abs(means) + np.nan_to_num(errors)
    room = 1.3 * float(np.nanmax(reach, initial=0.0)) + 10
    axes.set_ylim(-room, room)


def binned(units: np.ndarray, values: np.ndarray, elo: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Mean value, mean Elo and twice its standard error in equal parts of the range, as rows."""
    part = np.minimum((units * BINS).astype(int), BINS - 1)
    parts = [part == i for i in range(BINS) if (part == i).sum() >= LEAST]
    found = [(float(np.mean(values[own])), *weighted_mean(elo[own], pairs[own])) for own in parts]
    return np.array(found).reshape(-1, 3).T


def weighted_mean(elo: np.ndarray, pairs: np.ndarray) -> tuple[float, float]:
    """The mean by pairs played, and twice its standard error; NaN where nothing can be said."""
    if not len(elo):
        return float("nan"), float("nan")
    mean = float(np.average(elo, weights=pairs))
    if len(elo) < 2:
        return mean, float("nan")
    spread = np.average((elo - mean) ** 2, weights=pairs)
    return mean, 2 * float(np.sqrt(spread / (len(elo) - 1)))


def importance(frames: Frames) -> Figure:
    """Each parameter's share of the effect on strength, the greatest on top."""
    ranked = frames.parameters.sort_values("importance", kind="stable")
    figure, (axes,) = panels(1, 5, 0.6 + 0.28 * len(ranked))
    bars = axes.barh(ranked["name"], 100 * ranked["importance"], color=BLUE)
    axes.bar_label(bars, fmt="%.0f %%", padding=3)
    axes.margins(x=0.12)
    axes.set_xlabel("importance: share of the effect on strength (%)")
    return figure


PICTURES = (history, slices, importance)
"""The pictures, whose files are named as they are."""
