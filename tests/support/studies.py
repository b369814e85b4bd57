"""A study that is quick to play, and what of two studies must be the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import optuna
from support.samples import Write

import arena
from arena.tuning.study import Study

COIN = '''
"""A player that gives up at once, unless it is lucky: the more weight, the luckier."""

import random
from typing import Annotated

from arena import Choice, Range

GAMES = ("*",)


class Player:
    def __init__(self, game, luck):
        self.game, self.luck = game, luck

    def new_game(self, seed):
        self.random = random.Random(seed)

    def choose(self, p, limit):
        if self.random.random() > self.luck:
            return Choice(None)
        return Choice(self.random.choice(self.game.moves(p)))

    def close(self):
        pass


def engine(
    game,
    *,
    weight: Annotated[float, Range(0.0, 1.0)] = 0.2,
    power: Annotated[int, Range(1, 100, log=True)] = 10,
    sulks: bool = False,
):
    return Player(game, 0.1 if sulks else 0.9 - 0.4 * abs(weight - 0.8))
'''
STUDY = """
    game: {gomoku: {size: 9}}
    engine: ./coin.py
    parameters: [weight, power]
    method: spsa
    budget: 120
    games: 8
    seed: 3
    openings: {random: {plies: 3}}
    verification: {elo0: -100, elo1: 0, pairs: 300}
"""
UNPROVED = STUDY.replace("elo0: -100, elo1: 0", "elo0: 400, elo1: 500")
OPPONENT = STUDY.replace("elo1: 0,", "elo1: 0, opponent_pairs: 20,") + (
    "    opponents: [{name: rival, engine: ./coin.py, weight: 0.5}]\n"
)
FIT = """
kind: fit
game: {gomoku: {size: 7}}
engine: {engine: five_tuple, depth: 1}
vary: {}
parameters: [three]
make:
  engines: [{name: a, engine: five_tuple, depth: 1}, {name: b, engine: five_tuple, three: 1000}]
  games: 8
opponents: [{name: c, engine: live_dead, depth: 1}, {name: d, engine: random_mover}]
openings: {random: {plies: 3, seed: 3}}
verification: {elo0: 0, elo1: 200, pairs: 20}
"""


def tuned(
    write: Write, text: str = STUDY, workers: int = 0, name: str = "study.yaml", **more: Any
) -> Study:
    write(COIN, "coin.py")
    file = write(text, name)
    return arena.tune(file, workers=workers, results=file.parent / "results", **more)


def after(games: int) -> Mapping[str, Any]:
    """Arguments that stop a study, or its proof, after so many games."""
    seen = list[object]()
    return {"watch": seen.append, "stop": lambda: len(seen) > games}


def let_go(read: optuna.Study) -> None:
    storage = read._storage
    storage.remove_session()
    storage._backend.engine.dispose()  # type: ignore[attr-defined]


@contextmanager
def mirrored(study: Study) -> Iterator[optuna.Study]:
    file = f"sqlite:///{study.folder / 'arena.db'}"
    read = optuna.load_study(study_name=study.config.name, storage=file)
    try:
        yield read
    finally:
        let_go(read)


def trials_of(study: Study) -> list[optuna.trial.FrozenTrial]:
    with mirrored(study) as read:
        return read.get_trials()


def facts(study: Study) -> list[tuple[object, ...]]:
    """The facts of Optuna's trials that must not depend on the workers and their order."""
    return [
        (trial.number, trial.state, trial.params, trial.value, trial.user_attrs)
        for trial in trials_of(study)
    ]


def same(one: Study, other: Study) -> bool:
    first, last = (
        (each.trials.told, each.advice, facts(each), each.proof) for each in (one, other)
    )
    return first == last
