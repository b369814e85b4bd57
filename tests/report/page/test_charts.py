"""Charts: numbers that can be drawn for all results, paths of tests, brackets and rankings."""

from __future__ import annotations

import random
import re
from itertools import product
from math import inf, nan
from xml.etree import ElementTree

import pandas as pd
import pytest
from markupsafe import Markup
from support.game_records import game, games_of, results_of
from support.html_outlines import Outline

from arena.format import Field
from arena.formats import sprt
from arena.match.record import GameRecord
from arena.plugins.load import Named
from arena.report.page.bracket import bracket_figure
from arena.report.page.charts import (
    PANE,
    AxisScale,
    ChartFrame,
    Plot,
    around,
    axis_mark,
    element,
    heat_style,
    interval_mark,
    llr_figure,
    llr_path,
    number_or_text,
    part_bar,
    picture,
    results_bar,
    row_scale,
    share_bar,
    text_at,
    thinned,
    tick_text,
)
from arena.report.run_answer import format_format
from arena.report.table import text_frame
from arena.report.tables import swiss_table
from arena.storage.database import Games

ODD = (nan, inf, -inf, -800.0, 0.0, 12.5, 3000.0)


def checked(drawing: Markup) -> Outline:
    """The drawing as read: a picture in words, all of whose numbers are finite."""
    found = Outline(str(drawing))
    tag, root = found.tags[0]
    assert (tag, root["role"]) == ("svg", "img")
    assert root["aria-label"]
    assert found.tags[1][0] == "title"
    values = " ".join(value for _, given in found.tags for value in given.values())
    assert not re.search(r"\b(nan|inf)\b", values)
    return found


def test_an_interval_can_be_drawn_whatever_is_known() -> None:
    scale = row_scale(-100, 300)
    for low, value, high in product(ODD, repeat=3):
        found = checked(interval_mark(scale, low, value, high, "so much", is_bar=True))
        for _, each in found.tags:
            for name in ("x1", "x2", "cx", "x"):
                assert 0 <= float(each.get(name, 0)) <= 240, (low, value, high)


@pytest.mark.parametrize(
    ("low", "value", "high", "arrows", "dots"),
    [
        (-50, -40, 10, [], 1),
        (-500, -40, 10, [0], 1),
        (-50, -40, 300, [240], 1),
        (-500, -40, 300, [0, 240], 1),
        (nan, nan, -40, [0], 0),
        (-40, nan, nan, [240], 0),
        (nan, nan, -300, [0], 0),
        (120, 130, 140, [240], 0),
        (nan, nan, nan, [], 0),
        (nan, -40, nan, [], 0),
    ],
)
def test_what_is_cut_or_open_has_an_arrow_and_what_is_not_known_nothing(
    low: float, value: float, high: float, arrows: list[int], dots: int
) -> None:
    found = checked(interval_mark(row_scale(-100, 100), low, value, high, "so much", is_bar=True))
    points = [given["points"].split()[1] for tag, given in found.tags if tag == "polygon"]
    assert [float(point.split(",")[0]) for point in points] == arrows
    lines = [given for tag, given in found.tags if tag == "line" and given["class"] != "zero"]
    assert len([each for each in lines if each["class"] == "point"]) == dots
    assert bool(lines) == bool(arrows or dots)
    has_bar = any(tag == "rect" for tag, _ in found.tags)
    assert has_bar == (low == low and high == high), "a bound is no bar"


@pytest.mark.parametrize("counts", [(0, 0, 0), (1, 0, 0), (0, 7, 0), (3, 2, 1), (0, 0, 9)])
def test_a_bar_of_results_is_full_if_there_are_any(counts: tuple[int, int, int]) -> None:
    found = checked(results_bar(*counts))
    widths = [float(a["width"]) for tag, a in found.tags if tag == "rect"][1:]
    assert sum(widths) == pytest.approx(140 if sum(counts) else 0, abs=0.2)


@pytest.mark.parametrize("value", ODD)
def test_bars_stay_within_their_room(value: float) -> None:
    for drawing in (share_bar(value, "share"), part_bar(value, 5, "part"), part_bar(1, value, "p")):
        widths = [float(a["width"]) for tag, a in checked(drawing).tags if tag == "rect"]
        assert all(0 <= width <= 140 for width in widths)


