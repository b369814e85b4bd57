"""How long a study's games take: those kept, or a pair played aside before the first trial."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import closing

from arena.logs import LogFile
from arena.pairing import Pairing
from arena.pool import play_all
from arena.record import Job
from arena.schedule import games_of
from arena.session import Session
from arena.tuning.config import DEFAULT, TuningConfig
from arena.tuning.table import TuningTable
from arena.tuning.trials import text_of

ASIDE = 0
"""The round of games that are no trial's."""


def sample_games(config: TuningConfig) -> Iterable[Job]:
    """A pair of the default weights against the first whom trials meet; not of the study."""
    rival = (config.rivals or [DEFAULT])[0]
    point = text_of(config.space.default)
    return games_of(Pairing(point, rival, config.openings[0], ASIDE), config.plan.seed)


def sampled_seconds(config: TuningConfig, workers: int, log: LogFile) -> float:
    """Seconds of a worker for a game, by playing two; ConfigError for an engine that fails."""
    with closing(TuningTable(config)) as table:
        table.check(in_this_process=workers == 0)
        began, at_once = time.monotonic(), min(workers, 2)
        games = len(list(play_all(sample_games(config), table, at_once, log)))
        return (time.monotonic() - began) * max(at_once, 1) / games


def seconds_kept(sessions: Iterable[Session]) -> float:
    """Seconds of workers for all games that were played in these sessions."""
    return sum((each.ended - each.began) * max(each.workers, 1) for each in sessions)
