"""Forms of a report: the same frames, tables and notes, however they are written."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pandas as pd
import pytest
from support.reports import report, schedule_of, shown, two_games

from arena import ConfigError
from arena.plugins.load import module, names
from arena.report.answer import FRAMES, save, shows_notes
from arena.report.frames import Report
from arena.report.run_answer import run_answer
from arena.report.verdict import Extras


@pytest.fixture(name="two_games")
def fixture_two_games() -> Report:
    return two_games()


EMPTY = ("matches", "uncounted", "reliability")
"""Frames of two games that have no row."""


@pytest.mark.slow
def test_csv_and_json_use_the_names_of_the_frames(two_games: Report) -> None:
    whole = json.loads(shown(two_games, "json"))
    for name in FRAMES:
        columns = list(getattr(two_games, name).columns)
        if name == "win_rates":
            columns = ["name", "opponent", "score"]
        assert list(pd.read_csv(io.StringIO(shown(two_games, "csv", name))).columns) == columns
        rows = whole[name]
        assert not rows if name in EMPTY else list(rows[0]) == columns
        assert json.loads(shown(two_games, "json", name)) == whole[name]


TEXTS = [form for form in names("form") if not hasattr(module("form", form), "save")]


@pytest.mark.parametrize("form", TEXTS)
def test_every_form_that_writes_no_files_of_its_own_is_text(form: str, two_games: Report) -> None:
    assert re.search("0.75|75.0", shown(two_games, form))
    assert re.search("0.75|75.0", shown(two_games, form, "win_rates"))


@pytest.mark.parametrize("form", [name for name in names("form") if shows_notes(name)])
def test_notes_are_shown_wherever_a_form_has_a_place_for_them(form: str) -> None:
    noted = report("ab", schedule_of(("a", "b", 1, 1)), extras=Extras(notes=["Mind the gap."]))
    assert "Mind the gap." in shown(noted, form)


def test_notes_are_the_end_of_a_report_for_people() -> None:
    noted = report("ab", schedule_of(("a", "b", 1, 1)), extras=Extras(notes=["Mind the gap."]))
    assert shown(noted, "table").endswith("\n\nMind the gap.")
    assert shown(noted, "markdown").endswith("\n\n- Mind the gap.")


def test_rows_leave_no_place_for_notes() -> None:
    assert not shows_notes("csv")
    assert not shows_notes("parquet")


@pytest.mark.slow
def test_markdown_has_the_tables_of_the_text() -> None:
    records = schedule_of(("a|b", "c", 1, 1), ("c", "d", 1, None))
    found = report(["a|b", "c", "d"], records)
    text = shown(found, "markdown")
    titles = re.findall(r"^## (.*)", text, re.MULTILINE)
    assert all(title in shown(found, "table") for title in titles)
    assert len(titles) == 6
    assert re.search(r"^\| name \| Elo \| 95 % \| score", text, re.MULTILINE)
    assert re.search(r"^\| a\\\|b \|.*\| 2 \| 1 \| 0 \| 1 \|$", text, re.MULTILINE)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)


def test_parquet_keeps_every_frame_and_its_types(two_games: Report, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    files = save(run_answer(two_games), "parquet", None, tmp_path / "frames")
    assert {file.stem for file in files} == set(FRAMES)
    games = pd.read_parquet(tmp_path / "frames/games.parquet")
    pd.testing.assert_frame_equal(games, two_games.games)
    (file,) = save(run_answer(two_games), "parquet", "pairs", tmp_path / "one.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(file), two_games.pairs)


def test_parquet_says_what_it_needs(
    two_games: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="say where to with -o"):
        shown(two_games, "parquet")
    monkeypatch.setattr("arena.report.forms.parquet.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install pyarrow$"):
        save(run_answer(two_games), "parquet", None, tmp_path / "frames")


def test_what_cannot_be_written_is_a_fault(two_games: Report, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file or directory"):
        save(run_answer(two_games), "csv", None, tmp_path / "none/standings.csv")


def test_an_unknown_frame_is_a_fault(two_games: Report) -> None:
    with pytest.raises(ConfigError, match="did you mean 'standings'"):
        shown(two_games, "csv", "standing")


def test_an_unknown_form_is_a_fault(two_games: Report) -> None:
    with pytest.raises(ConfigError, match="unknown form 'jsn'; did you mean 'json'"):
        shown(two_games, "jsn")
