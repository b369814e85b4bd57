"""A fit of weights: CPU seconds to sample a million positions from games and to fit, and memory."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from itertools import islice
from random import Random

from arena.bench import Measurement
from arena.engine import Evaluation
from arena.game import Game, Outcome
from arena.match.copies import marks
from arena.match.record import GameRecord, Job, record
from arena.plugins.build import evaluation_of, forced_win_search
from arena.plugins.load import Named, checked, factory, load_game
from arena.plugins.parameters import parameters
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.result_fit import fit_weights
from arena.tuning.fit.terms import linear_terms, sampled
from arena.tuning.space import Space, Values, candidates, read_axis

POSITIONS = 1_000_000
PLIES, OPENING = 37, 4
"""Plies of a game at most, as of one between strong engines, and those of its opening."""
SIDE = range(2, 13)
"""Rows and columns of the moves, so near each other that shapes come about."""
NOISE = 300
"""The standard deviation that is added to a game's last value, the sign of which is its result."""
ENGINE = "live_dead"
WEIGHTS = ("one", "rush_two", "live_two", "rush_three", "live_three", "rush_four", "live_four")
SETTINGS = FitSettings(holdout=0.1, score_share=0.0, l2=1e-5, seed=0)


def rows(repeat: int, *, positions: int = POSITIONS) -> Iterator[Measurement]:
    """Sample as many positions of made-up games, and fit, on one core; `repeat` is ignored.

    The CPU time of making the games up is left out.
    """
    game, engine, making = load_game("gomoku"), checked("engine", ENGINE), [0.0]

    def evaluate(values: Values) -> Evaluation:
        found = evaluation_of(Named(ENGINE, {**engine.parameters, **values}), game)
        assert found
        return found

    games = timed(made_up(game, evaluate({})), making)
    began = time.process_time()
    result = fit_weights(
        islice(sampled(games, game, forced_win_search(game), seed=0), positions),
        lambda first: linear_terms(evaluate, free_weights(engine), first, game),
        free_weights(engine),
        SETTINGS,
        lambda words: None,
    )
    yield {
        "name": "fit",
        "positions": result.positions,
        "weights": len(result.weights),
        "seconds": time.process_time() - began - making[0],
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def free_weights(engine: Named) -> Space:
    """The weights that are fitted, with the ranges that the engine declares."""
    known = candidates(parameters(factory("engine", engine.name)), engine.parameters)
    nothing = dict.fromkeys(("low", "high", "log", "step", "choices"))
    axes = [read_axis(known[name], nothing)[0] for name in WEIGHTS]
    return Space(tuple(axis for axis in axes if axis))


def made_up(game: Game, value: Evaluation) -> Iterator[GameRecord]:
    """Games of random moves, the result of which tells of the last position, as long as asked."""
    random, cells = Random(0), [row * 15 + column for row in SIDE for column in SIDE]
    while True:
        line = [game.start()]
        for cell in random.sample(cells, PLIES):
            if game.outcome(line[-1]):
                break
            line.append(game.play(line[-1], cell))
        p = line[-1]
        outcome = game.outcome(p)
        if not outcome:
            is_ahead = value(p) + random.gauss(0, NOISE) > 0
            outcome = Outcome(p.turn if is_ahead else 3 - p.turn, "resignation")
        moves = [game.text(move) for move in p.moves]
        opening = line[min(OPENING, p.ply)]
        job = Job("one", "two", " ".join(moves[:OPENING]))
        yield record(job, outcome, "", " ".join(moves), marks(game, opening, p))


def timed(games: Iterator[GameRecord], spent: list[float]) -> Iterator[GameRecord]:
    """The games; the CPU seconds that each took are added to what was `spent`."""
    while True:
        began = time.process_time()
        found = next(games)
        spent[0] += time.process_time() - began
        yield found
