"""A test pair by pair: at its end stands what the format itself says."""

from __future__ import annotations

import random

import pytest
from support.game_records import game, games_of, results_of

from arena.format import Field
from arena.formats import sprt
from arena.match.record import GameRecord
from arena.plugins.load import Named
from arena.report.page.charts import llr_figure, llr_path
from arena.report.run_answer import format_format
from arena.storage.database import Games

VALUES = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}


def games(count: int, seed: int = 1, moves: str = "") -> list[GameRecord]:
    """Pairs of one player that wins more often, each pair's games in any order."""
    chance = random.Random(seed)
    found = []
    for i in range(count):
        pair = [
            game("new", "old", chance.choice([1, 1, 2, None]), str(i), moves=moves),
            game("old", "new", chance.choice([1, 2, 2, None]), str(i), moves=moves),
        ]
        found += chance.sample(pair, 2)
    return found


def row_of(records: list[GameRecord], pairs: int = 40) -> dict[str, object]:
    field = Field(("new", "old"), tuple(map(str, range(pairs))), 1)
    (row,) = sprt.matches(field, results_of(records), **VALUES, pairs=pairs)
    return row


@pytest.mark.parametrize("seed", range(5))
def test_its_end_is_the_llr_of_the_match(seed: int) -> None:
    records = games(8, seed)
    row = row_of(records)
    path = llr_path(games_of(records), row)
    assert path[0] == (0, pytest.approx(0, abs=1e-3))
    assert path[-1] == (row["pairs"], row["llr"])
    assert [pairs for pairs, _ in path] == list(range(9))


def test_of_a_long_test_a_screen_full_is_shown() -> None:
    records = games(40)
    row = row_of(records)
    path = llr_path(games_of(records), row, most=10)
    assert len(path) <= 12
    assert path[-1] == (row["pairs"], row["llr"])


def test_copies_do_not_count() -> None:
    records = games(1)
    assert len(llr_path(games_of(records[:2]), row_of(records[:2]))) == 2
    copies = [game("new", "old", 1, str(i), moves="a") for i in range(3)]
    copies += [game("old", "new", 2, str(i), moves="b") for i in range(3)]
    row = row_of(copies)
    assert llr_path(games_of(copies), row)[-1] == (row["pairs"], row["llr"]) == (1, row["llr"])


def test_what_comes_after_an_incomplete_pair_does_not_count_yet() -> None:
    records = games(6)
    del records[5]
    row = row_of(records)
    assert row["pairs"] == 2
    assert llr_path(games_of(records), row)[-1] == (2, row["llr"])


def test_no_game_is_a_picture_too() -> None:
    figure = llr_figure(Games(), row_of([]))
    assert "0.00 after 0 pairs" in figure.caption
    assert "not decided" in figure.caption


@pytest.mark.parametrize(("model", "unit"), [("logistic", "Elo"), ("normalized", "nElo")])
def test_hypotheses_are_told_in_their_unit(model: str, unit: str) -> None:
    drawing = llr_figure(Games(), row_of([]) | {"model": model}).drawing
    assert f"H1: 50 {unit}<" in drawing
    assert f"H0: 0 {unit}<" in drawing
    test = Named("sprt", {"elo0": 0.0, "elo1": 50.0, "model": model})
    assert format_format(test) == f"SPRT of 0 against 50 {unit}"
