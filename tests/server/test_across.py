"""The pages over several runs: two side by side, and the ratings of all."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from server.test_run_list import empty_run
from support.foreign_runs import MARKUP, foreign_run
from support.html_outlines import Outline
from support.page_requests import Answer as Reply, ask, entry, page_of

from arena.report.answer import Answer
from arena.server.access import Role
from arena.server.watch import across
from arena.server.watch.across import MadePages
from arena.server.watch.followed_run import CpuBudget
from arena.server.watch.run_list import RunFolders

FOREIGN = {
    "kind": "tournament",
    "game": {"gomoku": {"size": 7, "rule": "freestyle"}},
    "format": {"round_robin": {}},
    "limit": {},
    "engines": [{"name": MARKUP, "engine": MARKUP}, {"name": "two", "engine": "random_mover"}],
}


@pytest.fixture(scope="module", name="several")
def fixture_several(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, a copy of it, a study, and a run that another program wrote."""
    folder = tmp_path_factory.mktemp("several")
    for name in ("round", "again"):
        shutil.copytree(results / "round", folder / name)
    shutil.copytree(results / "half_done_study", folder / "study")
    hour_ago = time.time() - 3600
    for file in (folder / "again").iterdir():
        os.utime(file, (hour_ago, hour_ago))
    foreign_run(folder / "foreign", one=MARKUP, detail=MARKUP)
    with closing(sqlite3.connect(folder / "foreign/arena.db")) as base, base:
        base.execute("INSERT INTO facts VALUES (?)", [json.dumps(FOREIGN)])
    return folder


@pytest.fixture(name="page")
def fixture_page(several: Path) -> Any:
    with page_of(several) as app:
        yield app


def id_of(results: Path, name: str) -> str:
    return next(each.id for each in RunFolders(results).runs() if each.name == name)


def whole(app: Any, address: str, **headers: Any) -> Reply:
    """An answer, once it is no longer being made."""
    end = time.monotonic() + 120
    while "It takes long to read" in (answer := ask(app, address, **headers)).text:
        assert time.monotonic() < end
    return answer


@pytest.mark.slow
def test_two_ticked_runs_lead_to_their_page_the_earlier_one_first(page: Any, several: Path) -> None:
    one, again = id_of(several, "round"), id_of(several, "again")
    answer = ask(page, f"/compare?run={again}&run={one}")
    assert answer.status == 303
    assert answer.headers["location"] == f"/compare/{again}/{one}"
    for query in ("", f"?run={one}", f"?run={one}&run={one}", f"?run={one}&run=x", "?run=a&run=b"):
        refused = ask(page, f"/compare{query}")
        assert refused.status == 400
        assert "Tick two runs" in refused.text
    assert f'name="run" value="{one}"' in ask(page, "/").text


@pytest.mark.slow
def test_a_page_of_two_runs_begins_with_the_answer_and_can_be_turned(
    page: Any, several: Path
) -> None:
    one, again = id_of(several, "round"), id_of(several, "again")
    answer = whole(page, f"/compare/{one}/{again}", headers=entry(Role.LOOK))
    assert answer.status == 200
    text = answer.text
    Outline(text)
    assert text.lower().index("nothing differs in the config") < text.index("Side by side")
    assert f'href="/compare/{again}/{one}"' in text
    assert ask(page, f"/compare/{one}/x").status == 404


def test_what_cannot_be_compared_says_why(page: Any, several: Path) -> None:
    one, study = id_of(several, "round"), id_of(several, "study")
    for before in (one, study):
        answer = whole(page, f"/compare/{before}/{study}")
        assert answer.status == 409
        assert "only runs can be compared, but the test of a study or a fit is a run" in answer.text
        assert "study/verification, and see what was found with `arena report" in answer.text


def test_a_run_of_others_is_text_on_both_pages(page: Any, several: Path) -> None:
    one, foreign = id_of(several, "round"), id_of(several, "foreign")
    for address in (f"/compare/{foreign}/{one}", "/ratings"):
        answer = whole(page, address)
        assert answer.status == 200
        Outline(answer.text)
        assert "<img src=x" not in answer.text
        assert "&lt;img src=x" in answer.text


