"""A round, games of a person, searches and studies, kept as files: a change of any shows.

No rule says which question a tuning method ought to ask next, or which moves a search looks at
first. After a change that is meant to show:
`pytest -n 0 tests/golden/test_golden.py --golden-update`; look at the difference before it is
committed, and at `arena bench` if methods have changed.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from twins.boards import game_of
from twins.threats import random_position

import arena
from arena.cli import arena as command
from arena.engine import Choice, Limit
from arena.engines import balance, live_dead, patterns, shape_table
from arena.engines.kit.benchmarks import positions
from arena.engines.kit.shapes.table import Rule
from arena.game import Position
from arena.stats.elo import elo, expected_score
from arena.tuning.method import Advice, Plan, Trial, TrialResult, Tuner
from arena.tuning.methods import ascent, spsa
from arena.tuning.space import Axis, Space

HERE = Path(__file__).parent
GOLDEN = HERE / "round.csv"


def games(workers: int, results: Path) -> str:
    """All that is kept of each game but for what the clock said."""
    played = arena.run(HERE / "round.yaml", workers=workers, results=results).games()
    return str(played.drop(columns="times").to_csv(index=False))


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_round_is_the_same_with_any_number_of_workers(
    workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    found = games(workers, tmp_path)
    if request.config.getoption("--golden-update"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")


GAMES = {
    "gomoku": (
        ("human", "live_dead:depth=1", "--game", "gomoku:size=9"),
        "?|score|line|hint|e5|4,4|j9|4,5,6|hello|4 2|score|line|d4|undo|undo|undo|undo"
        "|(4, 4)|C5|5,3|board|c3|hint|3,5|g7",
    ),
    "tictactoe": (("human", "minimax", "--game", "tictactoe", "--scores"), "0,0|0,1|2,0|1,2|2,2"),
    "tictactoe_second": (
        ("minimax", "human", "--game", "tictactoe", "--opening", "1,1 0,0"),
        "undo|0,0|hint|resign",
    ),
    "two_persons": (
        ("human", "human", "--game", "tictactoe"),
        "0,0|hint|score|1,1|undo|2,2|0,1|0,2|QUIT",
    ),
    "two_eat_one": (
        ("human", "piece_count:depth=1", "--game", "two_eat_one"),
        "0,0|4,0-3,0|0,0-2,0|0,0-0,1|0 0 1 0|0,1 - 0,0|0,0-0,1|0,1-0,0|0,0-0,1|0,1->1,1|0,2-0,1"
        "|0,1-0,0|0,0-0,1|0,1-0,0|0,0-0,1|0,1-0,0",
    ),
}
"""The lines that are typed, by the place at which they are."""


@pytest.mark.parametrize("name", GAMES)
def test_what_a_person_sees(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, typed = GAMES[name]
    lines = typed.replace("|", "\n") + "\n"
    done = CliRunner().invoke(command, ["play", *arguments], input=lines, catch_exceptions=False)
    assert done.exit_code == 0
    golden = HERE / f"play_{name}.txt"
    if request.config.getoption("--golden-update"):
        golden.write_text(done.output, encoding="utf-8")
    assert done.output == golden.read_text(encoding="utf-8")
    assert "\x1b" not in done.output


SEARCHES = HERE / "searches.json"
RULES: list[Rule] = ["freestyle", "standard", "renju"]
NODES = {
    "balance": 12_000,
    "narrow": 6_000,
    "live_dead": 6_000,
    "patterns": 6_000,
    "shape_table": 3_000,
}
"""Nodes of each player; `narrow` is balance with a window that must widen."""


def player(name: str, game: Any) -> Any:
    if name == "shape_table":
        return shape_table.engine(game)
    if name == "patterns":
        return patterns.engine(game)
    if name == "live_dead":
        return live_dead.engine(game, search="selective")
    return balance.engine(game, search="selective", window=10 if name == "narrow" else 200)


def searched(game: Any) -> dict[str, Position]:
    """Positions by name: from the middle of games, and boards full of threats."""
    seeds = {f"threats-{seed}": 8 + seed for seed in range(8)}
    boards = {name: random_position(seed, game, n) for seed, (name, n) in enumerate(seeds.items())}
    return dict(positions(game)) | boards


def facts(game: Any, choice: Choice) -> str:
    pv = " ".join(map(game.text, choice.pv))
    told = " ".join(f"{name} {value}" for name, value in choice.info.items())
    return f"{choice.score} depth {choice.depth} nodes {choice.nodes} {told}: {pv}"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", NODES)
def test_a_search_answers_as_before(name: str, rule: Rule, request: pytest.FixtureRequest) -> None:
    game = game_of(rule)
    engine, found = player(name, game), {}
    for label, p in searched(game).items():
        engine.new_game(0)
        found[label] = facts(game, engine.choose(p, Limit(nodes=NODES[name])))
    kept = json.loads(SEARCHES.read_text(encoding="utf-8")) if SEARCHES.exists() else {}
    if request.config.getoption("--golden-update"):
        kept[f"{name}, {rule}"] = found
        SEARCHES.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    assert found == kept[f"{name}, {rule}"]


SPACE = Space(
    (
        Axis("free", 0.4, 0.0, 2.0),
        Axis("wide", 100.0, 1.0, 10_000.0, log=True),
        Axis("whole", 3, 0.0, 9.0, is_whole=True, step=1.0),
        Axis("idle", 0.5),
    )
)
PAIRS = 10
PLAN = Plan(budget=800, games=2 * PAIRS, lag=3, seed=5)
"""Enough trials for the model to look for other maxima, too."""


def strength(values: dict[str, float]) -> float:
    """Elo of a point: best in the upper part of the range, and steeper below; `idle` is idle."""
    away = SPACE.units(values)[:3] - [0.7, 0.8, 0.55]
    return -sum(weight * x * x * (2 - x) for weight, x in zip([300, 150, 80], away, strict=True))


def answer(trial: Trial) -> TrialResult:
    """The most likely result."""
    plus, minus = map(strength, trial.points)
    score = round(4 * PAIRS * expected_score(plus - minus)) / (4 * PAIRS)
    return TrialResult(elo(score), score, 0 if trial.points[0] == trial.points[1] else PAIRS)


def study(tuner: Tuner) -> Iterator[list[float]]:
    """Each trial's points, once it is told also the Elo it is seen at, and what is advised."""
    running: deque[Trial] = deque()
    for _ in range(PLAN.trials):
        if len(running) == PLAN.lag:
            trial = running.popleft()
            yield [trial.number, tuner.tell(trial, answer(trial))]
        running.append(tuner.ask())
        yield [float(value) for point in running[-1].points for value in point.values()]
    for advice in tuner.recommend():
        yield numbers(advice)


def numbers(advice: Advice) -> list[float]:
    return [float(value) for value in astuple(advice)[1:] if value is not None]


@pytest.mark.parametrize(
    ("file", "method"),
    [
        ("study_ascent.json", ascent.tuner),
        ("study_spsa.json", spsa.tuner),
        ("study_spsa_of_one_width.json", partial(spsa.tuner, c=0.1)),
    ],
)
def test_a_study_is_the_same_as_ever(
    file: str, method: Callable[[Space, Plan], Tuner], request: pytest.FixtureRequest
) -> None:
    found = list(study(method(SPACE, PLAN)))
    if request.config.getoption("--golden-update"):
        rows = [[float(f"{number:.6g}") for number in row] for row in found]
        (HERE / file).write_text("[" + ",\n".join(map(str, rows)) + "]\n", encoding="utf-8")
    kept = json.loads((HERE / file).read_text(encoding="utf-8"))
    for row, expected in zip(found, kept, strict=True):
        assert row == pytest.approx(expected, rel=1e-4, abs=1e-6)
