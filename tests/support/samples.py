"""Samples that many tests need: a tournament's file, and engines that play as they are told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

ROOT = Path(__file__).parents[2]
"""The repository."""

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
