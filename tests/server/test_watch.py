"""Runs and studies on the page: the numbers of their reports, all games, those at play."""

from __future__ import annotations

import json
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
from support.processes import running
from support.samples import ROUND, player

import arena
from arena.engine import Remark
from arena.report.answer import report_text
from arena.report.frames import Report
from arena.report.run_answer import run_answer
from arena.server.watch import followed_run, routes, run_list
from arena.server.watch.followed_run import CpuBudget, FollowedRun, Snapshot, snapshot_of
from arena.server.watch.run_list import RunFolders
from arena.storage.at_play import BoardsFile, LiveBoard, is_asked_to_stop
from arena.storage.database import Store
from arena.storage.folder import DATABASE, read_store

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


@contextmanager
def at_play(folder: Path) -> Iterator[None]:
    """Another process seems to play in the folder."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    with running(command, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield


def place(results: Path, name: str) -> str:
    """The address of a run."""
    return next(f"/runs/{each.id}" for each in RunFolders(results).runs() if each.name == name)


def pulse(app: Any, run: str, stamp: str = "") -> dict[str, Any]:
    return dict(json.loads(ask(app, f"{run}/pulse?stamp={stamp}").text))


def games(app: Any, run: str, generation: str = "", after: int = 0) -> dict[str, Any]:
    return dict(json.loads(ask(app, f"{run}/games?generation={generation}&after={after}").text))


def test_all_runs_and_studies_are_listed(app: Any) -> None:
    text = re.sub(r"<[^>]*>", " ", ask(app, "/").text)
    game = r"of\s+gomoku: size=7, rule=freestyle"
    assert re.search(rf"half_done_study\s+.*tuning study\s+{game}\s.* 41\b", text, re.DOTALL)
    assert re.search(rf"round\s+.*tournament\s+{game}\s.* 12\b", text, re.DOTALL)


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


def test_a_run_that_nobody_plays_has_no_boards(app: Any, results: Path) -> None:
    found = pulse(app, place(results, "round"))
    assert (found["state"], found["games"], found["total"]) == ("still", 12, 12)
    assert found["boards"] is None


def renewed(app: Any, run: str, mark: str) -> str:
    """The mark of the next snapshot, which takes a moment."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if (found := pulse(app, run)["mark"]) not in ("", mark):
            return str(found)
        time.sleep(0.05)
    raise AssertionError("no new snapshot")


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
        deadline = time.monotonic() + 30
        while run.look() == mark and time.monotonic() < deadline:
            time.sleep(0.1)
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
