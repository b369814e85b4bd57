"""What many tests need: a tournament's file, made from a few lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest
from hypothesis import settings

# A machine that others use, too, makes any example slow now and then. The same examples each time,
# so that who changes nothing sees nothing fail; to look for more: --hypothesis-profile=searching.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("searching", deadline=None)
settings.load_profile("steady")

ROUND = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 2, seed: 1}}
    engines:
      - {name: one, engine: random_mover}
      - {name: two, engine: random_mover}
      - {name: three, engine: random_mover}
"""

Write = Callable[..., Path]


def player(choose: str) -> str:
    """The source of an engine that chooses so; `p`, `limit`, `self.game` and `Choice` are there."""
    return f"""
import faulthandler, logging, os, signal, threading, time
from arena import Choice

GAMES = ("*",)
logger = logging.getLogger("player")

class Player:
    def __init__(self, game):
        self.game = game

    def new_game(self, seed):
        pass

    def choose(self, p, limit):
{indent(dedent(choose).strip(), " " * 8)}

    def close(self):
        pass

def engine(game):
    return Player(game)
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file into the test's folder: `write(text, "round.yaml")`."""

    def write(text: str = ROUND, name: str = "round.yaml") -> Path:
        file = tmp_path / name
        file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        return file

    return write


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the golden files anew")
