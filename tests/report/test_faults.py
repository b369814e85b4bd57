"""Games that a fault ended: shown as such, and every number that rests on them is marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest
from rich.console import Console
from support.game_records import game, games_of, games_of_numbered
from support.reports import Played, report, schedule_of, shown
from support.samples import Write, player

import arena
from arena.comparison.compare import ComparedRun, Comparison
from arena.comparison.comparison_answer import comparison_answer
from arena.game import Reason
from arena.match.record import GameRecord
from arena.plugins.load import Named
from arena.ratings.rating_answer import player_answer, ratings_answer
from arena.ratings.rating_list import RatedPlayer, RatedRun, rated_pool
from arena.report.answer import Answer
from arena.report.frames import Report
from arena.report.live import Panel
from arena.report.numbers import DOUBT
from arena.report.plan import played
from arena.report.run_answer import run_answer
from arena.report.standings import tally_of
from arena.report.table import Column, Row, Table
from arena.report.verdict import (
    Extras,
    PlayedRuns,
    RunFacts,
    advice_text,
    fault_heads,
    first_step,
    verdict_of,
)
from arena.stats.ratings import rate_with_faults
from arena.tournament.run import RunProgress

ALWAYS_LATE = player("""
    from arena.engine import ProgramError
    raise ProgramError("time", "was late", "rapfi")
""")
FORTY = """
    name: forty
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 20, seed: 1}}
    engines:
      - {name: carbon, engine: random_mover}
      - {name: rapfi, engine: ./late.py}
