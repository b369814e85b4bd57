"""One Elo a screen: on one scale in a tournament, against the players met of two and in a gauntlet.

The verdict speaks of the same one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.reports import report, schedule_of
from support.samples import Write

import arena
from arena.plugins.load import Named
from arena.report.answer import Answer, report_text
from arena.report.outlook import LiveTable
from arena.report.run_answer import run_answer
from arena.report.verdict import Extras, RunFacts
from arena.tournament.run import RunProgress

PAIRS = [("a", "b", 1, 2), ("a", "b", 1, 2), ("a", "b", 1, 1)] * 4
PAIRS += [("a", "c", 1, 2), ("a", "c", 1, 1), ("b", "c", 1, 1), ("b", "c", 2, 1)] * 6


def answer(format: str, anchor: tuple[str, float] | None = None) -> Answer:
    runs = [RunFacts("m", Named("gomoku"), Named(format), "", None, True)]
    return run_answer(report("abc", schedule_of(*PAIRS), anchor=anchor, extras=Extras(runs=runs)))


def elo_of(text: str, table: str) -> list[str]:
    """The Elo of each player in a table."""
    rows = next(part for part in text.split("\n\n") if part.startswith(table)).splitlines()[2:5]
    return [row.split()[1] for row in rows]


@pytest.mark.parametrize(
    ("format", "folded"),
    [
        ("round_robin", "Elo against the players that each met"),
        ("swiss", "Elo against the players that each met"),
        ("gauntlet", "Elo on one scale for all that met; their mean is 0"),
    ],
)
def test_one_elo_is_shown_and_the_other_is_folded(format: str, folded: str) -> None:
    found = answer(format)
    brief = report_text(found, "table")
    whole = report_text(replace(found, is_full=True), "table")
    shown = elo_of(brief, "Standings")
    assert len(re.findall(r" Elo +95 %", brief)) == 1
    assert len(re.findall(r" Elo +95 %", whole)) == 2
    assert elo_of(whole, folded) != shown
    lead = round(int(shown[0]) - int(shown[1]))
    told = shown[0] if format == "gauntlet" else f"rated {lead} Elo above "
    assert found.verdict
    assert told in str(found.verdict)


def test_an_anchor_is_on_the_scale_that_is_shown() -> None:
    text = report_text(answer("gauntlet", ("b", 2000.0)), "table")
    assert "+2000" in elo_of(text, "Standings")
    assert "\nElo on one scale for all that met; b is +2000.\n" in text


TOURNAMENT = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 6, seed: 1}}
    engines: [{name: a, engine: five_tuple, depth: 1}, {name: b, engine: random_mover}]
"""


@pytest.mark.parametrize("third", ["", ", {name: c, engine: five_tuple, depth: 1, radius: 1}"])
def test_the_live_table_has_the_elo_of_the_report(write: Write, third: str) -> None:
    file = write(TOURNAMENT.replace("}]", f"}}{third}]"), "run.yaml")
    seen = list[RunProgress]()
    run = arena.run(file, workers=0, results=Path(file.parent), watch=seen.append)
    table = next(part for part in seen[-1].view().parts if isinstance(part, LiveTable))
    text = report_text(run_answer(run.report()), "table")
    live = {row[0]: row[1] for row in table.rows}
    rows = next(part for part in text.split("\n\n") if part.startswith("Standings")).splitlines()
    assert live == {row.split()[0]: row.split()[1] for row in rows[2 : 2 + len(live)]}
