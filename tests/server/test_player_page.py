"""The page of a player over all runs, to which the ratings lead."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.foreign_runs import MARKUP, foreign_run
from support.html_outlines import Outline
from support.page_requests import Answer, ask, entry, page_of

from arena.server.access import Role
from arena.server.watch.run_list import RunFolders

FACTS: dict[str, Any] = {
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
        base.execute("INSERT INTO facts VALUES (?)", [json.dumps(FACTS | {"engines": engines})])


@pytest.fixture(scope="module", name="places")
def fixture_places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain run, and one with a hostile name."""
    folder = tmp_path_factory.mktemp("players")
    rated_run(folder / "plain", "one")
    rated_run(folder / "hostile", MARKUP)
    return folder


@pytest.fixture(scope="module", name="app")
def fixture_players_app(places: Path) -> Iterator[Any]:
    with page_of(places) as app:
        yield app


def whole(app: Any, address: str, **headers: Any) -> Answer:
    """An answer, once it is no longer being made."""
    end = time.monotonic() + 120
    while "It takes long to read" in (answer := ask(app, address, **headers)).text:
        assert time.monotonic() < end
    return answer


def links(page: str, kind: str) -> dict[str, str]:
    """The addresses of players or runs on a page, by the names that lead to them."""
    return {name: to for to, name in re.findall(rf'<a href="(/{kind}/\w+)">([^<]+)</a>', page)}


def test_each_name_in_the_ratings_leads_to_the_player_with_its_runs_and_opponents(
    app: Any, places: Path
) -> None:
    players = links(whole(app, "/ratings").text, "player")
    answer = whole(app, players["one"], headers=entry(Role.LOOK))
    assert answer.status == 200
    Outline(answer.text)
    assert "<title>Elo " in answer.text
    assert 'href="/ratings" aria-current="page"' in answer.text
    (run,) = (each for each in RunFolders(places).runs() if each.name == "plain")
    assert links(answer.text, "runs") == {"plain": f"/runs/{run.id}"}
    assert links(answer.text, "player") == {"two": players["two"]}
    two = whole(app, players["two"]).text
    assert {*links(two, "player").values()} == {*players.values()} - {players["two"]}
    assert len(links(two, "runs")) == 2


def test_a_hostile_name_is_text(app: Any) -> None:
    (hostile,) = (
        to for name, to in links(whole(app, "/ratings").text, "player").items() if "img" in name
    )
    answer = whole(app, hostile)
    assert answer.status == 200
    Outline(answer.text)
    assert "<img src=x" not in answer.text
    assert "&lt;img src=x" in answer.text


@pytest.mark.parametrize(
    "id", ["0" * 12, "A" * 12, "0" * 13, "0" * 12 + "%0a", "x", "..", "%2e%2e%2fround", "a/b"]
)
def test_what_is_no_player_is_not_found(app: Any, id: str) -> None:
    assert whole(app, f"/player/{id}").status == 404


def test_the_page_follows_the_folder(places: Path, tmp_path: Path) -> None:
    shutil.copytree(places / "plain", tmp_path / "plain")
    with page_of(tmp_path) as app:
        one = links(whole(app, "/ratings").text, "player")["one"]
        assert links(whole(app, one).text, "runs")
        shutil.rmtree(tmp_path / "plain")
        end = time.monotonic() + 60
        while whole(app, one).status == 200:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert "no games to be rated" in whole(app, one).text
