"""Games on a page: whole, in few characters, as many as have room; and drawn, in notebooks."""

from __future__ import annotations

import base64
import gzip
import json
import pickle
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.html_outlines import Outline
from support.samples import Write

import arena
from arena import ConfigError, draw_game
from arena.coordinates import Coordinates
from arena.game import Game
from arena.match.record import GameRecord, summary
from arena.plugins.load import load_game, names
from arena.report.page.games import (
    PLAIN,
    Played,
    fitting_games,
    games_data,
    kept_games,
    left_out_text,
    packed,
    weight,
    won_line,
)
from benchmarks.measures.page import PAGE_PLIES, games_of_page, page_of

GAMES = ["gomoku:size=9", *sorted({*names("game")} - {"gomoku"})]


def random_game(game: str, seed: int = 1, **given: Any) -> GameRecord:
    return arena.play(game, "random_mover", "random_mover", seed=seed, **given)


def data(rules: Game, *records: GameRecord) -> dict[str, Any]:
    players = sorted({name for each in records for name in (each.first, each.second)})
    found = [Played(0, i, each, 1) for i, each in enumerate(records, start=1)]
    return games_data({"run": rules}, players, found, 0, {})


def board_after(found: dict[str, Any], game: dict[str, Any]) -> list[int]:
    """The last board as a viewer makes it, without rules."""
    board = found["boards"][game["b"]]
    cells = list(board.get("start") or [0] * board["size"] ** 2)
    for ply, move in enumerate(game["m"]):
        if board["kind"] == "place":
            cells[move] = ply % 2 + 1
        else:
            for cell, value in game["x"][ply]:
                cells[cell] = value
    return cells


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_viewer_comes_to_the_board_of_the_rules(name: str, seed: int) -> None:
    rules, record = load_game(name), random_game(name, seed)
    found = data(rules, record)
    (game,) = found["games"]
    p = rules.start()
    for word in record.moves.split():
        p = rules.play(p, rules.parse(word))
    assert board_after(found, game) == list(p.cells)
    assert game["m"] == list(p.moves)
    assert len(game["t"]) == len(game["e"]) == len(game["d"]) == len(game["c"])
    assert (game["n"], game["run"], game["b"], game["oid"], game["o"]) == (1, 0, 0, 1, 0)
    assert (game["w"] or None, game["r"]) == (record.winner, record.reason)


def test_boards_say_what_is_played_on_them() -> None:
    step, place = (data(load_game(name))["boards"][0] for name in ("two_eat_one", "renju"))
    assert step["kind"] == "step"
    assert step["start"] == [1] * 5 + [0] * 15 + [2] * 5
    assert step["k"] is None
    assert place == {"game": "renju", "size": 15, "rule": "renju", "k": 5, "kind": "place"}


def test_runs_on_one_board_share_it() -> None:
    rules = load_game("tictactoe")
    assert len(games_data({"one": rules, "two": rules}, [], [], 7, {})["boards"]) == 1
    assert len(games_data({"one": rules, "two": load_game("renju")}, [], [], 7, {})["boards"]) == 2


def test_lines_that_cross_in_the_last_stone_are_both_shown() -> None:
    cells = bytearray(49)
    for cell in (0, 1, 2, 3, 4, 11, 18, 25, 32, 6):
        cells[cell] = 1
    assert won_line(bytes(cells), 7, 5, 4) == [0, 1, 2, 3, 4, 11, 18, 25, 32]
    assert won_line(bytes(cells), 7, 5, 6) == []


def test_expected_lines_are_kept_and_times_are_short() -> None:
    record = replace(
        random_game("tictactoe"),
        opening="1,1",
        moves="1,1 0,0 0,1 2,1",
        times="0.001234 0.0123456 2.5",
        scores="- -5 12",
        depths="1 2 3",
        nodes="10 20 30",
        pv="0,1 2,2||2,0",
    )
    (game,) = data(load_game("tictactoe"), record)["games"]
    assert (game["o"], game["t"], game["e"]) == (1, [1.2, 12, 2500], [None, -5, 12])
    assert game["l"] == [[1, 8], None, [6]]


def test_the_line_of_a_proof_is_moves() -> None:
    won = replace(random_game("tictactoe"), reason="won by proof", detail="0,1 2,2 1,0")
    (game,) = data(load_game("tictactoe"), won)["games"]
    assert (game["proof"], game["detail"]) == ([1, 8, 3], "")
    (game,) = data(load_game("tictactoe"), replace(won, reason="crash"))["games"]
    assert "proof" not in game


