"""Runs and studies on the page: the list of them, their reports, all games, those at play."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from textwrap import dedent
from threading import Event
from typing import Any

import pytest
from markupsafe import escape
from support.page_requests import ask, page_of, post
from support.processes import awaited, running
from support.samples import ROUND, player

import arena
from arena.engine import Remark
from arena.report.answer import report_text
from arena.report.frames import Report
from arena.report.run_answer import run_answer
from arena.server.watch import followed_run, routes, run_list
from arena.server.watch.followed_run import CpuBudget, FollowedRun, Snapshot, snapshot_of
from arena.server.watch.run_list import (
    ListedRun,
    RunFilter,
    RunFolders,
    RunList,
    RunListPage,
    RunListRow,
    asked_filter,
)
from arena.storage.database import Store
from arena.storage.folder import (
    CONFIG,
    DATABASE,
    BoardsFile,
    LiveBoard,
    is_asked_to_stop,
    player_names,
    read_store,
)

HOLD = """
import sys
from pathlib import Path
from arena.storage.folder import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def look_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followed_run, "MOMENT", 0.0)
    monkeypatch.setattr(run_list, "LEAST_WAIT", 0.0)
    monkeypatch.setattr(run_list, "LOOK_SHARE", 1e9)


@contextmanager
def at_play(folder: Path) -> Iterator[None]:
    """Another process seems to play in the folder."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    with running(command, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield


def place(results: Path, name: str) -> str:
    return next(f"/runs/{each.id}" for each in RunFolders(results).runs() if each.name == name)


def pulse(app: Any, run: str, stamp: str = "") -> dict[str, Any]:
    return dict(json.loads(ask(app, f"{run}/pulse?stamp={stamp}").text))


def games(app: Any, run: str, generation: str = "", after: int = 0) -> dict[str, Any]:
    return dict(json.loads(ask(app, f"{run}/games?generation={generation}&after={after}").text))


def test_the_numbers_are_those_of_the_report(app: Any, results: Path) -> None:
    report = report_text(run_answer(arena.open_run(results / "round").report()), "html")
    sections = re.findall(r'<section id="(?!games|config).*?</section>', report, re.DOTALL)
    assert len(sections) >= 6
    shown = ask(app, place(results, "round")).text
    assert all(section in shown for section in sections)


def test_a_study_is_shown_as_its_report_has_it(app: Any, results: Path) -> None:
    shown = ask(app, place(results, "half_done_study")).text
    assert "Tuning study of" in shown
    assert 'id="parameters"' in shown
    assert len(games(app, place(results, "half_done_study"))["games"]) == 41


def test_every_game_comes_once_however_many_come_at_once(
    app: Any, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "GAMES_AT_ONCE", 5)
    run, found, generation = place(results, "round"), list[int](), ""
    for expected in (5, 5, 2, 0):
        part = games(app, run, generation, len(found))
        assert (len(part["games"]), part["all"]) == (expected, 12)
        generation = part["generation"]
        found += [each["n"] for each in part["games"]]
    assert sorted(found) == list(range(1, 13))


@pytest.mark.parametrize("after", ["-1", "x", "9" * 50, "1.5", "٣"])
def test_a_place_that_is_none_is_refused(after: str, app: Any, results: Path) -> None:
    assert ask(app, f"{place(results, 'round')}/games?after={after}").status in (200, 400)


def renewed(app: Any, run: str, mark: str) -> str:
    """The mark of the next snapshot, which takes a moment."""
    return awaited(lambda: {pulse(app, run)["mark"]} - {"", mark}).pop()


def test_a_run_at_play_shows_what_comes(results: Path, tmp_path: Path) -> None:
    copy = tmp_path / "round"
    shutil.copytree(results / "round", copy)
    records = read_store(copy, Store.games) or []
    (copy / DATABASE).unlink()
    with closing(Store(copy / DATABASE)) as store, at_play(copy), page_of(tmp_path) as app:
        for record in records[:3]:
            store.append(record)
        run = place(tmp_path, "round")
        first = games(app, run)
        assert (len(first["games"]), first["is_new"]) == (3, True)
        mark = pulse(app, run)["mark"]
        store.append(records[3])
        assert pulse(app, run)["games"] == 4
        renewed(app, run, mark)
        more = games(app, run, first["generation"], 3)
        assert (len(more["games"]), more["is_new"]) == (1, False)
        assert "4" in ask(app, f"{run}/report").text


def test_a_run_that_takes_long_to_read_blocks_nobody_and_comes_by_itself(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_read = Event()

    def slow(folder: Path) -> Snapshot:
        is_read.wait(60)
        return snapshot_of(folder)

    monkeypatch.setattr(followed_run, "snapshot_of", slow)
    monkeypatch.setattr(followed_run, "FIRST_WAIT", 0.01)
    with page_of(results) as app:
        run = place(results, "round")
        assert "It takes long to read" in ask(app, run).text
        assert pulse(app, run)["mark"] == ""
        assert games(app, run)["games"] == []
        is_read.set()
        renewed(app, run, "")
        assert "standings" in ask(app, f"{run}/report").text


def test_a_tab_that_nobody_sees_is_told_the_progress_and_no_report_is_made_for_it(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed_run, "LEAST_WAIT", 0.0)
    shutil.copytree(results / "round", tmp_path / "round")
    records = read_store(tmp_path / "round", Store.games) or []
    (tmp_path / "round" / DATABASE).unlink()
    with closing(Store(tmp_path / "round" / DATABASE)) as store, page_of(tmp_path) as app:
        store.append(records[0])
        run = place(tmp_path, "round")
        mark = renewed(app, run, "")
        store.append(records[1])
        unseen = json.loads(ask(app, f"{run}/pulse?unseen=yes").text)
        verdict = unseen.pop("verdict")
        assert (verdict["text"], verdict["basis"]) == ("No clear leader yet", "1 of 12 games")
        assert unseen == {"state": "still", "games": 2, "total": 12, "left": "", "share": None}
        assert f'data-mark="{mark}"' in ask(app, run).text
        renewed(app, run, mark)


def test_games_that_were_thrown_away_go_from_the_page(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "round", tmp_path / "round")
    records = read_store(tmp_path / "round", Store.games) or []
    with page_of(tmp_path) as app:
        run = place(tmp_path, "round")
        first, mark = games(app, run), pulse(app, run)["mark"]
        (tmp_path / "round" / DATABASE).unlink()
        with closing(Store(tmp_path / "round" / DATABASE)) as store:
            store.append(replace(records[0], winner=None))
            renewed(app, run, mark)
        again = games(app, run, first["generation"], 12)
        assert (again["is_new"], len(again["games"])) == (True, 1)


def live_board(moves: str, *remarks: Remark) -> LiveBoard:
    """A game after an opening of two plies."""
    return LiveBoard(
        slot=1,
        game=5,
        goes_on=True,
        first="one",
        second="two",
        opening="3,3 2,2",
        moves=moves,
        remarks=remarks,
    )


@pytest.mark.slow
def test_the_boards_at_play_are_shown_move_by_move(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "round", tmp_path / "round")
    said = Remark(1, 0.25, 900, 4, -7)
    BoardsFile(tmp_path / "round").show([live_board("3,3 2,2 1,1", said)])
    with at_play(tmp_path / "round"), page_of(tmp_path) as app:
        found = pulse(app, place(tmp_path, "round"))
        assert found["state"] == "playing"
        (game,) = found["boards"]["games"]
        assert (game["slot"], game["id"], game["on"]) == (1, 5, True)
        assert (game["o"], game["m"], game["w"], game["r"]) == (2, [24, 16, 8], 0, "")
        assert (game["t"], game["e"], game["d"], game["c"]) == ([250], [-7], [4], [900])
        assert found["boards"]["players"] == ["one", "two"]
        assert pulse(app, place(tmp_path, "round"), found["stamp"])["boards"] is None
        board = live_board("3,3 2,2 1,1 1,1", said, Remark(2, 0.25))
        BoardsFile(tmp_path / "round").show([board])
        again = pulse(app, place(tmp_path, "round"), found["stamp"])
        assert again["boards"]["games"][0]["m"] == [24, 16, 8]
        BoardsFile(tmp_path / "round").show([replace(board, goes_on=False)])
        over = pulse(app, place(tmp_path, "round"), again["stamp"])
        assert over["boards"]["games"][0]["on"] is False


@pytest.mark.slow
def test_boards_and_games_have_the_scales_that_the_last_report_knows(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Report, "known_scales", {"two": 0.01})
    shutil.copytree(results / "round", tmp_path / "round")
    BoardsFile(tmp_path / "round").show([live_board("3,3 2,2")])
    with at_play(tmp_path / "round"), page_of(tmp_path) as app:
        run = place(tmp_path, "round")
        assert pulse(app, run)["boards"]["scales"] == [None, 0.01]
        found = games(app, run)
        assert dict(zip(found["players"], found["scales"], strict=True))["two"] == 0.01


def test_boards_that_a_killed_run_left_are_not_at_play(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "round", tmp_path / "round")
    BoardsFile(tmp_path / "round").show([live_board("3,3 2,2")])
    with page_of(tmp_path) as app:
        found = pulse(app, place(tmp_path, "round"))
        assert (found["state"], found["boards"]) == ("still", None)


def test_a_run_at_play_can_be_asked_to_stop(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "round", tmp_path / "round")
    with page_of(tmp_path) as app:
        run = place(tmp_path, "round")
        assert post(app, f"{run}/stop").status == 409
        assert not is_asked_to_stop(tmp_path / "round")
        with at_play(tmp_path / "round"):
            assert post(app, f"{run}/stop").status == 200
            assert is_asked_to_stop(tmp_path / "round")
            assert pulse(app, run)["state"] == "stopping"


@pytest.mark.slow
def test_what_is_played_now_has_an_address_of_its_own(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "round", tmp_path / "round")
    with page_of(tmp_path) as app:
        assert ask(app, "/now").headers["location"] == "/"
        with at_play(tmp_path / "round"):
            assert ask(app, "/now").headers["location"] == place(tmp_path, "round")


def test_a_run_that_is_not_there_says_so(app: Any) -> None:
    found = ask(app, "/runs/0123456789ab")
    assert found.status == 404
    assert "/static/retry.js" in found.text


def test_the_folder_of_one_run_will_do(results: Path) -> None:
    assert [each.name for each in RunFolders(results / "round").runs()] == ["round"]


@pytest.mark.slow
def test_a_run_whose_database_was_locked_is_shown_once_it_is_not(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.storage.connection.PATIENCE", 0.0)
    shutil.copytree(results / "round", tmp_path / "round")
    lock = "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE theirs (x)"
    with ThreadPoolExecutor(1) as builder:
        with closing(sqlite3.connect(tmp_path / "round" / DATABASE)) as connection:
            connection.executescript(lock)
            run = FollowedRun(tmp_path / "round", builder, CpuBudget(1.0))
            assert "arena.db: is locked by another program" in run.told().fault
            run.renew().result()
            assert run.count() == 0
            mark = run.told().mark
        awaited(lambda: run.look() != mark, 30, pause=0.1)
        assert run.told().snapshot
        assert run.count() == 12


def test_faults_are_told_before_all_else(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(player('raise ValueError("boom")'))
    text = ROUND.replace("engine: random_mover", "engine: ./bad.py", 1).replace(
        "count: 2", "count: 9"
    )
    (tmp_path / "round.yaml").write_text(dedent(text))
    run = arena.run(tmp_path / "round.yaml", workers=0, results=tmp_path / "results")
    with page_of(tmp_path / "results") as app:
        shown = ask(app, place(tmp_path / "results", "round")).text
    (stopped,) = (f'<p class="warning">{escape(each)}</p>' for each in run.report().warnings)
    assert "one raised an exception in 8 of its first 8 games" in stopped
    assert "one raised an exception in 8 of 8 games; " in run.report().verdict.basis
    assert shown.index(stopped) < shown.index("<table")
    assert re.search(r"<th[^>]*>losses</th>\s*<th[^>]*>faults</th>", shown)
    assert "stopped by faults" in shown


EMPTY_RUN = "kind: tournament\nname: {name}\ngame: {{gomoku: {{size: 7}}}}\n"


@contextmanager
def listed(results: Path) -> Iterator[RunList]:
    """The list of a folder, which looks at it anew each time."""
    folders = RunFolders(results)
    try:
        yield RunList(folders)
    finally:
        folders.close()


def empty_run(results: Path, name: str, age: float = 0.0) -> Path:
    """A run without games, last changed this number of seconds ago."""
    (results / name).mkdir(parents=True)
    (results / name / CONFIG).write_text(EMPTY_RUN.format(name=name))
    moment = time.time() - 100_000 - age
    os.utime(results / name / CONFIG, (moment, moment))
    return results / name


def names(page: RunListPage) -> list[str]:
    return [row.name for row in page.rows]


@pytest.fixture(name="read")
def fixture_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the runs whose files are opened."""
    found, really = list[str](), run_list.row_of

    def noted(each: ListedRun) -> RunListRow:
        found.append(each.place.name)
        return really(each)

    monkeypatch.setattr(run_list, "row_of", noted)
    return found


