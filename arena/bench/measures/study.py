"""What a study costs beside its games: how far its workers are kept busy, one and two of them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from arena.bench.busy_engine import spin
from arena.bench.measures.pool import bare_seconds
from arena.config.yaml_file import dump
from arena.match.record import GameRecord
from arena.tuning.study import StudyProgress, read
from arena.workers.pool import Local

GAMES = 600
STUDY = {
    "game": "gomoku",
    "engine": {"engine": "five_tuple", "depth": 4},
    "parameters": {
        name: {"low": low, "high": 100 * low}
        for name, low in (("three", 10), ("other_four", 10_000))
    },
    "max_plies": 60,
    "budget": GAMES,
}


class Clock:
    """Holds when the first and the last game ended, and how long engines thought in between."""

    def __init__(self) -> None:
        self.ends: list[float] = []
        self.thought = 0.0

    def __call__(self, progress: StudyProgress) -> None:
        if progress.record:
            self.thought += thinking(progress.record) if self.ends else 0.0
            self.ends.append(time.perf_counter())

    @property
    def seconds(self) -> float:
        """From the first end to the last."""
        return self.ends[-1] - self.ends[0]


class Turn(NamedTuple):
    """A study with one worker and with two, and a bare kernel on one process and on two."""

    one: Clock
    two: Clock
    bare_speed_up: float


def study_row(repeat: int) -> dict[str, Any]:
    """A study's games a second, and the share of its workers' time in which no engine thinks.

    `ratio` is its speed-up by a second worker over that of a bare kernel, timed in turn; medians.
    """
    spin(0)
    turns = [turn() for _ in range(repeat)]
    return {
        "name": "study",
        "games": GAMES,
        "games_per_second": median(GAMES / each.two.seconds for each in turns),
        "overhead": median(1 - each.one.thought / each.one.seconds for each in turns),
        "ratio": median(each.one.seconds / each.two.seconds / each.bare_speed_up for each in turns),
    }


def turn() -> Turn:
    """All four, one after the other."""
    speed_up = 2 * bare_seconds(1) / bare_seconds(2)
    return Turn(study(1), study(2), speed_up)


def study(workers: int) -> Clock:
    """Play the study in a folder of its own; the test at its end is left out."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.yaml"
        file.write_text(dump(STUDY), encoding="utf-8")
        read(file, results=folder).play(Local(workers), watch=clock)
    return clock


def thinking(record: GameRecord) -> float:
    """Seconds that both players thought."""
    return sum(map(float, record.times.split()))
