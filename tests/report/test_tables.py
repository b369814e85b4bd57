"""Numbers and tables as people read them, and the table of the openings that were played."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import pandas as pd
import pytest
from markupsafe import Markup
from support.game_records import game
from support.reports import report, schedule_of

from arena.report.forms.table import plain
from arena.report.numbers import about, format_duration, format_number, format_range
from arena.report.openings import opening_numbers
from arena.report.page.render import html_table
from arena.report.run_answer import openings_sections
from arena.report.table import Column, Section, Table, frame_table, text_frame


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0123, "0.012 s"),
        (1.0, "1 s"),
        (119.9, "120 s"),
        (121.0, "2 min"),
        (3_540.0, "59 min"),
        (3_590.0, "1 h"),
        (6_600.0, "1 h 50 min"),
        (7_300.0, "2 h 2 min"),
        (35_990.0, "10 h"),
        (47.6 * 3_600, "48 h"),
        (5.3 * 86_400, "5.3 days"),
        (120 * 86_400.0, "120 days"),
    ],
)
def test_a_duration_is_told_as_people_would_and_has_no_exponent(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_values_and_their_ranges_have_no_exponents_either() -> None:
    assert format_range(14_170.3, 1e6) == "14,170 to 1,000,000"
    assert format_range(0.5, 551.72) == "0.5 to 551.7"
    assert format_number(1_234_567.0) == "1,234,600"
    assert [format_number(each) for each in (0.25, 7_000, True, "wide")] == [
        "0.25",
        "7,000",
        "True",
        "wide",
    ]


@pytest.mark.parametrize(
    ("games", "text"), [(0.3, "1"), (7.2, "7"), (99.6, "100"), (347, "350"), (12345, "12,000")]
)
def test_an_estimate_has_no_digits_that_mean_nothing(games: float, text: str) -> None:
    assert about(games) == text


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
    assert values == [[None, 1200.0, 0.4567, None, None, None], [None, 30.0, "", None, None, None]]
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


def texts_of(section: Section) -> list[list[str]]:
    (table,) = section.tables
    return list(text_frame(table).to_numpy().tolist())


def test_half_a_pair_counts_as_a_game_only() -> None:
    (found,) = openings_sections(report("ab", [(1, game("a", "b", 1))]))
    assert texts_of(found)[0][2:] == ["1", "100.0 %", "0", "0", "0"]
    assert found.text.startswith("Of 0 pairs of games")


def test_games_without_an_opening_have_none() -> None:
    found = report("ab", [(1, replace(game("a", "b", 1), opening=""))])
    assert list(opening_numbers(found.games)) == [0]
    assert not list(openings_sections(found))


def test_of_many_openings_those_that_favour_a_side_most_are_shown() -> None:
    pairs = [("a", "b", 1, 2)] * 14 + [("a", "b", 1, 1)] * 4 + [("a", "b", 2, 2)] * 5
    shown, others = openings_sections(report("ab", schedule_of(*pairs)))
    assert [row[0] for row in texts_of(shown)] == ["1", *map(str, range(15, 24))]
    assert [row[0] for row in texts_of(others)] == [*map(str, range(2, 15))]
    assert (others.level, others.title) == ("folded", "The next 13 openings")
    assert "Of 23 openings, the 10 that favoured a side most:" in shown.text
    assert "Of 23 pairs of games, 9 were won by the same colour twice, so by the" in shown.text
    assert len(list(openings_sections(report("ab", schedule_of(*pairs[5:15]))))) == 1
