"""The openings of a run: what each gives the first player, and whether it or the players decide."""

from __future__ import annotations

from dataclasses import replace

from support.game_records import game
from support.reports import report, schedule_of

from arena.plugins.load import Named
from arena.report.openings import opening_numbers
from arena.report.run_answer import openings_sections
from arena.report.table import Section, text_frame
from arena.report.verdict import Extras, RunFacts


def texts_of(section: Section) -> list[list[str]]:
    """The rows of its table."""
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


def test_a_page_names_points_as_its_boards_do() -> None:
    played = [(1, game("a", "b", 1, "0,0 8,1")), (2, game("b", "a", 1, "0,0 8,1"))]
    facts = RunFacts("run", Named("gomoku", {"size": 9}), Named("round_robin"), "name: run")
    (found,) = openings_sections(report("ab", played, extras=Extras(runs=[facts])))
    assert texts_of(found)[0][1] == "a9 b1"
