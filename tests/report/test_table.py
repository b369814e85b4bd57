"""Tables: numbers with their formats, as text and on pages."""

from __future__ import annotations

from math import inf, nan

import pandas as pd
from markupsafe import Markup

from arena.report.forms.table import plain
from arena.report.page.render import html_table
from arena.report.table import Column, Table, frame_table, text_frame

FRAME = pd.DataFrame(
    {
        "name": ["one", "two"],
        "games": [1200, 30],
        "score": [0.4567, nan],
        "low": [-1.26, 2.0],
        "high": [1.26, inf],
        "passed": [True, False],
        "place": ["#game=1", ""],
    }
)
TABLE = Table(
    "Players",
    FRAME,
    [
        Column("name", link="place"),
        Column("games"),
        Column(
            "score", "points", lambda score: f"{100 * score:.1f} %", style="share-{:.1f}".format
        ),
        Column("bar", draw=lambda row: Markup("<svg>{}</svg>").format(row["name"])),
        Column("low", "95 %", "{:+.1f} to {:+.1f}", ("high",), is_number=False),
        Column("passed"),
    ],
)


def test_a_table_as_text_has_no_drawings_and_whole_numbers_stay() -> None:
    texts = text_frame(TABLE)
    assert list(texts.columns) == ["name", "games", "points", "95 %", "passed"]
    assert texts["games"].dtype == int
    assert texts["points"].to_list() == ["45.7 %", "-"]
    assert texts["95 %"].to_list() == ["-1.3 to +1.3", "+2.0 to +inf"]
    assert texts["passed"].to_list() == ["yes", "no"]


def test_a_page_sorts_by_numbers_that_are_not_rounded() -> None:
    found = html_table(TABLE)
    values = [[cell.value for cell in row] for row in found.rows]
    assert values == [
        [None, 1200.0, 0.4567, None, None, None],
        [None, 30.0, "", None, None, None],
    ]
    numbers = [head.title for head in found.heads if head.is_number]
    assert numbers == ["games", "points"]
    assert [head.title for head in found.heads if not head.is_sortable] == ["bar"]


def test_cells_have_links_styles_and_drawings() -> None:
    first, second = html_table(TABLE).rows
    assert (first[0].link, second[0].link) == ("#game=1", "")
    assert first[2].style == "share-0.5"
    assert first[3].mark == "<svg>one</svg>"
    assert not html_table(TABLE).foot
    scaled = Table("", FRAME, [Column("name"), Column("bar", draw=str, foot=Markup("<hr>"))])
    assert [cell.mark for cell in html_table(scaled).foot] == ["", "<hr>"]


def test_any_frame_is_a_table_even_with_two_columns_of_one_name() -> None:
    frame = pd.DataFrame([[1.23456789, True, None]], columns=["a", "a", "b"])
    table = frame_table("Frame", frame)
    assert text_frame(table).to_numpy().tolist() == [["1.23457", "yes", ""]]
    assert [cell.value for cell in html_table(table).rows[0]] == [1.23456789, None, ""]


def test_a_table_without_rows_has_its_titles() -> None:
    empty = Table("", FRAME[:0], TABLE.columns)
    assert plain(text_frame(empty)) == "name games points 95 % passed"
    assert not any(head.is_number for head in html_table(empty).heads)