def test_of_very_many_runs_only_those_of_a_page_are_read_and_each_once(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_list, "ROWS", 10)
    for number in range(120):
        empty_run(tmp_path, f"{number:03}", age=number)
    with listed(tmp_path) as runs:
        page = runs.page()
        assert (page.found, page.pages, page.number) == (120, 12, 1)
        assert names(page) == read == [f"{number:03}" for number in range(10)]
        assert names(runs.page()) == names(page)
        assert len(read) == 10
        assert names(runs.page(number=12)) == [f"{number:03}" for number in range(110, 120)]
        assert runs.page(number=99).number == 12
        assert len(read) == 20
        (tmp_path / "050" / CONFIG).write_text(EMPTY_RUN.format(name="again"))
        assert names(runs.page())[:2] == ["050", "000"]
        assert read[20:] == ["050"]


def test_a_run_that_comes_is_listed_and_one_that_goes_is_not(tmp_path: Path) -> None:
    empty_run(tmp_path, "old")
    (tmp_path / "study").mkdir()
    with listed(tmp_path) as runs:
        assert names(runs.page()) == ["old"]
        (tmp_path / "study/verification").mkdir()
        assert names(runs.page()) == ["old"]
        empty_run(tmp_path, "study/later/", age=5)
        empty_run(tmp_path, "new", age=9)
        assert names(runs.page()) == ["old", "study/later", "new"]
        (tmp_path / "study/verification" / CONFIG).write_text(EMPTY_RUN.format(name="proof"))
        assert "study/verification" in names(runs.page())
        shutil.rmtree(tmp_path / "old")
        assert "old" not in names(runs.page())


