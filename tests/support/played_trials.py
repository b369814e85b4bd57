"""The trials of a study played without engines, on any number of workers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from arena.game import Outcome
from arena.match.game_row import row_of
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, record
from arena.tuning.method import Plan
from arena.tuning.space import Axis, Space
from arena.tuning.trials import Trials

SPACE = Space((Axis("x", 0.5), Axis("n", 3, 0.0, 9.0, is_whole=True, step=1.0)))
OPENINGS = [str(i) for i in range(200)]
PLAN = Plan(budget=240, games=8, lag=4, seed=1)


def played(job: Job) -> GameRecord:
    """A game whose result depends on the job and nothing else."""
    draw = random.Random(str(job))
    winner = draw.choices([1, 2, None], [5, 3, 1])[0]
    return record(job, Outcome(winner, "line"), "", str(draw.random()))


def play(
    trials: Trials,
    workers: int,
    seed: int = 0,
    games: int = 10**9,
    game: Callable[[Job], GameRecord] = played,
) -> list[GameRecord]:
    """Play the study on some workers, games ending in any order; its games."""
    order, results = random.Random(seed), Results()
    under_way: list[Job] = []
    ended: list[GameRecord] = []
    jobs = trials.jobs(results)
    while len(ended) < games:
        while len(under_way) < workers and (job := next(jobs, None)):
            under_way.append(job)
        if not under_way:
            break
        ended.append(game(under_way.pop(order.randrange(len(under_way)))))
        results.add(row_of(ended[-1]))
        if order.random() < 0.5:
            trials.advance(results)
    return ended


def results_of(games: Sequence[GameRecord]) -> Results:
    results = Results()
    for game in games:
        results.add(row_of(game))
    return results
