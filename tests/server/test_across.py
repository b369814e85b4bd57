"""The pages over several runs: two side by side, the ratings of all, and a player's own."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from server.test_watch import empty_run
from support.foreign_runs import MARKUP, foreign_run
from support.html_outlines import Outline
from support.page_requests import Answer as Reply, ask, entry, page_of
from support.processes import awaited

from arena.report.answer import Answer
from arena.server.keys import Role
from arena.server.watch import across
from arena.server.watch.across import MadePages
from arena.server.watch.followed_run import CpuBudget
from arena.server.watch.run_list import RunFolders

RATED: dict[str, Any] = {
    "kind": "tournament",
    "game": {"gomoku": {"size": 7, "rule": "freestyle"}},
    "format": {"round_robin": {}},
    "limit": {"depth": 9},
}


def rated_run(folder: Path, name: str) -> None:
    """A run of two games of a player of this name, of which no other run knows."""
    foreign_run(folder, one=name, detail=name)
    engines = [{"name": name, "engine": name}, {"name": "two", "engine": "random_mover"}]
    with closing(sqlite3.connect(folder / "arena.db")) as base, base:
        base.execute("INSERT INTO facts VALUES (?)", [json.dumps(RATED | {"engines": engines})])


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
    rated_run(folder / "foreign", MARKUP)
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
        game = "gomoku: size=7, rule=freestyle"
        awaited(lambda: game in whole(app, "/ratings").text)
        text = whole(app, "/ratings").text
        Outline(text)
        assert "no limit</h2>" in text
        assert 'href="/ratings"' in ask(app, "/").text


PAGE = Answer({}, tuple)


class Maker:
    """Makes pages, at once or when it is let."""

    def __init__(self) -> None:
        self.made = list[str]()
        self.is_let = Event()

    def make(self, key: str = "a") -> Answer:
        self.made.append(key)
        return PAGE

    def make_when_let(self, key: str = "a") -> Answer:
        self.is_let.wait()
        return self.make(key)


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def pages() -> Iterator[MadePages]:
    with closing(MadePages()) as pages:
        yield pages


def until_made(pages: MadePages, key: str) -> None:
    awaited(lambda: pages.page(key, 1, Maker().make) is PAGE)


def test_a_page_is_made_once_until_its_files_change_and_stands_in_until_then(
    pages: MadePages, maker: Maker
) -> None:
    assert pages.page("a", 1, maker.make) is PAGE
    assert pages.page("a", 1, maker.make) is PAGE
    until_made(pages, "b")  # whatever was begun is over
    assert len(maker.made) == 1
    assert pages.page("a", 2, maker.make_when_let) is PAGE
    maker.is_let.set()
    until_made(pages, "c")
    assert len(maker.made) == 2


def test_a_page_that_takes_long_is_not_waited_for(
    pages: MadePages, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(across, "LONGEST_WAIT", 0.01)
    assert pages.page("a", 1, maker.make_when_let) is None
    maker.is_let.set()
    until_made(pages, "a")


def test_a_page_that_hangs_is_given_up_and_made_again(
    pages: MadePages, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(across, "MAX_MAKING", 0.05)
    assert pages.page("a", 1, maker.make_when_let) is None
    assert pages.page("b", 1, maker.make) is PAGE  # others are not held up
    assert pages.page("a", 1, maker.make) is PAGE
    maker.is_let.set()


def test_a_fault_stands_in_place_of_a_page(pages: MadePages) -> None:
    found = pages.page("a", 1, Answer)  # type: ignore[arg-type]
    assert isinstance(found, str)
    assert found.startswith("This cannot be read: TypeError: ")


def test_few_pages_are_kept_those_that_were_used_last(
    pages: MadePages, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(across, "MOST_PAGES", 2)
    for key in "abacab":
        assert pages.page(key, 1, partial(maker.make, key)) is PAGE
    assert maker.made == [*"abcb"]


def test_only_so_many_pages_wait(
    pages: MadePages, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(across, "LONGEST_WAIT", 0)
    monkeypatch.setattr(across, "MOST_WAITING", 2)
    found = [pages.page(key, 1, partial(maker.make_when_let, key)) for key in "abc"]
    assert found == [None] * 3
    maker.is_let.set()
    until_made(pages, "d")
    assert maker.made == ["a", "b"]


def test_no_page_is_begun_beyond_the_share_of_a_core(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(across, "SHARE", 1e-9)
    monkeypatch.setattr(across, "CpuBudget", partial(CpuBudget, at_once=0.0))
    with closing(MadePages()) as pages:
        assert pages.page("a", 1, maker.make) is PAGE
        assert pages.page("b", 1, maker.make) is None
        assert pages.page("a", 1, maker.make) is PAGE


@pytest.fixture(scope="module", name="places")
def fixture_places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("players")
    rated_run(folder / "plain", "one")
    rated_run(folder / "hostile", MARKUP)
    return folder


@pytest.fixture(scope="module", name="players_app")
def fixture_players_app(places: Path) -> Iterator[Any]:
    with page_of(places) as players_app:
        yield players_app


def links(page: str, kind: str) -> dict[str, str]:
    """The addresses of players or runs on a page, by the names that lead to them."""
    return {name: to for to, name in re.findall(rf'<a href="(/{kind}/\w+)">([^<]+)</a>', page)}


def test_each_name_in_the_ratings_leads_to_the_player_with_its_runs_and_opponents(
    players_app: Any, places: Path
) -> None:
    players = links(whole(players_app, "/ratings").text, "player")
    answer = whole(players_app, players["one"], headers=entry(Role.LOOK))
    assert answer.status == 200
    Outline(answer.text)
    assert "<title>Elo " in answer.text
    assert 'href="/ratings" aria-current="page"' in answer.text
    (run,) = (each for each in RunFolders(places).runs() if each.name == "plain")
    assert links(answer.text, "runs") == {"plain": f"/runs/{run.id}"}
    assert links(answer.text, "player") == {"two": players["two"]}
    two = whole(players_app, players["two"]).text
    assert {*links(two, "player").values()} == {*players.values()} - {players["two"]}
    assert len(links(two, "runs")) == 2


def test_a_hostile_name_is_text(players_app: Any) -> None:
    (hostile,) = (
        to
        for name, to in links(whole(players_app, "/ratings").text, "player").items()
        if "img" in name
    )
    answer = whole(players_app, hostile)
    assert answer.status == 200
    Outline(answer.text)
    assert "<img src=x" not in answer.text
    assert "&lt;img src=x" in answer.text


@pytest.mark.parametrize(
    "id", ["0" * 12, "A" * 12, "0" * 13, "0" * 12 + "%0a", "x", "..", "%2e%2e%2fround", "a/b"]
)
def test_what_is_no_player_is_not_found(players_app: Any, id: str) -> None:
    assert whole(players_app, f"/player/{id}").status == 404


def test_the_page_follows_the_folder(places: Path, tmp_path: Path) -> None:
    shutil.copytree(places / "plain", tmp_path / "plain")
    with page_of(tmp_path) as players_app:
        one = links(whole(players_app, "/ratings").text, "player")["one"]
        assert links(whole(players_app, one).text, "runs")
        shutil.rmtree(tmp_path / "plain")
        awaited(lambda: whole(players_app, one).status != 200)
        assert "no games to be rated" in whole(players_app, one).text
