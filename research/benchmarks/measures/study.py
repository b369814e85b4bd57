"""A study's cost beside its games: the share of its workers' time in which no engine thinks."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from arena.bench import Measurement, bare_seconds, spin
from arena.config.yaml_file import dump
from arena.tuning.study import StudyProgress, read
from arena.workers.pool import Local

BUDGET = 600
STUDY = {
    "game": "gomoku",
    "engine": {"engine": "five_tuple", "depth": 4},
    "vary": {},
    "parameters": {
        name: {"low": low, "high": 100 * low}
        for name, low in (("three", 10), ("other_four", 10_000))
    },
    "max_plies": 60,
    "budget": BUDGET,
}


class Stopwatch:
    """Times at which games ended, and seconds that engines thought after the first one."""

    def __init__(self) -> None:
        self.ends: list[float] = []
        self.thought = 0.0

    def __call__(self, progress: StudyProgress) -> None:
        if progress.record:
            if self.ends:
                self.thought += sum(map(float, progress.record.times.split()))
            self.ends.append(time.perf_counter())

    @property
    def seconds(self) -> float:
        """Seconds from the first game's end to the last."""
        return self.ends[-1] - self.ends[0]


def rows(repeat: int) -> Iterator[Measurement]:
    """A study's games a second, and the share of its workers' time in which no engine thinks.

    `ratio` is its speed-up by a second worker over that of a bare kernel, timed in turn; medians.
    """
    spin(0)
    turns = [study_turn() for _ in range(repeat)]
    yield {
        "name": "study",
        "games": BUDGET,
        "games_per_second": median(BUDGET / two.seconds for _, two, _ in turns),
        "overhead": median(1 - one.thought / one.seconds for one, _, _ in turns),
        "ratio": median(one.seconds / two.seconds / bare for one, two, bare in turns),
    }


def study_turn() -> tuple[Stopwatch, Stopwatch, float]:
    """A study with one worker and with two, and the speed-up of a bare kernel on two processes."""
    speed_up = 2 * bare_seconds(1) / bare_seconds(2)
    return study(1), study(2), speed_up


def study(workers: int) -> Stopwatch:
    """Play the study in a folder of its own; the test at its end is left out."""
    stopwatch = Stopwatch()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.yaml"
        file.write_text(dump(STUDY), encoding="utf-8")
        read(file, results=folder).play(Local(workers), watch=stopwatch)
    return stopwatch
