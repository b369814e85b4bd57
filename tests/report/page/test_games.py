"""Games as the viewer reads them: the whole game, as the rules have it, in few characters."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from support.samples import ROOT

import arena
from arena.game import Game
from arena.match.record import GameRecord
from arena.plugins.load import load_game
from arena.report.page import games as page_games
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

GAMES = ["gomoku:size=9", "renju", "tictactoe", "two_eat_one"]


def played(game: str, seed: int = 1, **given: Any) -> GameRecord:
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
    rules, record = load_game(name), played(name, seed)
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


def test_the_rules_of_every_game_of_the_project_are_tried() -> None:
    names = {file.stem for file in (ROOT / "arena/games").glob("*.py")} - {"__init__"}
    assert {name.partition(":")[0] for name in GAMES} == names


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


def test_the_winning_line_is_all_of_it() -> None:
    rules = load_game("gomoku:size=9")
    record = next(each for each in (played("gomoku:size=9", i) for i in range(99)) if each.winner)
    (game,) = data(rules, record)["games"]
    assert len(game["line"]) >= 5
    assert game["m"][-1] in game["line"]


def test_lines_that_cross_in_the_last_stone_are_both_shown() -> None:
    cells = bytearray(49)
    for cell in (0, 1, 2, 3, 4, 11, 18, 25, 32, 6):
        cells[cell] = 1
    assert won_line(bytes(cells), 7, 5, 4) == [0, 1, 2, 3, 4, 11, 18, 25, 32]
    assert won_line(bytes(cells), 7, 5, 6) == []


def test_expected_lines_are_kept_and_times_are_short() -> None:
    record = replace(
        played("tictactoe"),
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
    won = replace(played("tictactoe"), reason="won by proof", detail="0,1 2,2 1,0")
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
    record = replace(played("tictactoe"), moves=moves, **said)
    (game,) = data(load_game("tictactoe"), record)["games"]
    assert game["m"] == kept
    assert game["l"] == [None, None]
    assert (game["t"], game["e"]) == ([None, None], [None, 3])
    json.dumps(game, allow_nan=False)


@pytest.mark.parametrize("changed", [{"times": "x"}, {"nodes": "1.5"}, {"scores": ""}])
def test_a_game_is_shown_without_remarks_that_cannot_be_read(changed: dict[str, str]) -> None:
    said = {"times": "1", "nodes": "1", "depths": "1", "scores": "-", "pv": "0,0"} | changed
    record = replace(played("tictactoe"), opening="", moves="1,1", **said)
    (game,) = data(load_game("tictactoe"), record)["games"]
    assert (game["m"], game["t"], game["c"]) == ([4], [], [])
    assert "l" not in game


def test_steps_that_are_not_legal_end_a_game_too() -> None:
    record = replace(played("two_eat_one"), moves="0,0-1,0 0,0-1,0")
    (game,) = data(load_game("two_eat_one"), record)["games"]
    assert (len(game["m"]), len(game["x"])) == (1, 1)


def games(count: int, faulty: set[int]) -> list[GameRecord]:
    one = replace(played("tictactoe"), reason="full board", detail="")
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
    monkeypatch.setattr(page_games, "MOST_PACKED", 300_000)
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
