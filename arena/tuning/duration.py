"""How long a study's games take: those kept, or a pair played aside before the first trial."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple

from arena.format import Pairing
from arena.match.record import Job
from arena.storage.database import Store
from arena.tournament.schedule import games_of
from arena.tuning.config import DEFAULT, TuningConfig
from arena.tuning.trials import text_of
from arena.workers.runner import Runner

ASIDE = 0
"""The round of games that are no trial's."""


class Pace(NamedTuple):
    """How fast games go."""

    seconds: float
    """For one game on one worker."""
    workers: int
    played: int
    """Games of the trials that are there."""


def sample_games(config: TuningConfig) -> Iterable[Job]:
    """A pair of the default weights against the first whom trials meet; not of the study."""
    rival = (config.rivals or [DEFAULT])[0]
    point = text_of(config.space.default)
    return games_of(Pairing(point, rival, config.openings[0], ASIDE), config.plan.seed)


def sampled_pace(config: TuningConfig, runner: Runner) -> Pace:
    """By playing two games."""
    began, place = time.monotonic(), runner.place.at_most(2)
    games = len(list(place.play(sample_games(config), runner.referee, runner.log)))
    seconds = (time.monotonic() - began) * max(place.workers, 1) / games
    return Pace(seconds, max(runner.place.workers, 1), 0)


def kept_pace(store: Store, workers: int) -> Pace | None:
    """From the times that the study was played before; None if no game is there."""
    games = sum(1 for _ in store.games())
    seconds = sum((each.ended - each.began) * max(each.workers, 1) for each in store.sessions())
    return Pace(seconds / games, max(workers, 1), games) if games else None
