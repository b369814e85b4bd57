"""The openings of a run: what each gives the first player, and whether it or the players decide."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
from support.game_records import game
from support.reports import report, schedule_of

from arena.plugins.load import Named
from arena.report.facts import Extras, RunFacts
from arena.report.page.document import PageTable
from arena.report.sections import OPENING_COUNTS, opening_numbers, openings_section, openings_table


def table(*pairs: tuple[int | None, int | None]) -> pd.DataFrame:
    return openings_table(report("ab", schedule_of(*(("a", "b", *pair) for pair in pairs))).games)


def test_an_opening_decides_where_one_colour_wins_twice() -> None:
    found = table((1, 1), (2, 2), (1, 2), (2, 1), (1, None), (None, None))
    assert list(found["by_colour"]) == [1, 1, 0, 0, 0, 0]
    assert list(found["by_player"]) == [0, 0, 1, 1, 0, 0]
    assert list(found["drawn"]) == [0, 0, 0, 0, 1, 1]
    assert list(found["first_score"]) == [1, 0, 0.5, 0.5, 0.75, 0.5]


def test_openings_are_numbered_as_they_come() -> None:
    records = [
        (1, game("a", "b", 1, "x")),
        (2, game("b", "a", 1, "y")),
        (3, game("a", "b", 1, "x")),
    ]
    found = report("ab", records).games
    assert list(opening_numbers(found)) == [1, 2, 1]
    assert list(openings_table(found)["games"]) == [2, 1]


def test_half_a_pair_counts_as_a_game_only() -> None:
    found = openings_table(report("ab", [(1, game("a", "b", 1))]).games)
    assert found[["by_colour", "by_player", "drawn"]].to_numpy().sum() == 0


def test_games_without_an_opening_have_none() -> None:
    games = report("ab", [(1, replace(game("a", "b", 1), opening=""))]).games
    assert list(opening_numbers(games)) == [0]
    assert list(openings_table(games).columns) == OPENING_COUNTS
    assert openings_table(games).empty


def test_of_many_openings_those_that_favour_a_side_most_are_shown() -> None:
    pairs = [("a", "b", 1, 2)] * 6 + [("a", "b", 1, 1), ("a", "b", 2, 2)]
    section = openings_section(report("ab", schedule_of(*pairs)), most=2)
    assert section
    assert [row[0].text for row in section.parts[0].rows] == ["7", "8"]  # type: ignore[union-attr]
    assert "Of 8 openings, the 2 that favoured a side most are shown." in section.text
    assert "Of 8 pairs of games, 2 were won by the same colour twice" in section.text


def test_a_page_names_points_as_its_boards_do() -> None:
    played = [(1, game("a", "b", 1, "0,0 8,1")), (2, game("b", "a", 1, "0,0 8,1"))]
    facts = RunFacts("run", Named("gomoku", {"size": 9}), Named("round_robin"), "name: run")
    found = openings_section(report("ab", played, extras=Extras(runs=[facts])))
    assert found
    (part,) = found.parts
    assert isinstance(part, PageTable)
    assert part.rows[0][1].text == "a9 b1"