@pytest.mark.parametrize("values", [[], [nan], [0.0], [5.0, 5.0], [-inf, inf], [-3.0, 800.0]])
def test_a_scale_has_room_for_all_that_is_finite(values: list[float]) -> None:
    scale = around(values, 10, 230)
    assert scale.low < 0 < scale.high
    assert all(scale.holds(value) for value in values if abs(value) < inf)
    assert all(scale.holds(tick) for tick in scale.ticks())
    checked(axis_mark(row_scale(scale.low, scale.high), "scale"))


def test_places_are_in_proportion_and_end_at_the_ends() -> None:
    scale = AxisScale(-10, 10, 0, 100)
    assert [scale.at(value) for value in (-99, -10, 0, 5, 10, 99)] == [0, 0, 50, 75, 100, 100]


def test_a_logarithmic_scale_has_round_values_and_equal_ratios() -> None:
    scale = AxisScale(1, 100, 0, 100, is_log=True)
    assert scale.at(10) == pytest.approx(50)
    assert scale.ticks(3) == [1, 10, 100]
    assert AxisScale(2, 100, 0, 1, is_log=True).ticks(6) == [2, 5, 10, 20, 50, 100]
    assert AxisScale(3, 4, 0, 1, is_log=True).ticks(3) == [3, 4]
    assert AxisScale(4, 900, 0, 1, is_log=True).ticks(6) == [5, 10, 50, 100, 500]
    assert AxisScale(1, 1000, 0, 1, is_log=True).ticks(6) == [1, 10, 100, 1000]
    assert AxisScale(1, 1e12, 0, 1, is_log=True).ticks(6) == [1, 1e3, 1e6, 1e9, 1e12]


@pytest.mark.parametrize(
    ("least", "step"), [(0.9, 1), (1, 1), (1.1, 2), (3, 5), (7, 10), (130, 200), (0.03, 0.05)]
)
def test_steps_are_round(least: float, step: float) -> None:
    ticks = AxisScale(0, 20 * least, 0, 1).ticks(20)
    assert ticks[:2] == pytest.approx([0, step])


def test_ticks_are_short() -> None:
    texts = [tick_text(value) for value in (0.0, -0.0, 1500.0, 0.25, 3 * 0.1, 1e6, 1e-5)]
    assert AxisScale(2, 2, 0, 1).ticks() == [2]
    assert texts == ["0", "0", "1,500", "0.25", "0.3", "1M", "0.00001"]
    assert [tick_text(value) for value in (9999.0, 1e4, -12_500.0, 5e7)] == [
        "9,999", "10K", "-12.5K", "50M",
    ]  # fmt: skip
    signed = [tick_text(value, is_signed=True) for value in (200, -0.0, -50.0)]
    assert signed == ["+200", "0", "-50"]


def test_a_plot_draws_what_is_finite() -> None:
    frame = ChartFrame()
    plot = Plot(frame, frame.across(0, 10), frame.upwards(-5, 5))
    plot.axes("pairs", "LLR")
    plot.line([(0, 0), (1, nan), (2, 99), (inf, 1)])
    plot.dots([(0, 0), (1, nan), (2, 99)])
    plot.specks([(0, 0), (nan, 1), (3, 3)])
    plot.errors(3, 1, nan, inf)
    plot.errors(3, nan, 0, 1)
    plot.band(8, 4)
    plot.level(2, "bound")
    found = checked(plot.drawn("a chart"))
    (line,) = [a for tag, a in found.tags if tag == "polyline"]
    assert len(line["points"].split()) == 2
    assert {"pairs", "LLR", "bound"} <= set(found.texts)


def test_what_is_no_number_is_never_drawn() -> None:
    with pytest.raises(ValueError, match="nothing can be drawn at nan"):
        element("circle", cx=nan)


def test_texts_in_drawings_are_text() -> None:
    name = "</text></svg><script>alert(1)</script>"
    found = checked(picture(10, 10, name, text_at(1, 1, name)))
    assert {tag for tag, _ in found.tags} == {"svg", "title", "text"}
    assert found.texts == [name, name]


