"""The ratings as a page: its sections, and the history of an engine as a chart and in words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from arena.ratings.rating_answer import ratings_answer
from arena.ratings.rating_list import RatedPlayer, RatingList, RatingRow, VersionRow
from arena.report.page.render import html_table
from arena.report.table import Figure, Section, text_frame

POOL = ("gomoku:size=15,rule=freestyle", "0.1 to 1 s a move")
DAY = 86400.0
MAY = 1_777_593_600.0
"""2026-05-01, in Greenwich's time."""


def player(name: str, elo: float, *met: str) -> RatingRow:
    own = RatedPlayer("e", "4f09a2")
    figures, counts = (elo, elo - 20, elo + 20), (100, 0, 0)
    told = *POOL, name, own.version, own.engine, *figures, False, 1, *counts, "2026-05-09"
    return RatingRow(*told, ", ".join(met), "", own, len(met), MAY)


def version(mark: str, day: float, elo: float, group: int = 1, reach: float = 20.0) -> RatingRow:
    row = replace(player("own", elo), version=mark, engine="/home/me/own.py:width=3", group=group)
    return replace(row, elo_low=elo - reach, elo_high=elo + reach, first_played=MAY + day * DAY)


def found(*history: RatingRow, players: int = 2) -> RatingList:
    names = [f"p{i}" for i in range(players)]
    rows = [player(each, 10.0, *(n for n in names if n != each)) for each in names]
    change = VersionRow(
        *POOL, "/home/me/own.py:width=3", "aaaaaa", "bbbbbb", 23.0, 5.0, 41.0, False
    )
    return RatingList(rows, [change] if history else [], history)


def section_of(ratings: RatingList) -> Section:
    (section,) = ratings_answer(ratings).sections
    return section


def figures_of(ratings: RatingList) -> list[Figure]:
    return [part for part in section_of(ratings).parts if isinstance(part, Figure)]


def test_a_list_has_a_section_with_when_and_against_whom_each_player_played() -> None:
    section = section_of(found(players=12))
    (table,) = section.tables
    assert section.title == "gomoku: size=15, rule=freestyle; 0.1 to 1 s a move"
    shown = html_table(table)
    first = dict(zip((head.title for head in shown.heads), shown.rows[0], strict=True))
    assert first["last played"].text == "2026-05-09"
    assert first["opponents"].text == "11"
    assert first["opponents"].opened == "p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11"
    assert "comparable group" not in first, "all can be compared"
    assert "faults" not in first


def test_versions_have_a_table_of_their_differences_and_a_chart_that_says_all_in_words() -> None:
    ratings = found(version("aaaaaa", 0, -12.0), version("bbbbbb", 8, 11.0))
    (figure,) = figures_of(ratings)
    words = (
        "own.py: width=3: rating of its versions, with 95 % intervals, by their first games: "
        "aaaaaa -12 (-32 to +8) since 2026-05-01; bbbbbb +11 (-9 to +31) since 2026-05-09"
    )
    assert figure.caption == f"{words}."
    assert f'aria-label="{words}"' in figure.drawing
    assert ">2026-05-03<" in figure.drawing  # a mark of the axis
    _, table = section_of(ratings).tables
    told = ["own.py: width=3", "aaaaaa", "bbbbbb", "+23", "+5 to +41"]
    assert text_frame(table).iloc[0].tolist()[:5] == told


def test_what_cannot_be_compared_or_has_no_time_is_in_no_chart() -> None:
    first, second = version("aaaaaa", 0, -12.0), version("bbbbbb", 8, 11.0)
    assert figures_of(found(first, replace(second, group=2))) == []
    assert figures_of(found(replace(first, first_played=0.0), second)) == []
    (figure,) = figures_of(found(first, replace(second, elo_high=1e9, elo_low=-1e9)))
    assert "bbbbbb - (-) since" in figure.caption


def test_a_chart_can_hold_versions_of_one_moment_and_very_many() -> None:
    (figure,) = figures_of(found(version("aaaaaa", 0, -12.0), version("bbbbbb", 0, 11.0)))
    assert "nan" not in figure.drawing
    many = [version(f"v{number:05}", number, float(number)) for number in range(40)]
    (figure,) = figures_of(found(*many))
    assert ">v00003<" not in figure.drawing
    assert "v00039 +39" in figure.caption


@pytest.mark.parametrize(
    ("days", "marks"),
    [
        (0.1, "05-01 00:00|05-01 01:00|05-01 02:00"),
        (0.5, "05-01 00:00|05-01 03:00|05-01 06:00|05-01 09:00|05-01 12:00"),
        (4, "2026-05-01|2026-05-02|2026-05-03|2026-05-04|2026-05-05"),
        (30, "2026-04-30|2026-05-07|2026-05-14|2026-05-21|2026-05-28"),
        (4000, "2027-10-29|2030-03-27|2032-08-23|2035-01-20|2037-06-18"),
    ],
)
def test_an_axis_of_time_has_a_few_marks_at_round_moments(days: float, marks: str) -> None:
    (figure,) = figures_of(found(version("aaaaaa", 0, -12.0), version("bbbbbb", days, 11.0)))
    told = re.findall(r">(\d{4}-\d\d-\d\d|\d\d-\d\d \d\d:\d\d)<", figure.drawing)
    assert "|".join(told) == marks
