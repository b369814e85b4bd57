"""The filter of the list of runs: what an address asks for, and which runs are found."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from server.test_run_list import empty_run, listed, look_always, names
from support.page_requests import ask, page_of

from arena.server.watch import run_list
from arena.server.watch.run_list import RunFilter, asked_filter
from arena.storage.folder import DATABASE, player_names

__all__ = ["look_always"]


def played_run(results: Path, name: str, *players: str, key: str = "engines") -> Path:
    """A run whose database has these players."""
    folder = empty_run(results, name)
    facts = {"kind": "study" if key == "players" else "tournament"}
    facts |= {key: [{"name": player} for player in players]}
    with closing(sqlite3.connect(folder / DATABASE)) as base:
        base.execute("CREATE TABLE facts (json TEXT)")
        base.execute("INSERT INTO facts VALUES (?)", [json.dumps(facts)])
        base.commit()
    moment = time.time() - 300_000
    os.utime(folder / DATABASE, (moment, moment))
    return folder


def test_an_address_keeps_its_filter() -> None:
    wanted = RunFilter("null move", "tuple", "complete", "2026-11-01", "2026-11-25")
    query = wanted.query(3)
    assert query == (
        "search=null+move&player=tuple&state=complete&from=2026-11-01&to=2026-11-25&page=3"
    )
    words = dict(each.split("=") for each in query.replace("+", " ").split("&"))
    assert asked_filter(words) == wanted
    assert RunFilter().query() == ""


@pytest.mark.parametrize(
    "day", ["2026-13-01", "20261101", "2026-1-1", "x" * 999, "٢٠٢٦-١١-٠١", "0"]
)
def test_what_is_no_day_filters_nothing(day: str) -> None:
    assert asked_filter({"from": day, "to": day, "state": day}) == RunFilter()


def test_days_are_whole_and_the_end_of_time_is_no_fault() -> None:
    since, until = RunFilter(since="2026-11-25", until="2026-11-25").span
    assert until - since == 86400
    assert time.strftime("%Y-%m-%d %H:%M", time.localtime(since)) == "2026-11-25 00:00"
    assert RunFilter(until="9999-12-31").span[1] > until
    assert RunFilter(since="0001-01-01").span[0] < since


def test_runs_are_found_by_a_player_and_by_the_day_on_which_they_were_played(
    tmp_path: Path,
) -> None:
    played_run(tmp_path, "old", "tuple-d4", "Shapes d3")
    played_run(tmp_path, "study", "default", key="players")
    new = played_run(tmp_path, "new", "tuple-d6")
    (new / DATABASE).touch()
    today = time.strftime("%Y-%m-%d")
    with listed(tmp_path) as runs:
        assert {*names(runs.page(RunFilter(player="TUPLE")))} == {"new", "old"}
        assert names(runs.page(RunFilter(player="d3 shapes"))) == ["old"]
        assert names(runs.page(RunFilter(player="tuple d3"))) == []  # of two players
        assert names(runs.page(RunFilter(player="default"))) == ["study"]
        assert names(runs.page(RunFilter(since=today))) == ["new"]
        assert {*names(runs.page(RunFilter(until="2001-01-01")))} == set()
        assert names(runs.page(RunFilter(player="tuple", since=today))) == ["new"]


def test_players_that_were_not_read_yet_are_counted_and_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        played_run(tmp_path, f"{number}", "one")
    with listed(tmp_path) as runs:
        monkeypatch.setattr(run_list, "NAMES_AT_ONCE", -1.0)
        page = runs.page(RunFilter(player="one"))
        assert (page.found, page.unread) == (0, 3)
        monkeypatch.setattr(run_list, "NAMES_AT_ONCE", 9.0)
        page = runs.page(RunFilter(player="one"))
        assert (page.found, page.unread) == (3, 0)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE facts (json TEXT)",
        "CREATE VIEW facts AS WITH RECURSIVE f(json) AS "
        "(SELECT 1 UNION ALL SELECT json + 1 FROM f) SELECT json FROM f WHERE json < 0",
        f"CREATE TABLE facts AS SELECT '{'[' * 50_000}' AS json",
        """CREATE TABLE facts AS SELECT '{"engines": 5}' AS json""",
        """CREATE TABLE facts AS SELECT '{"kind": ["x"], "engines": [{}]}' AS json""",
    ],
    ids=["empty", "endless", "deep", "number", "kind"],
)
def test_a_foreign_database_has_no_players(statement: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / DATABASE)) as base:
        base.execute(statement)
        base.commit()
    assert player_names(tmp_path) == ()


def test_a_link_keeps_the_filter_without_a_script(tmp_path: Path) -> None:
    played_run(tmp_path, "one", "<tuple>")
    played_run(tmp_path, "two", "shapes")
    with page_of(tmp_path) as app:
        page = ask(app, "/?player=%3Ctuple&from=2001-02-03&to=2099-01-01").text
        assert 'name="player" value="&lt;tuple"' in page
        assert 'name="from" value="2001-02-03"' in page
        assert ">one</a>" in page
        assert ">two</a>" not in page
        none = ask(app, "/list?player=nobody&state=complete").text
        assert "No run here is complete and was played with nobody." in none
