"""Runs and studies without games: every form of the report says so, and none shows empty tables."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from click.testing import CliRunner
from support.html_outlines import Outline
from support.reports import report
from support.samples import ROUND, Write

import arena
from arena.cli import arena as command
from arena.ratings.rating_list import MeetingRow, VersionRow
from arena.report.answer import report_text
from arena.report.forms.table import plain
from arena.report.frames import PAIRS, report_of
from arena.report.numbers import format_elo, format_interval, format_rated, shaped, text_type
from arena.report.run_answer import run_answer
from arena.report.table import text_frame
from arena.report.tables import pairs_table
from arena.report.verdict import Extras
from arena.tournament.combine import report_runs
from arena.tuning.proof.verification import Attempt, ConditionGain, Gain

NOTHING = "No game was played yet."
NEXT = "12 games are still to come; arena run goes on with them."


@pytest.fixture
def run(write: Write) -> arena.Run:
    return arena.run(write(), workers=0, results=write().parent, stop=lambda: True)


@pytest.mark.parametrize("form", ["table", "markdown", "json", "csv"])
def test_the_report_of_a_run_without_games_says_so(run: arena.Run, form: str) -> None:
    done = CliRunner().invoke(command, ["report", str(run.folder), "--format", form])
    assert done.exit_code == 0
    assert NOTHING.removesuffix(".") in done.output
    assert "Empty DataFrame" not in done.output
    if form == "json":
        found = json.loads(done.stdout)
        assert (f"{found['verdict']['text']}.", found["notes"]) == (NOTHING, [])
    if form in ("table", "markdown"):
        sentences, facts = done.stdout.replace("*", "").split("\n\n")
        assert sentences == f"{NOTHING} {NEXT}"
        assert facts.startswith("Games: 0; Players: 3; ")


def test_its_page_says_so_too(run: arena.Run) -> None:
    page = Outline(report_text(run_answer(run.report()), "html"))
    assert NOTHING in page.text
    assert "Standings" not in page.text
    assert "games" not in page.ids


@pytest.mark.parametrize("kind", [Gain, ConditionGain, Attempt, MeetingRow, VersionRow])
@pytest.mark.parametrize("count", [0, 2])
def test_columns_without_a_value_have_the_types_that_values_would_give(
    kind: type, count: int
) -> None:
    hints = {name: str(hint).split(" | ")[0] for name, hint in kind.__annotations__.items()}
    of_empty = {"int": "int64", "float": "float64", "bool": "bool", "str": text_type()}
    of_unknown = {**of_empty, "int": "Int64", "bool": "boolean"}
    frame = shaped(pd.DataFrame([[None] * len(hints)] * count, columns=list(hints), dtype=object))
    types = of_unknown if count else of_empty
    assert dict(frame.dtypes.map(str)) == {name: types[hint] for name, hint in hints.items()}
    assert frame.isna().all().all()


@pytest.mark.parametrize("rows", [[], [{"one": "a", "other": "b", "pairs": 3, "llr": 0.5}]])
def test_matches_have_the_columns_of_all_formats(rows: list[dict[str, object]]) -> None:
    found = report_of(["a", "b"], {}, extras=Extras(matches=rows))
    types = dict(report_of(["a", "b"], {}).matches.dtypes)
    assert dict(found.matches.dtypes) == types
    assert {"stage", "score", "winner", "llr", "decision"} <= {*types}
    assert list(found.decided) == list(rows[0] if rows else [])


@pytest.mark.parametrize("frame", ["matches", "endings", "games", "uncounted", "win_rates"])
def test_a_frame_without_rows_has_its_columns(run: arena.Run, frame: str) -> None:
    done = CliRunner().invoke(command, ["report", str(run.folder), "--frame", frame])
    assert done.stderr.strip() == NOTHING
    assert done.stdout.split() == list(run_answer(run.report()).frame(frame).columns)


def test_games_that_do_not_count_are_told_from_none(write: Write) -> None:
    file = write(ROUND)
    arena.run(file, workers=0, results=file.parent)
    write(ROUND.replace("name: one", "name: new").replace("name: two", "name: old"))
    run = arena.run(file, workers=0, results=file.parent, stop=lambda: True)
    contents = run_answer(run.report())
    told = "No game that counts was played yet"
    assert contents.verdict
    assert contents.verdict.text == told
    assert contents.notes[0] == (
        "12 games are kept but not counted: of players that the config has no longer."
    )


def test_so_do_several_runs_together(run: arena.Run, write: Write) -> None:
    other = arena.run(
        write(name="other.yaml"), workers=0, results=run.folder.parent, stop=lambda: True
    )
    found = report_runs([run.folder, other.folder])
    assert report_text(run_answer(found), "table").startswith(NOTHING)


def test_no_game_has_a_number(run: arena.Run) -> None:
    done = CliRunner().invoke(command, ["replay", str(run.folder), "1"])
    assert "no game was played yet" in str(done.exception)


def test_no_number_is_minus_zero() -> None:
    assert format_elo(-0.4, -0.3, 0.3, False) == "+0"
    assert format_interval(-0.2, 0.2) == "+0 to +0"
    assert format_rated(-0.4, -0.4, 0.4, 2, False) == "+0"
    assert format_interval(-0.4, 0.4, -0.4) == "+0 to +0"
    lost = dict.fromkeys(PAIRS, 1) | {"draw_ratio": 0.5, "pair_ratio": 1.0}
    nelo = {"nelo": -0.4, "nelo_low": -0.4, "nelo_high": 0.4, "doubtful": False}
    pairs = text_frame(pairs_table(pd.DataFrame([{"name": "a", **lost, **nelo}])))
    assert pairs["nElo"].item() == "+0"


def test_a_table_without_rows_has_its_titles() -> None:
    assert plain(report(["a", "b"], []).endings) == "reason winner games"