@pytest.mark.parametrize(
    ("moves", "kept"),
    [("", []), ("1,1 x 0,0", [4]), ("1,1 1,1 0,0", [4]), ("1,1 9,9", [4]), ("0,0 </script>", [0])],
)
def test_a_game_is_shown_up_to_what_cannot_be_read(moves: str, kept: list[int]) -> None:
    said = {"times": "nan inf", "nodes": "1 2", "depths": "0 0", "scores": "- 3", "pv": "x|y"}
    record = replace(random_game("tictactoe"), moves=moves, **said)
    (game,) = data(load_game("tictactoe"), record)["games"]
    assert game["m"] == kept
    assert game["l"] == [None, None]
    assert (game["t"], game["e"]) == ([None, None], [None, 3])
    json.dumps(game, allow_nan=False)


@pytest.mark.parametrize("changed", [{"times": "x"}, {"nodes": "1.5"}, {"scores": ""}])
def test_a_game_is_shown_without_remarks_that_cannot_be_read(changed: dict[str, str]) -> None:
    said = {"times": "1", "nodes": "1", "depths": "1", "scores": "-", "pv": "0,0"} | changed
    record = replace(random_game("tictactoe"), opening="", moves="1,1", **said)
    (game,) = data(load_game("tictactoe"), record)["games"]
    assert (game["m"], game["t"], game["c"]) == ([4], [], [])
    assert "l" not in game


def test_steps_that_are_not_legal_end_a_game_too() -> None:
    record = replace(random_game("two_eat_one"), moves="0,0-1,0 0,0-1,0")
    (game,) = data(load_game("two_eat_one"), record)["games"]
    assert (len(game["m"]), len(game["x"])) == (1, 1)


def games(count: int, faulty: set[int]) -> list[GameRecord]:
    one = replace(random_game("tictactoe"), reason="full board", detail="")
    return [replace(one, reason="time") if i in faulty else one for i in range(count)]


def test_all_games_are_kept_where_there_is_room() -> None:
    records = games(10, {5})
    assert kept_games(records) == list(range(10))
    assert left_out_text(records, range(10)) == ""


def test_else_the_first_the_last_and_the_faulty() -> None:
    records = games(100, {48, 51, 52})
    kept = kept_games(records, room=9 * weight(records[0]))
    assert kept == [0, 1, 2, 48, 51, 52, 97, 98, 99]
    assert left_out_text(records, kept) == (
        "Of 100 games, 9 are kept in this page: the first and the last, and all 3 that a fault or "
        "the time ended. 91 are left out; all of them are in arena.db."
    )


def test_faulty_games_leave_room_for_others() -> None:
    records = games(100, set(range(20, 80)))
    kept = kept_games(records, room=8 * weight(records[0]))
    assert kept == [0, 1, 20, 21, 78, 79, 98, 99]
    assert "4 of the 60 that a fault" in left_out_text(records, kept)


def test_no_game_is_kept_where_none_has_room() -> None:
    assert kept_games(games(3, {1}), room=0) == []


def test_of_games_that_can_hardly_be_packed_fewer_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.report.page.games.MOST_PACKED", 300_000)
    chance, records = Random(1), games(400, set())
    noise = [chance.randbytes(1000).hex() for _ in records]
    kept, plain, pack = fitting_games(records, lambda kept: {"games": [noise[i] for i in kept]})
    assert plain is None
    assert 250_000 < len(pack) <= 300_000
    assert kept[0] == 0
    assert kept[-1] == 399
    loud = {"players": chance.randbytes(400_000).hex()}
    assert fitting_games(records[:2], lambda kept: loud)[0] == []


def test_long_data_are_packed() -> None:
    short, long = {"games": [1]}, {"games": ["x" * PLAIN]}
    assert packed(short) == (short, "")
    plain, text = packed(long)
    assert plain is None
    assert 0 < len(text) < PLAIN / 10
    assert json.loads(gzip.decompress(base64.b64decode(text))) == long


def circles(drawing: str, fill: str | None = None) -> int:
    found = [given for tag, given in Outline(drawing).tags if tag == "circle"]
    return len([given for given in found if fill in (None, given["fill"])])


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_of_a_game_is_drawn(game: str) -> None:
    record = arena.play(game, "random_mover", "random_mover", seed=3)
    rules = arena.load_game(game)
    p = rules.start()
    for word in record.moves.split():
        p = rules.play(p, rules.parse(word))
    drawing = draw_game(record, game)._repr_html_()
    assert circles(drawing) - circles(drawing, "none") == len(p.cells) - p.cells.count(0)
    assert f"random_mover: {'1-0' if record.winner == 1 else ''}" in drawing


