"""A number of strength that faults carry is marked, wherever it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pandas as pd
import pytest
from support.game_records import games_of
from support.reports import Played, report, schedule_of, shown

from arena.comparison.compare import ComparedRun, Comparison
from arena.comparison.comparison_answer import comparison_answer
from arena.plugins.load import Named
from arena.ratings.rating_answer import player_answer, ratings_answer
from arena.ratings.rating_list import RatedPlayer, RatedRun, rated_pool
from arena.report.answer import Answer
from arena.report.frames import Report
from arena.report.numbers import DOUBT
from arena.report.plan import played
from arena.report.run_answer import run_answer
from arena.report.standings import tally_of
from arena.report.table import Column, Row, Table
from arena.report.verdict import Extras, PlayedRuns, RunFacts, verdict_of
from arena.stats.ratings import rate_with_faults

STRENGTH = re.compile(r"(elo|nelo|los|rating|gain|estimate)(_before|_after)?")
"""Columns of frames, and of tables, that tell how strong a player is."""
MARK_OF = {"rating": "rating_doubtful"}
NOTHING = ("-", "", "not known")
NAMES = ["a", "b", "c"]


def season(shift: int = 0) -> list[Played]:
    """Equals, of which b crashes in 12 games against either of the others."""
    pairs = [(one, two, 1, 1) for one, two in (("a", "b"), ("a", "c"), ("b", "c"))] * 12
    pairs += [(one, two, 1, 2) for one, two in (("a", "c"), ("c", "a"))] * (3 + shift)
    found = []
    for number, record in schedule_of(*pairs, *[("b", "c", 2, 1)] * 6, *[("a", "b", 1, 2)] * 6):
        lost = {1: record.second, 2: record.first}.get(record.winner or 0) == "b"
        is_fault = lost and number > 2 * (36 + 6 + 2 * shift)
        found.append((number, replace(record, reason="crash") if is_fault else record))
    return found


def facts(name: str) -> RunFacts:
    return RunFacts(name, Named("gomoku", {"size": 7}), Named("round_robin"), "", 100, True)


def found_report(shift: int = 0) -> Report:
    return report(NAMES, season(shift), extras=Extras(runs=[facts("run")]))


def compared(label: str, shift: int) -> ComparedRun:
    extras, games = Extras(runs=[facts(label)]), games_of([each for _, each in season(shift)])
    if label == "sound":
        sound = [replace(each, reason="line", winner=None) for _, each in season()]
        games = games_of(sound)
    tally = tally_of(NAMES, {label: games})
    runs = PlayedRuns(
        tally, tally.standings(), rate_with_faults(NAMES, tally.evidence_views), extras
    )
    return ComparedRun(label, {"engines": {}}, runs, verdict_of(runs))


def answers() -> Mapping[str, Answer]:
    players = {name: RatedPlayer(name, "") for name in NAMES}
    games = games_of([each for _, each in season()])
    runs = [RatedRun("run", ("gomoku", "depth 1"), players, games, 1.0, 86400.0)]
    rated = rated_pool(runs[0].pool, runs)
    b = next(row.id for row in rated.players if row.name == "b")
    both = Comparison(compared("sound", 0), compared("crashes", 0))
    return {
        "report": replace(run_answer(found_report()), is_full=True),
        "ratings": ratings_answer(rated),
        "player": player_answer(rated, b, {}, ""),
        "compare": comparison_answer(both),
    }


def frames_of(answer: Answer) -> Iterator[pd.DataFrame]:
    for frame in answer.frames.values():
        yield frame() if callable(frame) else frame


@pytest.mark.parametrize("name", ["report", "ratings", "player", "compare"])
def test_every_frame_and_table_marks_its_numbers_of_strength(name: str) -> None:
    answer, marked = answers()[name], 0
    for frame in frames_of(answer):
        for column in filter(STRENGTH.fullmatch, map(str, frame)):
            assert {MARK_OF.get(column, "doubtful"), f"{column}_doubtful"} & {*frame}, column
    sections = [*answer.sections, *answer.page_sections]
    for table in (table for section in sections for table in section.tables):
        shown = [each for each in table.columns if is_strength(table, each)]
        for row in table.rows:
            texts = [(column.heading, *texts_of(column, row)) for column in shown]
            assert all(DOUBT in text or text in NOTHING for _, text, _ in texts), (table, texts)
            marked += sum(DOUBT in text for *_, text in texts)
    assert marked, "faults carry some of these numbers"


def is_strength(table: Table, column: Column) -> bool:
    """True for a number of strength; gains stand beside what was before, and after."""
    if column.draw:
        return column.heading.startswith("Elo")
    has_gains = any(each.name == "gain" for each in table.columns)
    return bool(STRENGTH.fullmatch(str(column.name))) or (
        has_gains and column.name in ("before", "after")
    )


def texts_of(column: Column, row: Row) -> tuple[str, str]:
    """The text of a cell if faults carried its number, and as it is."""
    carried = {key: True if "doubtful" in str(key) else value for key, value in row.items()}
    if not column.draw:
        return column.text(carried), column.text(row)
    labels = [re.search('aria-label="([^"]*)"', column.draw(each)) for each in (carried, row)]
    carried_text, text = (label[1] if label else "" for label in labels)
    return carried_text, text


def test_texts_and_pages_show_the_mark_beside_each_number_of_who_crashes() -> None:
    found = found_report()
    row = found.standings.set_index("name").loc["b"]
    assert row["doubtful"]
    line = next(line for line in shown(found).splitlines() if re.match(r" *b +-\d", line))
    assert re.match(r" *b +-\d+\? ", line)
    against = shown(found).partition("Elo against the players")[2]
    line = next(line for line in against.splitlines() if re.match(r" *b +-\d", line))
    assert re.match(r" *b +-\d+\? .* 0.0 %\?", line), "Elo and LOS"
    pairs = shown(found).partition("Distinct pairs by points")[2]
    line = next(line for line in pairs.splitlines() if line.split()[:1] == ["b"])
    assert re.search(r"-\d+\?", line), "nElo"


def test_the_nearest_rival_without_faults_may_be_another_than_the_second() -> None:
    """a leads b, its second; c lost to it only by crashes, and is as good."""
    pairs = [("a", "b", 1, 2)] * 10 + [("a", "b", 1, 1)] * 20 + [("b", "c", 1, 1)] * 30
    sound = schedule_of(*pairs, *[("a", "c", 1, 1)] * 20)
    crashed = [
        (number, replace(each, reason="crash"))
        for number, each in schedule_of(*[("a", "c", 1, 2)] * 10)
    ]
    games = [
        (number, replace(each, opening=str(number // 2)))
        for number, (_, each) in enumerate([*sound, *crashed])
    ]
    verdicts = [
        report(NAMES, each, extras=Extras(runs=[facts("run")])).verdict
        for each in (games, [(n, replace(each, reason="line")) for n, each in games])
    ]
    assert [each.tone for each in verdicts] == ["doubtful", "good"]


def test_a_plan_rests_on_pairs_without_faults() -> None:
    pairs = [("a", "b", 1, 1)] * 10 + [("a", "b", 1, None)] * 4
    games = schedule_of(*pairs)
    faulty = [
        (number, replace(each, reason="crash") if number in (1, 3, 25) else each)
        for number, each in games
    ]
    basis, beside = (played(report(["a", "b"], each)) for each in (games, faulty))
    assert basis
    assert beside
    assert "14 distinct pairs (0 0 10 4 0 of 0 to 2 points)." in basis.told
    assert "11 distinct pairs (0 0 8 3 0 of 0 to 2 points); 3 more, in which a fault" in beside.told
    assert sum(basis.shares) - sum(beside.shares) == pytest.approx(3)
