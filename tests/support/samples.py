"""Samples that many tests need: a tournament's file, and engines that play as they are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent, indent

ROOT = Path(__file__).parents[2]  # the repository
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


def opener(opens: str, choose: str, begin: str = "pass") -> str:
    """The same of an engine that makes openings so, too, and begins each game so."""
    methods = (
        f"    def open(self, p, limit):\n{indent(dedent(opens).strip(), ' ' * 8)}\n\n    def close"
    )
    source = player(choose).replace("        pass", f"        {begin}", 1)
    return f"import random\n{source.replace('    def close', methods)}"


def engines_file(folder: Path, choices: Mapping[str, str]) -> Path:
    """A file with engines of these names, which choose so."""
    lines = ["game: {gomoku: {size: 7}}", "openings: {random: {plies: 2, count: 2, seed: 1}}"]
    lines.append("engines:")
    for name, choose in choices.items():
        (folder / f"{name}.py").write_text(player(choose))
        lines.append(f"  - {{name: {name}, engine: ./{name}.py}}")
    file = folder / "engines.yaml"
    file.write_text("\n".join(lines))
    return file
