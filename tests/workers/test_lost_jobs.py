"""Games that were lost with their workers, given out again."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

from arena.match.record import Job
from arena.match.verdicts import MOST_KILLS
from arena.workers.logs import LogFile
from arena.workers.pool import Pool

REFEREE = SimpleNamespace(game=SimpleNamespace(text=str))


def test_a_game_with_two_suspects_waits_for_neither_but_for_others(tmp_path: Path) -> None:
    job = Job("one", "two", "", 1, 1)
    with closing(Pool(0, REFEREE, LogFile(tmp_path / "log"))) as pool:  # type: ignore[arg-type]
        pool._kills.update({(job, 1): MOST_KILLS - 1, (job, 2): MOST_KILLS - 1})
        pool._play_again(job, 2)
        assert pool._lost_job() == job
        pool._last_kills["three"] = time.monotonic()
        pool._play_again(job, 1)
        assert pool._lost_job() is None
