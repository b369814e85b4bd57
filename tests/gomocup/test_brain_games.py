"""Our engines as brains in games: they play as they do in process, and keep their time."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import arena
from arena.engine import Limit
from arena.gomocup.executable import write_brain
from arena.match.record import GameRecord
from arena.plugins.load import parse_named, playable_games

RULES = ["gomoku", "gomoku:rule=standard", "renju"]
OPENING = "7,7 8,8 6,9 9,6"
OPPONENTS = {"gomoku": "five_tuple:depth=2", "renju": "live_dead:depth=2"}
SEARCHES = {"five_tuple": 3, "live_dead": 4, "balance": 5, "shape_table": None}
"""The engines that search, and their depths; `gomocup` plays by programs, and others draw lots."""
"""Everything in a record that does not depend on names and the clock."""


def same(record: GameRecord) -> tuple[object, ...]:
    """All of a game that depends on neither names nor the clock."""
    return (
        *(record.winner, record.reason, record.moves, record.plies),
        *(record.scores, record.depths, record.nodes),
    )


def written(engine: str, folder: Path) -> str:
    file = folder / "pbrain"
    write_brain(parse_named(engine), file)
    return str(file)


def both_colours(game: str, engine: str, limit: Limit | None = None) -> list[tuple[object, ...]]:
    opponent = OPPONENTS[game.partition(":")[0]]
    seats = [(engine, opponent), (opponent, engine)]
    return [same(arena.play(game, *seat, opening=OPENING, limit=limit)) for seat in seats]


def assert_brain_plays_as_the_engine(game: str, engine: str, limit: Limit | None, folder: Path):
    brain = written(engine, folder)
    assert both_colours(game, brain, limit) == both_colours(game, engine, limit)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "engine"), product(RULES, SEARCHES))
def test_an_engine_and_its_own_brain_play_the_same_games(
    game: str, engine: str, tmp_path: Path
) -> None:
    if game.partition(":")[0] not in playable_games(engine):
        pytest.skip("is not played")
    depth = SEARCHES[engine]
    text = engine if depth is None else f"{engine}:depth={depth}"
    assert_brain_plays_as_the_engine(game, text, None, tmp_path)
