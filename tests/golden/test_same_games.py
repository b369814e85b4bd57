"""The games of whole runs and studies, kept as digests: rearranging the code changes none of them.

After a change that is meant to change games:
`pytest -n 0 -m 'slow or not slow' tests/golden/test_same_games.py --golden-update`.
"""

from __future__ import annotations

import re
from operator import attrgetter
from pathlib import Path
from textwrap import dedent

import pytest
from support import sweep
from support.digests import check, lines_of, table
from support.edited_runs import records_in
from support.samples import ROOT

import arena

ROUND = ROOT / "configs" / "round.yaml"
OPENINGS = "openings: {random: {plies: 4, count: 8, seed: 7}}"
"""The openings on which the games of `round` were played."""
FACTS = ["first", "second", "opening", "round", "winner", "reason", "moves"]
TIMED = ["seconds_per_move", "nodes_per_second", "greatest_overrun", "near_limit"]
"""Columns of the standings that differ each time."""

RUNS = {
    "renju": """
        game: renju
        openings: {random: {plies: 4, count: 3, seed: 5}}
        engines:
          - {name: balance, engine: balance, depth: 3}
          - {name: shapes, engine: live_dead, depth: 3}
          - {name: table, engine: shape_table, prediction: 2}
          - {name: random, engine: random_mover}
          - {name: chance, engine: random_mover}
    """,
    "swiss": """
        game: {gomoku: {size: 11, rule: standard}}
        format: {swiss: {stages: 2}}
        openings: {random: {plies: 3, count: 3, seed: 6}}
        limit: {nodes: 5000}
        max_plies: 60
        rounds: 2
        seed: 6
        engines:
          - {name: tuple-d3, engine: five_tuple, depth: 3}
          - {name: tuple-d2, engine: five_tuple, depth: 2, limit: {depth: 1}}
          - {name: balance, engine: balance, depth: 2}
          - {name: shapes, engine: live_dead, depth: 2}
          - {name: random, engine: random_mover}
    """,
    "knockout": """
        game: two_eat_one
        format: {knockout: {pairs: 2, tie_breaks: 4}}
        openings: {random: {plies: 6, seed: 7}}
        seed: 7
        engines:
          - {name: pieces-d5, engine: piece_count}
          - {name: pieces-d4, engine: piece_count, depth: 4}
          - {name: pieces-d2, engine: piece_count, depth: 2}
          - {name: pieces-d1, engine: piece_count, depth: 1}
          - {name: random, engine: random_mover}
    """,
}
STUDIES = {
    "points_that_meet": """
        game: {gomoku: {size: 11}}
        engine: {engine: live_dead, depth: 1, live_three: 20}
        vary: {}
        parameters:
          live_three: {low: 20, high: 1000}
          rush_four: {low: 50, high: 5000}
          defence: {low: 0, high: 4}
        method: ascent
        budget: 240
        openings: {random: {plies: 3, seed: 8}}
        seed: 8
        verification: {elo0: -100, elo1: 0, pairs: 100}
    """,
    "points_that_meet_an_opponent": """
        game: {gomoku: {size: 11}}
        engine: {engine: five_tuple, depth: 2, other_three: 1, other_four: 1}
        vary: {}
        parameters: [three, other_three, other_four]
        method: tpe
        budget: 240
        games: 24
        opponents: [{name: rival, engine: live_dead, depth: 1}]
        openings: {random: {plies: 3, seed: 9}}
        seed: 9
        verification: {elo0: -100, elo1: 0, pairs: 100, opponent_pairs: 10}
    """,
    "conditions": """
        game: {gomoku: {size: 9}}
        engine: {engine: balance, depth: 1}
        vary: {depth: [1, 2], openings: [{random: {plies: 3, seed: 10}}, {random: {plies: 5}}]}
        parameters: [rush_three, rush_four]
        method: ascent
        budget: 160
        games: 16
        early_stop: 0.1
        seed: 10
        verification: {elo0: -100, elo1: 0, pairs: 60, condition_pairs: 10}
    """,
    "gradient": """
        game: {gomoku: {size: 9}}
        engine: {engine: five_tuple, depth: 1, other_three: 1, other_four: 1}
        vary: {}
        parameters: [three, other_three, other_four]
        method: spsa
        budget: 240
        openings: {random: {plies: 3, seed: 11}}
        seed: 11
        verification: {elo0: -100, elo1: 0, pairs: 60}
    """,
}
OF_LIBRARIES = ["importance"]  # A column that Optuna's version changes


def games_of_run(folder: Path) -> list[str]:
    return lines_of(arena.open_run(folder).games()[FACTS].itertuples(index=False))


def games_of_trials(folder: Path) -> list[str]:
    """The games in an order that does not depend on which ended first."""
    order = attrgetter("first", "second", "opening", "round")
    return lines_of(map(attrgetter(*FACTS), sorted(records_in(folder), key=order)))


def parts_of_run(folder: Path) -> dict[str, list[str]]:
    run = arena.open_run(folder)
    return {
        "games": games_of_run(folder),
        "standings": table(run.standings().drop(columns=TIMED)),
        "win rates": table(run.win_rates()),
    }


def parts_of_study(folder: Path) -> dict[str, list[str]]:
    """The trials with their games, the recommendation, and the proof with its games."""
    frames = arena.open_study(folder).frames()
    tests = sorted(config.parent for config in folder.glob("*/config.yaml"))
    return {
        "trials": table(frames.trials),
        "games": games_of_trials(folder),
        "recommendation": table(frames.parameters.drop(columns=OF_LIBRARIES)),
        "proof": table(frames.verification),
        "gains": table(frames.gains),
        **{f"games of {test.name}": games_of_run(test) for test in tests},
    }


def written(text: str, folder: Path) -> Path:
    file = folder / "config.yaml"
    file.write_text(dedent(text), encoding="utf-8")
    return file


@pytest.mark.slow
@pytest.mark.sweep
def test_a_round_of_the_readmes_engines_is_the_same(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if sweep.step > sweep.WHOLE:
        pytest.skip("it takes minutes, and .ci/run plays the round as the README says")
    text = re.sub("^openings:.*", OPENINGS, ROUND.read_text(encoding="utf-8"), flags=re.MULTILINE)
    run = arena.run(written(text, tmp_path), workers=2, results=tmp_path)
    assert len(run.games()) == 720
    check("round", parts_of_run(run.folder), request)


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_the_same(
    name: str, workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    run = arena.run(written(RUNS[name], tmp_path), workers=workers, results=tmp_path)
    check(name, parts_of_run(run.folder), request)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_the_same(
    name: str, workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    study = arena.tune(written(STUDIES[name], tmp_path), workers=workers, results=tmp_path)
    check(name, parts_of_study(study.folder), request)


LOCAL = "local:2"  # A cluster of two processes of this machine


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
@pytest.mark.parametrize("name", [*RUNS, "points_that_meet_an_opponent"])
def test_games_on_a_cluster_are_the_same(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("distributed")
    file = written(RUNS.get(name) or STUDIES[name], tmp_path)
    play, parts = (arena.run, parts_of_run) if name in RUNS else (arena.tune, parts_of_study)
    played = play(file, cluster=LOCAL, results=tmp_path)
    check(name, parts(played.folder), request)