def test_stones_have_the_numbers_of_their_moves() -> None:
    record = arena.play("tictactoe", "random_mover", "random_mover", seed=3)
    texts = Outline(draw_game(record, "tictactoe", 4).svg).texts
    assert texts[1:7] == ["a", "b", "c", "3", "2", "1"]
    assert sorted(texts[7:]) == ["1", "2", "3", "4"]
    numbered = draw_game(record, "tictactoe", 4, coordinates="numbers")
    assert Outline(numbered.svg).texts[1:7] == ["0", "1", "2"] * 2
    assert "after 4" in texts[0]


def test_notebooks_show_a_game_with_its_players_its_board_and_its_moves() -> None:
    record = arena.play("gomoku:size=7", "random_mover", "random_mover", seed=3)
    shown = record._repr_html_()
    assert draw_game(record, "gomoku:size=7").svg in shown
    assert Coordinates(7).text(record.moves) in shown
    assert shown.startswith(f"<p><b>{summary(record)}</b></p>")
    hostile = replace(record, first="<i>one</i>", detail="<script>")._repr_html_()
    assert "<i>" not in hostile
    assert "<script>" not in hostile
    assert pickle.loads(pickle.dumps(record)) == record


def test_the_winning_line_is_marked_only_at_the_end() -> None:
    record = next(
        each
        for each in (arena.play("tictactoe", *["random_mover"] * 2, seed=i) for i in range(20))
        if each.reason == "line"
    )
    assert circles(draw_game(record, "tictactoe").svg, "none") >= 3
    assert circles(draw_game(record, "tictactoe", record.plies - 1).svg, "none") == 1
    assert circles(draw_game(record, "tictactoe", 0).svg) == 0


@pytest.mark.parametrize("game", ["two_eat_one", "gomoku:size=5"])
def test_a_game_of_other_rules_is_refused(game: str) -> None:
    record = replace(
        arena.play("tictactoe", "random_mover", "random_mover"), moves="0,0 0,0", reason="line"
    )
    with pytest.raises(ConfigError, match="no game of"):
        draw_game(record, game)
    with pytest.raises(ConfigError, match="the game has 2 moves, not 3"):
        draw_game(record, "tictactoe", 3)


def test_notebooks_show_runs_reports_and_games(write: Write) -> None:
    run = arena.run(write(), workers=0, results=write().parent)
    assert "<table" in run._repr_html_()
    assert "<table" in run.report()._repr_html_()
    assert run.draw_game(1)._repr_svg_().startswith("<svg")
    with pytest.raises(ConfigError, match="no game 99 was played"):
        run.draw_game(99)


def test_a_notebook_shows_what_its_report_has_first(write: Write, tmp_path: Path) -> None:
    knockout = write().read_text() + "format: {knockout: {pairs: 1}}\n"
    run = arena.run(write(knockout), workers=0, results=tmp_path)
    assert run._repr_html_().count("<img") == 1, "its bracket"


def test_names_in_drawings_and_tables_are_text(write: Write) -> None:
    file = write().read_text().replace("name: one", "name: <b>one</b>")
    run = arena.run(write(file), workers=0, results=write(file).parent)
    assert "<b>one</b>" not in run._repr_html_()
    assert "<b>" not in run.draw_game(1).svg


@pytest.mark.slow
def test_a_thousand_games_are_all_there_in_less_than_a_megabyte() -> None:
    page = page_of(list(games_of_page(1000)))
    assert len(page.encode()) < 1_000_000
    found = Outline(page).data
    assert [game["n"] for game in found["games"]] == list(range(1, 1001))
    assert all(len(game["m"]) == PAGE_PLIES for game in found["games"])
    assert "left out" not in page.split("<script")[0]


@pytest.mark.slow
def test_of_ten_thousand_those_that_matter_are_kept() -> None:
    records = list(games_of_page(10_000))
    page = page_of(records)
    assert len(page.encode()) < 1_000_000
    found = Outline(page)
    assert f"Of 10,000 games, {len(found.data['games']):,} are kept" in found.text
    assert found.data["left_out"] == 10_000 - len(found.data["games"])
    assert len(found.data["games"]) >= 1000
    late = [game for game in records if game.reason == "time"]
    assert len([game for game in found.data["games"] if game["r"] == "time"]) == len(late)


def test_there_is_room_for_a_thousand_games() -> None:
    one = next(games_of_page(2))
    assert len(kept_games([one] * 1000)) == 1000
