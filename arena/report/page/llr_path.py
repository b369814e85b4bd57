"""The log-likelihood ratio of a test after each of its pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from arena.format import TOGETHER
from arena.match.game_row import GameRow, pair_identity
from arena.match.pairs import pair_points
from arena.report.numbers import unit_of
from arena.report.page.charts import ChartFrame, Plot
from arena.report.page.row_charts import thinned
from arena.report.page.scales import around
from arena.report.table import Figure
from arena.stats.sprt import llr
from arena.storage.database import Games

MOST_PLACES = 300
"""Points of a line: more than a screen could show apart."""


def llr_path(
    games: Games, test: Mapping[str, Any], most: int = MOST_PLACES
) -> list[tuple[int, float]]:
    """Pairs that counted so far, and the LLR, after each pair, or at about `most` of them.

    They come in the order of the schedule. `test` is the row of its match: see `formats/sprt.py`.
    Copies do not count, and nor does what comes after a pair that is not complete.
    """
    counts, seen, side = [0] * 5, set[int](), _side_of(test["one"])
    found = [tuple(counts)]
    for row, other in _complete_pairs(games):
        pair = pair_identity(row, other)
        if sum(counts) == test["pairs"]:
            break  # what is played on after the decision is no part of the test
        if pair not in seen:
            seen.add(pair)
            points = pair_points(row.result, other.result)
            counts[points if row.result.first in side else 4 - points] += 1
            found.append(tuple(counts))
    hypotheses = test["elo0"], test["elo1"], test["model"]
    return [(sum(each), llr(each, *hypotheses)) for each in thinned(found, most)]


def _side_of(one: str) -> frozenset[str]:
    return frozenset([one, *one.split(TOGETHER)])


def _complete_pairs(games: Games) -> Iterator[tuple[GameRow, GameRow]]:
    """The pairs in the order of the schedule, up to the first that is not complete."""
    for _, pair in groupby(zip(games.pair_numbers, games.rows, strict=True), itemgetter(0)):
        rows = [row for _, row in pair]
        if len(rows) == 1:
            return
        yield rows[0], rows[1]


def llr_figure(games: Games, test: Mapping[Any, Any]) -> Figure:
    """The LLR over the pairs, between its bounds."""
    path = llr_path(games, test)
    lower, upper, llr = (float(test[each]) for each in ("lower", "upper", "llr"))
    frame, pairs = ChartFrame(), max(path[-1][0], 1)
    reach = around([lower, upper, *(llr for _, llr in path)], 0, 1)
    plot = Plot(frame, frame.across(0, pairs), frame.upwards(reach.low, reach.high))
    plot.axes("distinct pairs", "LLR")
    unit = unit_of(test["model"])
    plot.level(upper, f"H1: {test['elo1']:g} {unit}")
    plot.level(lower, f"H0: {test['elo0']:g} {unit}")
    plot.line(path)
    decision = (
        f"decided for {test['decision']}" if test["decision"] in ("H0", "H1") else "not decided"
    )
    caption = (
        f"LLR of {test['one']} against {test['other']}: {llr:.2f} after {path[-1][0]:,} pairs, "
        f"bounds {lower:.2f} and {upper:.2f}; {decision}."
    )
    return Figure(plot.drawn(caption), caption)