def test_the_ratings_are_linked_from_the_list_and_follow_the_folder(
    several: Path, tmp_path: Path
) -> None:
    with page_of(tmp_path) as app:
        assert "no games to be rated" in whole(app, "/ratings").text
        empty_run(tmp_path, "empty")
        assert "no games to be rated" in whole(app, "/ratings").text
        shutil.copytree(several / "round", tmp_path / "round")
        end = time.monotonic() + 60
        while "gomoku: size=7, rule=freestyle" not in (text := whole(app, "/ratings").text):
            assert time.monotonic() < end
            time.sleep(0.1)
        Outline(text)
        assert "no limit</h2>" in text
        assert 'href="/ratings"' in ask(app, "/").text


PAGE = Answer({}, tuple)


def whole_page() -> Answer:
    return PAGE


def broken_page() -> Answer:
    raise TypeError("no page")


def until_made(pages: MadePages, key: str) -> None:
    """Wait for a page that is being made."""
    end = time.monotonic() + 60
    while pages.page(key, 1, whole_page) is not PAGE:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_page_is_made_once_until_its_files_change_and_stands_in_until_then() -> None:
    made, held = list[str](), Event()

    def make() -> Answer:
        made.append("a")
        return PAGE

    def make_slowly() -> Answer:
        held.wait()
        return make()

    with closing(MadePages()) as pages:
        assert pages.page("a", 1, make) is PAGE
        assert pages.page("a", 1, make) is PAGE
        until_made(pages, "b")  # whatever was begun is over
        assert len(made) == 1
        assert pages.page("a", 2, make_slowly) is PAGE
        held.set()
        until_made(pages, "c")
        assert len(made) == 2


def test_a_page_that_takes_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across, "LONGEST_WAIT", 0.01)
    held = Event()

    def make_slowly() -> Answer:
        held.wait()
        return PAGE

    with closing(MadePages()) as pages:
        assert pages.page("a", 1, make_slowly) is None
        held.set()
        until_made(pages, "a")


def test_a_page_that_hangs_is_given_up_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across, "MAX_MAKING", 0.05)
    begun, held = list[str](), Event()

    def hangs_once() -> Answer:
        begun.append("a")
        if len(begun) == 1:
            held.wait()
        return PAGE

    with closing(MadePages()) as pages:
        assert pages.page("a", 1, hangs_once) is None
        assert pages.page("b", 1, whole_page) is PAGE  # others are not held up
        assert pages.page("a", 1, hangs_once) is PAGE
        held.set()
    assert len(begun) == 2


def test_a_fault_stands_in_place_of_a_page() -> None:
    with closing(MadePages()) as pages:
        found = pages.page("a", 1, broken_page)
        assert isinstance(found, str)
        assert found.startswith("This cannot be read: TypeError: no page")


def test_few_pages_are_kept_those_that_were_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across, "MOST_KEPT", 2)
    made = list[str]()

    def made_of(key: str) -> Answer:
        made.append(key)
        return PAGE

    with closing(MadePages()) as pages:
        for key in "abacab":
            assert pages.page(key, 1, partial(made_of, key)) is PAGE
    assert made == [*"abcb"]


def test_only_so_many_pages_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across, "LONGEST_WAIT", 0)
    monkeypatch.setattr(across, "MOST_WAITING", 2)
    made, held = list[str](), Event()

    def made_slowly(key: str) -> Answer:
        held.wait()
        made.append(key)
        return PAGE

    with closing(MadePages()) as pages:
        assert [pages.page(key, 1, partial(made_slowly, key)) for key in "abc"] == [None] * 3
        held.set()
        until_made(pages, "d")
    assert made == ["a", "b"]


def test_no_page_is_begun_beyond_the_share_of_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across, "SHARE", 1e-9)
    monkeypatch.setattr(across, "CpuBudget", partial(CpuBudget, at_once=0.0))
    with closing(MadePages()) as pages:
        assert pages.page("a", 1, whole_page) is PAGE
        assert pages.page("b", 1, whole_page) is None
        assert pages.page("a", 1, whole_page) is PAGE