@pytest.mark.parametrize(
    ("share", "style"),
    [(1, "heat-p5"), (0.5, "heat-0"), (0, "heat-m5"), (0.6, "heat-p1"), (nan, "heat-none")],
)
def test_heat_has_eleven_shades(share: float, style: str) -> None:
    assert heat_style(share) == style


def test_many_points_are_thinned_but_for_their_ends() -> None:
    points = [(float(i), 0.0) for i in range(1000)]
    found = thinned(points, 100)
    assert (found[0], found[-1]) == (points[0], points[-1])
    assert len(found) <= 101
    assert thinned(points[:50], 100) == points[:50]


@pytest.mark.parametrize("frame", [ChartFrame(), PANE])
@pytest.mark.parametrize(
    ("low", "high", "is_log"),
    [(0, 10_000, False), (1, 5e7, True), (300, 1200, True), (0, 1_050_000, False), (-5, 5, False)],
)
def test_marks_of_an_axis_do_not_touch_and_stay_in_the_picture(
    frame: ChartFrame, low: float, high: float, is_log: bool
) -> None:
    plot = Plot(frame, frame.across(low, high, is_log), frame.upwards(0, 1))
    plot.axes("games", "Elo", x_text="{:,.0f}".format)
    drawing = ElementTree.fromstring(plot.drawn("chart"))
    base = str(number_or_text(plot.y.start + 18))
    marks = [each for each in drawing.iter("text") if each.get("y") == base]
    ends = [0.0]
    for each in marks:
        half = len(each.text or "") * frame.letter / 2
        middle = float(each.get("x", ""))
        assert middle - half >= ends[-1] - 0.1
        ends.append(middle + half)
    assert len(marks) >= 2
    assert ends[-1] <= frame.width + 0.1
    (title,) = (each for each in drawing.iter("text") if each.text == "Elo")
    assert float(title.get("y", "")) == pytest.approx((plot.y.start + plot.y.end) / 2, abs=0.1)


VALUES = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}


def games(count: int, seed: int = 1, moves: str = "") -> list[GameRecord]:
    """Pairs of one player that wins more often, each pair's games in any order."""
    chance = random.Random(seed)
    found = []
    for i in range(count):
        pair = [
            game("new", "old", chance.choice([1, 1, 2, None]), str(i), moves=moves),
            game("old", "new", chance.choice([1, 2, 2, None]), str(i), moves=moves),
        ]
        found += chance.sample(pair, 2)
    return found


def row_of(records: list[GameRecord], pairs: int = 40) -> dict[str, object]:
    field = Field(("new", "old"), tuple(map(str, range(pairs))), 1)
    (row,) = sprt.matches(field, results_of(records), **VALUES, pairs=pairs)
    return row


@pytest.mark.parametrize("seed", range(5))
def test_its_end_is_the_llr_of_the_match(seed: int) -> None:
    records = games(8, seed)
    row = row_of(records)
    path = llr_path(games_of(records), row)
    assert path[0] == (0, pytest.approx(0, abs=1e-3))
    assert path[-1] == (row["pairs"], row["llr"])
    assert [pairs for pairs, _ in path] == list(range(9))


def test_of_a_long_test_a_screen_full_is_shown() -> None:
    records = games(40)
    row = row_of(records)
    path = llr_path(games_of(records), row, most=10)
    assert len(path) <= 12
    assert path[-1] == (row["pairs"], row["llr"])


def test_copies_do_not_count() -> None:
    records = games(1)
    assert len(llr_path(games_of(records[:2]), row_of(records[:2]))) == 2
    copies = [game("new", "old", 1, str(i), moves="a") for i in range(3)]
    copies += [game("old", "new", 2, str(i), moves="b") for i in range(3)]
    row = row_of(copies)
    assert llr_path(games_of(copies), row)[-1] == (row["pairs"], row["llr"]) == (1, row["llr"])


def test_what_comes_after_an_incomplete_pair_does_not_count_yet() -> None:
    records = games(6)
    del records[5]
    row = row_of(records)
    assert row["pairs"] == 2
    assert llr_path(games_of(records), row)[-1] == (2, row["llr"])


def test_no_game_is_a_picture_too() -> None:
    figure = llr_figure(Games(), row_of([]))
    assert "0.00 after 0 pairs" in figure.caption
    assert "not decided" in figure.caption


