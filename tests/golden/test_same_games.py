"""The games of whole runs and studies, kept as digests: rearranging the code changes none of them.

After a change that is meant to change games:
`pytest -n 0 -m slow tests/golden/test_same_games.py --golden-update`.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from textwrap import dedent, wrap
from typing import Any

import pandas as pd
import pytest

import arena

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
KEPT = HERE / "same_games.json"
ROUND = HERE.parents[1] / "configs" / "round.yaml"
OPENINGS = "openings: {random: {plies: 4, count: 8, seed: 7}}"
"""Those on which the games of `round` were played."""
FACTS = ["first", "second", "opening", "round", "winner", "reason", "moves"]

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
        method: surface
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
}

Digest = dict[str, Any]


def lines_of(rows: Iterable[Sequence[object]]) -> list[str]:
    """A line for each game."""
    return ["|".join(map(str, row)) for row in rows]


def table(frame: pd.DataFrame) -> list[str]:
    """A line for each row, and one of names; the last digits depend on the machine."""
    return frame.to_csv(index=False, float_format="%.6g").splitlines()


def games_of_run(folder: Path) -> list[str]:
    """The games in the order of the schedule."""
    return lines_of(arena.open_run(folder).games()[FACTS].itertuples(index=False))


def games_of_trials(folder: Path) -> list[str]:
    """The games in an order that does not depend on which ended first."""
    query = f"SELECT {', '.join(FACTS)} FROM games ORDER BY first, second, opening, round"
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        return lines_of(database.execute(query))


def parts_of_study(folder: Path) -> dict[str, list[str]]:
    """The trials with their games, the recommendation, and the proof with its games."""
    frames = arena.open_study(folder).frames()
    tests = sorted(config.parent for config in folder.glob("*/config.yaml"))
    return {
        "trials": table(frames.trials),
        "games": games_of_trials(folder),
        "recommendation": table(frames.parameters),
        "proof": table(frames.verification),
        "gains": table(frames.gains),
        **{f"games of {test.name}": games_of_run(test) for test in tests},
    }


def digest(lines: list[str]) -> Digest:
    """One digest of all, and a short one of each, which tells the first that differs."""
    marks = " ".join(sha256(line.encode()).hexdigest()[:4] for line in lines)
    return {"sha256": sha256("\n".join(lines).encode()).hexdigest(), "each": wrap(marks, 99)}


def difference(lines: list[str], kept: Digest) -> str | None:
    """The first line that is not the one kept."""
    found = digest(lines)
    if found == kept:
        return None
    marks = (" ".join(side["each"]).split() for side in (found, kept))
    pairs = zip_longest(lines, *marks)
    return next((f"{n}: {line}" for n, (line, a, b) in enumerate(pairs, 1) if a != b), "somewhere")


def check(name: str, parts: dict[str, list[str]], request: pytest.FixtureRequest) -> None:
    """Compare all lines with those kept, or keep them."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    if request.config.getoption("--golden-update"):
        kept[name] = {part: digest(lines) for part, lines in parts.items()}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    assert parts.keys() == kept[name].keys()
    differences = {part: difference(lines, kept[name][part]) for part, lines in parts.items()}
    assert differences == dict.fromkeys(parts)


def written(text: str, folder: Path) -> Path:
    """The file of a run or a study."""
    file = folder / "config.yaml"
    file.write_text(dedent(text), encoding="utf-8")
    return file


def test_a_round_of_the_readmes_engines_is_the_same(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    text = re.sub("^openings:.*", OPENINGS, ROUND.read_text(encoding="utf-8"), flags=re.MULTILINE)
    games = games_of_run(arena.run(written(text, tmp_path), workers=2, results=tmp_path).folder)
    assert len(games) == 720
    check("round", {"games": games}, request)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_the_same(
    name: str, workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    run = arena.run(written(RUNS[name], tmp_path), workers=workers, results=tmp_path)
    check(name, {"games": games_of_run(run.folder)}, request)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_the_same(
    name: str, workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    study = arena.tune(written(STUDIES[name], tmp_path), workers=workers, results=tmp_path)
    check(name, parts_of_study(study.folder), request)
