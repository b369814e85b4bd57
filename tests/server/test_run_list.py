"""The list of runs: what is read for it, what it is searched by, and what each has come to."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from server.test_watch import at_play
from support.page_requests import ask, page_of

from arena.server.watch import run_list
from arena.server.watch.run_list import (
    ListedRun,
    RunFilter,
    RunFolders,
    RunList,
    RunListPage,
    RunListRow,
)
from arena.storage.folder import CONFIG, DATABASE

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


@pytest.fixture(autouse=True)
def look_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_list, "LOOK_SHARE", 1e9)
    monkeypatch.setattr(run_list, "LEAST_WAIT", 0.0)


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
    """The row of a run, once it has this state."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for row in runs.page().rows:
            if row.name == name and row.state == state:
                return row
        time.sleep(0.02)
    raise AssertionError(f"{name} is never {state}")


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


def test_an_address_asks_for_runs_and_rubbish_for_all_of_them(tmp_path: Path) -> None:
    for name in ("one", "<two>"):
        empty_run(tmp_path, name)
    with page_of(tmp_path) as app:
        found = ask(app, "/list?search=two&state=&page=1").text
        assert "&lt;two&gt;</a>" in found
        assert ">one</a>" not in found
        assert 'value="&lt;two"' in ask(app, "/?search=%3Ctwo").text
        assert ask(app, "/?state=not+complete").text.count("selected") == 1
        assert "No run here is named xxx" in ask(app, f"/list?search={'x' * 1000}").text
        for query in ("page=0", "page=-1", "page=x", "page=" + "9" * 50, "state=rubbish"):
            assert ask(app, f"/list?{query}").text.count("<tr>") == 3
