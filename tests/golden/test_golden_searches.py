"""Answers of the selective search and the prediction in a few positions: a change of order shows.

After a change that is meant to change searches:
`pytest -n 0 tests/golden/test_golden_searches.py --golden-update`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from twins.boards import game_of
from twins.threats import random_position

from arena.engine import Choice, Limit
from arena.engines import balance, live_dead, patterns, shape_table
from arena.engines.kit.benchmarks import positions
from arena.engines.kit.shapes.table import Rule
from arena.game import Position

KEPT = Path(__file__).parent / "searches.json"
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
    """The answer in one line."""
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
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    if request.config.getoption("--golden-update"):
        kept[f"{name}, {rule}"] = found
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    assert found == kept[f"{name}, {rule}"]