@pytest.mark.parametrize(("model", "unit"), [("logistic", "Elo"), ("normalized", "nElo")])
def test_hypotheses_are_told_in_their_unit(model: str, unit: str) -> None:
    drawing = llr_figure(Games(), row_of([]) | {"model": model}).drawing
    assert f"H1: 50 {unit}<" in drawing
    assert f"H0: 0 {unit}<" in drawing
    test = Named("sprt", {"elo0": 0.0, "elo1": 50.0, "model": model})
    assert format_format(test) == f"SPRT of 0 against 50 {unit}"


LONG = "a name of " + "many " * 10 + "words"


def matches(*rows: tuple[int, str, str, int, float, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["stage", "one", "other", "pairs", "score", "winner"])


CUP = matches(
    (1, "d", "e", 2, 0.375, "e"),
    (2, "a", "e", 3, 0.5, "a"),
    (2, "b", "c", 2, 0.25, "c"),
    (3, "a", "c", 1, 0.75, ""),
)
"""Five players; the final goes on."""


def texts(drawing: str) -> list[tuple[str, bool]]:
    found = ElementTree.fromstring(drawing).iter("text")
    return [(each.text, each.get("class") == "won") for each in found if each.text]


def test_a_bracket_has_byes_points_and_bold_winners() -> None:
    figure = bracket_figure("abcde", CUP)
    found = texts(figure.drawing)
    words = [text for text, _ in found]
    assert [each for each in words if "final" in each] == ["quarter-final", "semi-final", "final"]
    assert words.count("bye") == 3
    assert [text for text, is_bold in found if is_bold] == ["e", "2.5", "a", "3", "c", "3"]
    assert {"1.5", "1"} <= set(words)
    assert "won" not in figure.caption, "the final goes on"
    over = CUP.assign(winner=[*CUP["winner"][:3], "a"])
    assert bracket_figure("abcde", over).caption.startswith(
        "a won the final against c, 1.5\xa0-\xa00.5."
    )


@pytest.mark.parametrize("count", [2, 3, 8, 9, 33])
def test_a_bracket_is_whole_before_its_first_match(count: int) -> None:
    names = [f"player {i}" for i in range(count)]
    root = ElementTree.fromstring(bracket_figure(names, CUP[:0]).drawing)
    boxes = list(root.iter("rect"))
    byes = [each for each in root.iter("text") if each.text == "bye"]
    assert len(boxes) == count - 1 + len(byes), "each match puts one player out"
    for box in boxes:
        x, y, width, height = (
            float(box.get(each, "nan")) for each in ("x", "y", "width", "height")
        )
        assert x >= 0 <= y
        assert x + width <= float(root.get("width", 0))
        assert y + height <= float(root.get("height", 0))


def test_a_long_name_is_cut_and_whole_under_the_mouse() -> None:
    drawing = bracket_figure([LONG, "b"], matches((1, LONG, "b", 1, 0.5, LONG))).drawing
    (name,) = [each for each in ElementTree.fromstring(drawing).iter("text") if len(each)]
    assert str(name.text).endswith("\u2026")
    assert name[0].text == LONG


def test_a_swiss_ranks_by_points_then_by_the_file() -> None:
    """Thirds of points add up to halves; a bye is worth a draw."""
    rows = matches(
        (1, "c", "b", 3, 1 / 12, ""),
        (1, "d", "e", 3, 0.5, ""),
        (2, "b", "a", 3, 5 / 12, ""),
        (2, "c", "d", 0, 0.5, ""),
    )
    table = swiss_table("cabde", rows)
    assert text_frame(table).astype(str).to_numpy().tolist() == [
        ["1", "b", "8", "5.5 - 0.5 c", "2.5 - 3.5 a"],
        ["2", "a", "6.5", "bye 3", "3.5 - 2.5 b"],
        ["3", "e", "6", "3 - 3 d", "bye 3"],
        ["4", "d", "3", "3 - 3 e", "c"],
        ["5", "c", "0.5", "0.5 - 5.5 b", "d"],
    ]
    assert len(table.notes) == 2
    assert len(swiss_table("abcd", rows[rows["one"] != "d"]).notes) == 1, "nobody rests"
