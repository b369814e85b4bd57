"""A game as a drawing, in notebooks."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from support.html_outlines import Outline
from support.samples import Write

import arena
from arena import ConfigError, draw_game
from arena.coordinates import Coordinates
from arena.match.record import summary

GAMES = ["gomoku:size=7", "renju", "tictactoe", "two_eat_one"]


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
