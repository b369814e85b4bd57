"""Folders that others wrote: refused or harmless, and none of their code is run."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from support.edited_runs import edit, overwrite
from support.foreign_runs import MARKUP, foreign_run
from support.page_requests import ask, page_of
from support.sweep import in_turn

from arena.server.watch.run_list import RunFolders
from arena.storage.folder import BOARDS
from arena.storage.tables import GAMES, TEXT_FIELDS

VALUES: list[Any] = [
    MARKUP,
    *(None, "", " ", "-", 7, -1, 2**62, 1.5, b"\xff", "nan inf", "9" * 5000, "x" * 10**6, "\x00"),
    *(
        "\u2028\u202e",
        "1e400 -1e400",
        "{",
        "[" * 10**5,
        '{"first":{"<b>":[1]}}',
        "7,7 99,99",
        "3,3 " * 500,
    ),
]
FIELDS = (*{column.name: None for column in GAMES.columns} | dict.fromkeys(TEXT_FIELDS),)
TEXTS = ("first", "second", "opening", "reason", "detail", "moves", "pv", "info")


def looked_at(results: Path) -> list[str]:
    """Everything that the page tells of the one run there."""
    with page_of(results) as app:
        (run,) = RunFolders(results).runs()
        texts = []
        for place in ("", f"/runs/{run.id}", f"/runs/{run.id}/report"):
            found = ask(app, place or "/")
            assert found.status == 200
            assert "<img" not in found.text
            assert "alert(1)" not in re.sub(r"&lt;.*?&gt;", "", found.text)
            texts.append(found.text)
        for place in ("pulse", "games"):
            found = ask(app, f"/runs/{run.id}/{place}")
            assert found.status == 200
            assert found.headers["content-type"] == "application/json"
            json.loads(found.text)
            texts.append(found.text)
        return texts


def test_markup_in_every_field_is_only_text(tmp_path: Path) -> None:
    foreign_run(tmp_path / "run", **dict.fromkeys(TEXTS, MARKUP))
    looked_at(tmp_path)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("field", FIELDS)
def test_any_value_of_any_field_is_refused_or_harmless(field: str, tmp_path: Path) -> None:
    for i, value in in_turn(enumerate(VALUES), FIELDS.index(field)):
        results = tmp_path / str(i)
        overwrite(foreign_run(results / "run"), field, value)
        looked_at(results)


def test_a_name_that_is_markup_is_only_a_name(tmp_path: Path) -> None:
    foreign_run(tmp_path / "run", one=MARKUP)
    page, games = looked_at(tmp_path)[1], looked_at(tmp_path)[4]
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert json.loads(games)["players"][0] == MARKUP


def test_a_folder_whose_name_is_markup_is_only_a_folder(tmp_path: Path) -> None:
    foreign_run(tmp_path / "<img src=x onerror=alert(1)>")
    looked_at(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="names are bytes")
def test_a_folder_whose_name_is_no_text_is_shown_nevertheless(tmp_path: Path) -> None:
    foreign_run(tmp_path / os.fsdecode(b"\xff\xfe"))
    assert not any("cannot be read" in text for text in looked_at(tmp_path))


@pytest.mark.skipif(os.name != "posix", reason="names are bytes")
def test_the_log_names_a_folder_whose_name_is_no_text(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign_run(tmp_path / os.fsdecode(b"\xff\xfe"))
    monkeypatch.setattr("arena.server.watch.followed_run.snapshot_of", int)  # no path is a number
    looked_at(tmp_path)
    assert b"\\udcff\\udcfe cannot be read" in caplog.text.encode()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "a: &a [*a]", "kind: study", "kind: [1]", "game: {x: 1}", "{" * 1000, "\x00", "1"],
)
def test_a_config_that_is_none_is_said_to_be_none(text: str, tmp_path: Path) -> None:
    foreign_run(tmp_path / "run")
    (tmp_path / "run" / "config.yaml").write_text(text)
    looked_at(tmp_path)


def test_an_arena_db_that_is_none_is_said_to_be_none(tmp_path: Path) -> None:
    foreign_run(tmp_path / "run")
    (tmp_path / "run" / "arena.db").write_bytes(b"rubbish" * 1000)
    assert any("cannot be used as the database" in text for text in looked_at(tmp_path))


def test_games_without_an_end_are_not_read(tmp_path: Path) -> None:
    folder = foreign_run(tmp_path / "run")
    again = "WITH RECURSIVE two AS (SELECT * FROM one UNION ALL SELECT * FROM two)"
    edit(
        folder, "ALTER TABLE games RENAME TO one", f"CREATE VIEW games AS {again} SELECT * FROM two"
    )
    assert any("has a view, which no run keeps" in text for text in looked_at(tmp_path))


def test_no_engine_of_a_stored_folder_is_run(tmp_path: Path) -> None:
    engine = tmp_path / "mine.py"
    engine.write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')")
    foreign_run(tmp_path / "results" / "run", engine=str(engine))
    looked_at(tmp_path / "results")
    assert not (tmp_path / "was-run").exists()


def test_boards_that_are_rubbish_are_not_shown(tmp_path: Path) -> None:
    foreign_run(tmp_path / "run")
    (tmp_path / "run" / BOARDS).write_bytes(b"\xff" * 50_000)
    looked_at(tmp_path)


@pytest.mark.slow
def test_a_board_of_anything_is_refused_or_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign_run(tmp_path / "run")
    monkeypatch.setattr("arena.server.watch.followed_run.is_at_play", lambda folder: True)
    texts = ("first", "second", "opening", "moves", "times", "nodes", "depths", "scores")
    plain = {"slot": 0, "game": 1, "goes_on": True} | dict.fromkeys((*texts, "pv", "info"), "")
    good = plain | {"first": "one", "second": "two", "moves": "0,0"}
    with page_of(tmp_path) as app:
        (run,) = RunFolders(tmp_path).runs()
        for name in plain:
            for value in VALUES:
                board = good | {name: None if isinstance(value, bytes) else value}
                boards = {"began": 1, "done": 1, "boards": [board, good]}
                (tmp_path / "run" / BOARDS).write_text(json.dumps(boards))
                found = ask(app, f"/runs/{run.id}/pulse")
                assert found.status == 200
                games = json.loads(found.text, parse_constant=pytest.fail)["boards"]["games"]
                assert games[-1]["m"] == [0]
