"""The time that a study takes, told from the games kept, or from a pair that is played aside."""

from __future__ import annotations

import time
from typing import NamedTuple

from arena.format import Pairing
from arena.storage.database import Store
from arena.tournament.schedule import jobs_of
from arena.tuning.settings.conditions import named_at
from arena.tuning.settings.config import TuningConfig
from arena.tuning.settings.proof_config import DEFAULT
from arena.tuning.trials import point_name
from arena.workers.runner import Runner

ASIDE = 0
"""The round of games that are no trial's."""


class Pace(NamedTuple):
    """The speed of a study's games."""

    seconds: float  # Seconds of one game on one worker
    workers: int
    played: int  # Games of the trials that are there


def sampled_pace(config: TuningConfig, runner: Runner) -> Pace:
    """The speed of a pair, under each condition, of the default weights against the first rival.

    It is played for this, and is not of the study.
    """
    point, rival = point_name(config.space.default), (config.rivals or [DEFAULT])[0]
    pairings = [
        Pairing(named_at(point, label), named_at(rival, label), config.openings[0], ASIDE)
        for label in config.labels
    ]
    jobs = [job for pairing in pairings for job in jobs_of(pairing, config.plan.seed)]
    began, site = time.monotonic(), runner.site.at_most(len(jobs))
    games = len(list(site.play(iter(jobs), runner.referee, runner.log)))
    seconds = (time.monotonic() - began) * max(site.workers, 1) / games
    return Pace(seconds, max(runner.site.workers, 1), 0)


def kept_pace(store: Store, workers: int) -> Pace | None:
    """The speed of the games that are kept; None if there are none."""
    games = store.count()
    seconds = sum((each.ended - each.began) * max(each.workers, 1) for each in store.sessions())
    return Pace(seconds / games, max(workers, 1), games) if games else None
