"""The command that fits the worths of moves: from games to a file of worths, and its test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from support.samples import Write

import arena
from arena.engines.kit.pattern_tables import move_weights_in
from arena.engines.kit.shapes.codes import MOVE_WEIGHTS
from arena.games.gomoku import Gomoku
from fit_moves.__main__ import main

GAMES = """
    game: {gomoku: {size: 9, rule: freestyle}}
    engines:
    - {name: by_hand, engine: patterns, fitted_moves: false}
    - {name: narrow, engine: patterns, fitted_moves: false, breadth: 4}
    openings: {random: {plies: 5, count: 30, seed: 77, spread: 4}}
    limit: {depth: 1}
"""
FIT = """
    kind: fit
    game: {gomoku: {size: 9, rule: freestyle}}
    engine: {engine: patterns, fitted_moves: false}
    games: [games]
    opponents: [{name: mover, engine: random_mover}, {name: windows, engine: five_tuple, depth: 1}]
    openings: {random: {plies: 5, seed: 34, spread: 4}}
    limit: {depth: 1}
    vary: {}
    verification: {elo0: -400, elo1: -200, pairs: 10, opponent_pairs: 10}
"""


def run(file: Path) -> Result:
    """The command on a file."""
    options = ["--workers", "0", "--results", str(file.parent / "results")]
    return CliRunner().invoke(main, [str(file), *options])


def said(file: Path) -> str:
    result = run(file)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
def test_worths_are_found_written_and_tested_and_the_test_goes_on(
    write: Write, tmp_path: Path
) -> None:
    arena.run(write(GAMES, "games.yaml"), workers=0, results=tmp_path / "results")
    file, folder = write(FIT, "sorted.yaml"), tmp_path / "results/sorted"
    shown = said(file)
    (worths,) = folder.glob("moves-*.npz")
    game = Gomoku("gomoku", 9, 5, "freestyle")
    found, by_hand = (move_weights_in(game, *each) for each in ((str(worths),), ("", False)))
    assert found.shape == (MOVE_WEIGHTS,)
    assert (found != by_hand).any()
    assert str(np.load(worths)["rule"]) == "freestyle"
    for words in ("in the first 10", "Test of the", "Loss\n", "is first in the sorting in"):
        assert words in shown
    test = arena.open_run(folder / "verification")
    tuned, default = test.config.players
    assert tuned.engine.parameters["moves"] == str(worths.resolve())
    assert default.engine.parameters["moves"] == ""
    games = test.games()
    assert said(file).splitlines()[-20:] == shown.splitlines()[-20:]
    assert arena.open_run(folder / "verification").games().equals(games), "none was played again"


def test_an_engine_that_sorts_by_no_worths_is_refused_with_the_place(write: Write) -> None:
    file = write(FIT.replace("{engine: patterns, fitted_moves: false}", "{engine: balance}"))
    refused = str(run(file).exception)
    assert refused == f"{file}:3:9: only patterns sorts moves by worths, not balance"