def test_runs_are_found_by_words_of_their_names(tmp_path: Path) -> None:
    for name in ("gate-17 Null Move", "gate-18 vcf", "round"):
        empty_run(tmp_path, name)
    with listed(tmp_path) as runs:
        assert names(runs.page(RunFilter("NULL gate"))) == ["gate-17 Null Move"]
        assert names(runs.page(RunFilter("null vcf"))) == []
        assert runs.page(RunFilter("null vcf")).kept == 3


@pytest.mark.slow
def test_those_at_play_come_first_and_can_be_asked_for(tmp_path: Path) -> None:
    for age, name in enumerate(("newest", "played", "oldest")):
        empty_run(tmp_path, name, age=age)
    with listed(tmp_path) as runs:
        assert not runs.is_at_play()
        with at_play(tmp_path / "played"):
            assert names(runs.page()) == ["played", "newest", "oldest"]
            assert runs.is_at_play()
            assert names(runs.page(RunFilter(state="being played"))) == ["played"]
        assert names(runs.page(RunFilter(state="being played"))) == []


def learnt(runs: RunList, name: str, state: str) -> RunListRow:
    wanted = name, state
    (row,) = awaited(lambda: [row for row in runs.page().rows if (row.name, row.state) == wanted])
    return row


def test_a_run_that_goes_on_has_another_verdict(results: Path, tmp_path: Path) -> None:
    folder = tmp_path / "round"
    shutil.copytree(results / "round", folder)
    with closing(sqlite3.connect(folder / DATABASE)) as base:
        base.execute("DELETE FROM games WHERE rowid > 4")
        base.commit()
    with listed(tmp_path) as runs:
        before = learnt(runs, "round", "not complete")
        assert (before.games, before.total) == (4, 12)
        assert runs.page(RunFilter(state="not complete")).found == 1
        shutil.copy(results / "round" / DATABASE, folder / DATABASE)
        after = learnt(runs, "round", "complete")
        assert (after.games, after.total) == (12, 12)
        assert after.verdict
        assert after.verdict != before.verdict
        assert (
            runs.page(RunFilter(state="complete")).found,
            runs.page(RunFilter(state="not complete")).found,
        ) == (1, 0)


