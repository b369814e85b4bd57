"""A study in which some weights make the engine fail: what it says of the games of its search."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from support.studies import COIN, trials_of

import arena
from arena.tuning.study import Study

FAILS = COIN.replace(
    "        if self.random.random() > self.luck:",
    """        if self.bad > 4 and self.random.random() < 0.7:
            raise ValueError("bad")
        if self.random.random() > self.luck:""",
)
FAILS = FAILS.replace(
    "    sulks:", "    bad: Annotated[int, Range(1, 9)] = 2,\n    sulks:"
).replace("return Player(game, ", "player = Player(game, ")
FAILS += "    player.bad = bad\n    return player\n"
SEARCH = """
    game: {gomoku: {size: 9}}
    engine: ./fails.py
    parameters: [weight, bad]
    method: METHOD
    budget: 96
    games: 8
    seed: 3
    openings: {random: {plies: 3}}
    verification: {elo0: -100, elo1: 0, pairs: 10}
"""


def searched(folder: Path, method: str) -> Study:
    """A study of the engine that fails at some values of `bad`."""
    (folder / "fails.py").write_text(FAILS)
    (folder / "study.yaml").write_text(dedent(SEARCH).replace("METHOD", method))
    return arena.tune(folder / "study.yaml", workers=0, results=folder / "results")


@pytest.fixture(scope="module", name="alone")
def fixture_alone(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of points that meet the default."""
    return searched(tmp_path_factory.mktemp("alone"), "random")


@pytest.fixture(scope="module", name="met")
def fixture_met(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of two points that meet."""
    return searched(tmp_path_factory.mktemp("met"), "{spsa: {c: 0.4, r: 1}}")


def test_a_point_that_met_the_default_is_worth_its_own_result(alone: Study) -> None:
    trials = alone.frames().trials
    assert trials["elo"].iloc[0] != 0
    assert list(trials["estimate"]) == list(trials["elo"])
    assert [trial.value for trial in trials_of(alone)] == list(trials["elo"])