"""
LOST = "rapfi lost on time in 40 of 40 games"


def screen(found: RunProgress) -> str:
    console = Console(file=StringIO(), width=150)
    panel = Panel(console)
    panel.show(found)
    with console.capture() as capture:
        console.print(panel.shown())
    return capture.get()


def test_the_screen_shows_it_while_games_are_played(write: Write) -> None:
    write(ALWAYS_LATE, "late.py")
    file, seen = write(FORTY.replace("count: 20", "count: 3"), "forty.yaml"), list[str]()
    arena.run(file, workers=0, results=file.parent, watch=lambda found: seen.append(screen(found)))
    assert "faults" not in seen[0]
    assert "rapfi lost on time in 1 of 1 games: mend that before you trust its Elo." in seen[1]
    assert LOST.replace("40", "6") in seen[-1]
    assert re.search("losses +faults", seen[-1])


def test_faults_that_make_an_elo_are_told_with_what_is_left_without_them() -> None:
    """Of 20 split pairs eight are lost: what `a` won in them, it loses by a crash."""
    played = schedule_of(*[("a", "b", 1, 1)] * 20)
    for i in range(0, 16, 2):
        played[i] = (i + 1, replace(played[i][1], winner=2, reason="crash"))
    found = report("ab", played)
    rows = found.standings.set_index("name")
    assert rows["doubtful"].all()
    assert rows["rating_doubtful"].all()
    assert rows.loc["a", "elo"] == pytest.approx(-147, abs=1)
    assert rows.loc["a", "elo_without_faults"] == 0
    assert rows.loc["a", "elo_faults_drawn"] == pytest.approx(-70, abs=1)
    assert found.verdict.basis.startswith("a crashed in 8 of 40 games; on that rests +147? Elo")
    assert not found.warnings
    folded = shown(found).split("Games that a fault ended")[1].split("\n\n")[0]
    assert folded.splitlines()[-1] == (
        "a, against those that it met: +0 Elo without the pairs in which a fault ended a game, -70 "
        "Elo with these games as draws."
    )


def lost_game(reason: Reason, detail: str, plies: int) -> GameRecord:
    """A game that `late` has lost, second on an opening of two plies, after so many plies."""
    texts = [f"{i // 15},{i % 15}" for i in range(plies)]
    made = game("sound", "late", 1, " ".join(texts[:2]), moves=" ".join(texts))
    return replace(made, reason=reason, detail=detail, plies=plies)


def test_an_example_of_a_fault_is_told_and_how_to_see_it_and_to_find_its_cause() -> None:
    lost = [(7, lost_game("illegal move", "on a stone [> TURN 1,1 | < 1,1]", 17))]
    assert advice_text("late", lost, "my runs/cup", "arena check ./late").splitlines() == [
        "late lost game 7, at its move 8: illegal move, on a stone [> TURN 1,1 | < 1,1].",
        "To see it: arena replay 'my runs/cup' 7",
        "To find the cause: arena check ./late",
    ]
    assert len(advice_text("late", lost, "cup", "").splitlines()) == 2


@pytest.mark.parametrize(
    ("reason", "plies", "detail", "is_slow"),
    [
        ("time", 3, "", True),
        ("time", 5, "", False),
        ("crash", 3, "", False),
        ("time", 3, "its program wrote an error (KeyError: 7), and did not move", False),
    ],
)
def test_a_player_that_never_moved_may_need_more_time(
    reason: Reason, plies: int, detail: str, is_slow: bool
) -> None:
    lost = [(1, lost_game("time", "", 3)), (2, lost_game(reason, detail, plies))]
    assert ("--limit 6s" in advice_text("late", lost, "cup", "")) == is_slow


def test_a_busy_machine_is_named_where_all_were_late() -> None:
    late: list[Played] = [
        (number, replace(each, reason="time") if number % 2 else each)
        for number, each in schedule_of(*[("sound", "late", 1, 2)] * 2)
    ]
    rows = tally_of(["sound", "late"], {"": games_of_numbered(late)}).standings()

    def head(load: float, *more: str) -> str:
        return fault_heads(rows, {"late": Counter(["time", "time", *more])}, load)

    assert head(1.0) == "late lost on time in 2 of 4 games"
    assert head(4.0) == f"{head(1.0)} on a busy machine, up to 4.0 processes a core"
    assert head(4.0, "crash") == "late lost on time in 2 and crashed in 1 of 4 games"
    quiet = "Play it again on a quiet machine, or with more time."
    assert first_step([["time"], ["time"]], 4.0) == quiet
    assert first_step([["time"], ["crash"]], 4.0) == "Mend that first."


WRITES_AN_ERROR = player("""
    from arena.engine import ProgramError
    raise ProgramError("time", "wrote an error (KeyError: 7), and did not move", "rapfi")
""")


@pytest.mark.parametrize(("text", "is_machine"), [(ALWAYS_LATE, True), (WRITES_AN_ERROR, False)])
def test_the_machine_is_blamed_only_where_the_talk_has_no_other_cause(
    write: Write, monkeypatch: pytest.MonkeyPatch, text: str, is_machine: bool
) -> None:
    monkeypatch.setattr("arena.tournament.run.load_of", lambda sessions: 3.0)
    write(text, "late.py")
    file = write(FORTY.replace("20", "4"), "forty.yaml")
    found = arena.run(file, workers=0, results=file.parent).report()
    assert ("busy machine" in found.runs[0].stopped) == is_machine
    assert ("busy machine" in found.verdict.basis) == is_machine
    assert ("quiet machine" in found.verdict.next_step) == is_machine


def test_a_resignation_is_no_fault() -> None:
    given_up = [(1, replace(game("a", "b", 1), reason="resignation"))]
    assert not report("ab", given_up).standings["faults"].any()


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


def facts_of(name: str) -> RunFacts:
    return RunFacts(name, Named("gomoku", {"size": 7}), Named("round_robin"), "", 100, True)


def found_report(shift: int = 0) -> Report:
    return report(NAMES, season(shift), extras=Extras(runs=[facts_of("run")]))


def compared(label: str, shift: int) -> ComparedRun:
    extras, games = Extras(runs=[facts_of(label)]), games_of([each for _, each in season(shift)])
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