def test_a_study_and_what_cannot_be_read_are_listed_too(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "half_done_study", tmp_path / "study")
    (empty_run(tmp_path, "broken") / CONFIG).write_text("[")
    with listed(tmp_path) as runs:
        study = learnt(runs, "study", "not complete")
        assert (study.kind, study.games, study.total) == ("tuning study", 41, 96)
        assert study.verdict
        (broken,) = runs.page(RunFilter("broken")).rows
        told = broken.kind, broken.state, broken.verdict
        assert told == ("cannot be read", "not readable", None)


def test_runs_of_which_little_is_known_yet_are_counted(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "round", tmp_path / "round")
    with listed(tmp_path) as runs:
        assert runs.page(RunFilter(state="complete")).unread == 1
        learnt(runs, "round", "complete")
        assert runs.page(RunFilter(state="complete")).unread == 0


def played_run(results: Path, name: str, *players: str, key: str = "engines") -> Path:
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


def test_an_address_asks_for_runs_without_a_script_and_rubbish_for_all_of_them(
    tmp_path: Path,
) -> None:
    played_run(tmp_path, "one", "shapes")
    played_run(tmp_path, "<two>", "<tuple>")
    with page_of(tmp_path) as app:
        for query in ("search=two&state=&page=1", "player=%3Ctuple&from=2001-02-03&to=2099-01-01"):
            found = ask(app, f"/list?{query}").text
            assert "&lt;two&gt;</a>" in found
            assert ">one</a>" not in found
        page = ask(app, "/?search=%3Ctwo&player=%3Ctuple&from=2001-02-03").text
        for field in ('value="&lt;two"', 'name="player" value="&lt;tuple"', 'value="2001-02-03"'):
            assert field in page
        assert ask(app, "/?state=not+complete").text.count("selected") == 1
        assert "No run here is named xxx" in ask(app, f"/list?search={'x' * 1000}").text
        none = ask(app, "/list?player=nobody&state=complete").text
        assert "No run here is complete and was played with nobody." in none
        for query in ("page=0", "page=-1", "page=x", "page=" + "9" * 50, "state=rubbish"):
            assert ask(app, f"/list?{query}").text.count("<tr>") == 3
