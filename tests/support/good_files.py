"""A tournament and a study without a fault, and the faults of files made from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.samples import Write

from arena import ConfigError
from arena.config.reader import read_config
from arena.tuning.settings.reader import read_tuning

TOURNAMENT = """\
name: round
game: {gomoku: {size: 9}}
format: round_robin
openings: {random: {plies: 2, count: 2}}
limit: {depth: 2}
engines:
  - {name: one, engine: five_tuple, depth: 3, radius: 1}
  - {name: two, engine: random_mover}
"""
PLAYER = '''
"""A player with one parameter of each kind."""

from typing import Annotated, Literal

from arena import Range

GAMES = ("*",)

def engine(
    game,
    *,
    bold: Annotated[float, Range(0, 1)] = 0.3,
    three: Annotated[int, Range(10, 5000, log=True)] = 100,
    depth: Annotated[int, Range(1, 9, step=2)] = 3,
    bare: float = 1.0,
    wild: bool = False,
    style: Literal["calm", "odd"] = "calm",
    mood: str = "good",
    book: tuple[str, ...] = (),
):
    raise AssertionError("nobody builds it")
'''
STUDY = """\
name: weights
game: {gomoku: {size: 9}}
engine: ./player.py
parameters:
  bold: {low: 0.1, high: 0.9}
  three:
method: tpe
budget: 400
games: 8
openings: {random: {plies: 4}}
verification: {pairs: 500}
vary: {}
"""
Reader = Callable[[Path], object]


def faults_of(reader: Reader, file: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        reader(file)
    return [str(fault).replace(f"{file.parent}/", "") for fault in caught.value.faults]


def tournament_faults(write: Write, text: str) -> list[str]:
    return faults_of(read_config, write(text))


def study_faults(write: Write, text: str) -> list[str]:
    write(PLAYER, "player.py")
    return faults_of(read_tuning, write(text, "study.yaml"))
