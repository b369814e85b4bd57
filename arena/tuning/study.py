"""A tuning study and the folder that keeps it: trials, what they recommend, and the proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from arena.config.settings import Config, to_data
from arena.match.pairs import results_of
from arena.match.record import GameRecord
from arena.storage.database import Store
from arena.storage.folder import DATABASE, keep_config
from arena.storage.history import cores
from arena.tournament.run import PathLike, Run, Watch, never
from arena.tournament.schedule import key
from arena.tuning.config import TUNED, TuningConfig
from arena.tuning.duration import Pace, kept_pace, sampled_pace
from arena.tuning.early_stopping import Stopping
from arena.tuning.folder import TUNED_FILE, freeze, opened_study
from arena.tuning.method import Advice
from arena.tuning.optuna_mirror import Mirror
from arena.tuning.reader import read_tuning
from arena.tuning.referee import TuningTable
from arena.tuning.space import Values
from arena.tuning.trials import Told, Trials
from arena.tuning.verification import (
    NAME,
    OPPONENTS,
    Verdict,
    gauntlet_of,
    match_of,
    verdict,
)
from arena.workers.logs import LogFile
from arena.workers.runner import play_and_keep

if TYPE_CHECKING:
    from arena.tuning.report.frames import Frames


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study has come: what `watch` is told before the first game and after each."""

    config: TuningConfig
    told: Sequence[Told]
    games: int
    """Played so far, of those of the budget."""
    record: GameRecord | None


def tune(
    config: PathLike,
    *,
    workers: int | None = None,
    fresh: bool = False,
    results: PathLike = "results",
    watch: Callable[[Progress], None] | None = None,
    watch_verification: Watch | None = None,
    stop: Callable[[], bool] | None = None,
) -> Study:
    """Tune as a YAML file says, or go on with it, and verify what was found.

    `workers`, `fresh` and `stop` are as in `arena.run`. ConfigError if anything is wrong before the
    first game.
    """
    study = read(config, results=results)
    study.play(workers, fresh=fresh, watch=watch or ignore, stop=stop or never)
    if study.advice:
        study.verify(workers, watch=watch_verification, stop=stop)
    return study


def read(config: PathLike, *, results: PathLike = "results") -> Study:
    """The study of a YAML file, as far as it was played; ConfigError for faults of the file."""
    wanted = read_tuning(Path(config))
    return Study(Path(results) / wanted.base.name, wanted)


class Study:
    """Holds a study's config and the folder of its games."""

    def __init__(self, folder: Path, config: TuningConfig) -> None:
        self.folder = folder
        self.config = config
        self._played: Trials | None = None
        self._advice: Sequence[Advice] = ()
        self._runs: dict[str, Run] = {}

    def play(
        self,
        workers: int | None,
        *,
        fresh: bool,
        watch: Callable[[Progress], None],
        stop: Callable[[], bool],
    ) -> None:
        """Play the trials that are missing, on so many processes; 0: in this one."""
        workers = cores() if workers is None else workers
        self._runs.clear()
        self._advice = ()
        with opened_study(self.folder, self.config, workers, fresh) as (table, store, log):
            freeze(self.folder, self.config, store)
            self._play_missing(table, store, log, workers, watch, stop)

    def pace(self, workers: int | None, *, fresh: bool = False) -> Pace:
        """As the games kept tell; before the first one, two are played aside to find out."""
        workers = cores() if workers is None else workers
        with opened_study(self.folder, self.config, workers, fresh) as (table, store, log):
            return kept_pace(store, workers) or sampled_pace(self.config, table, workers, log)

    def _play_missing(
        self,
        table: TuningTable,
        store: Store,
        log: LogFile,
        workers: int,
        watch: Callable[[Progress], None],
        stop: Callable[[], bool],
    ) -> None:
        """Play what the store has not; every trial that is over goes to Optuna's tables."""
        records = list(store.games())
        results, played = results_of(records), set(map(key, records))
        self._played = trials = self._trials()
        trials.advance(results)
        mirror = Mirror(self.folder / DATABASE, self.config)
        watch(Progress(self.config, trials.told, len(records), None))
        missing = (job for job in trials.jobs(results) if job is None or key(job) not in played)
        jobs = takewhile(lambda _: not stop(), missing)
        workers = 0 if trials.is_over else workers  # none to fork
        with closing(play_and_keep(jobs, table, workers, store, log)) as ended:
            for number, record in enumerate(ended, start=len(records) + 1):
                results.add(record)
                trials.advance(results)  # while the workers play
                mirror.update(trials.told)
                watch(Progress(self.config, trials.told, number, record))
        mirror.update(trials.told)

    def _trials(self) -> Trials:
        """The study at its start."""
        stopping = Stopping(self.config.early_stop) if self.config.early_stop else None
        tuner, rivals = self.config.tuner(), self.config.rivals
        return Trials(self.config.plan, tuner, rivals, self.config.openings, stopping)

    @property
    def trials(self) -> Trials:
        """The study as far as it was played."""
        if self._played is None:
            self._played = self._trials()
            self._played.advance(results_of(self._records()))
        return self._played

    def _records(self) -> list[GameRecord]:
        """Every game kept."""
        file = self.folder / DATABASE
        if not file.exists():
            return []
        with closing(Store(file, read_only=True)) as store:
            return list(store.games())

    @property
    def advice(self) -> Sequence[Advice]:
        """What the method recommends, once all trials are over; nothing before."""
        if not self._advice and self.trials.is_over:
            self._advice = self.trials.recommend()
        return self._advice

    @property
    def values(self) -> Values:
        """The parameters' values in the engine that is recommended."""
        return {advice.name: advice.value for advice in self.advice}

    def verify(
        self,
        workers: int | None,
        *,
        watch: Watch | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Play the matches that prove the gain; only if they do, write `tuned.yaml`."""
        (self.folder / TUNED_FILE).unlink(missing_ok=True)
        if self.values == self.config.space.default:
            return
        workers = cores() if workers is None else workers
        self.verification.play(workers, watch=watch, stop=stop)
        verdict = self.verdict
        if verdict and verdict.is_proved and self.config.opponents:
            self.gauntlet.play(workers, watch=watch, stop=stop)
            verdict = self.verdict
        if verdict and verdict.has_passed:
            again = replace(self.verification.config, name=f"{self.config.base.name}_{TUNED}")
            keep_config(self.folder, to_data(again), TUNED_FILE)

    @property
    def verification(self) -> Run:
        """The match of the tuned weights against the default ones."""
        return self._run(NAME, match_of)

    @property
    def gauntlet(self) -> Run:
        """The matches of both against every opponent."""
        return self._run(OPPONENTS, gauntlet_of)

    def _run(self, name: str, config_of: Callable[[TuningConfig, Values], Config]) -> Run:
        """A run within the study's folder, made once: its openings take seconds to draw."""
        if name not in self._runs:
            self._runs[name] = Run(self.folder / name, config_of(self.config, self.values))
        return self._runs[name]

    @property
    def verdict(self) -> Verdict | None:
        """What the verification said so far; None before its first game."""
        if not self.advice or not (self.folder / NAME / DATABASE).exists():
            return None
        return verdict(self.verification, self.gauntlet if self.config.opponents else None)

    def frames(self) -> Frames:
        """Trials, slices, recommendation (so far) and test as pandas frames: see `Frames`."""
        # pandas takes most of a second to import: only those wait for it who ask for frames.
        from arena.tuning.report.frames import frames_of

        told = self.trials.told
        advice = self.advice or (self.trials.recommend() if told else ())
        return frames_of(self.config.space, told, advice, self.verdict)

    def draw(self, folder: PathLike | None = None) -> list[Path]:
        """Write history, slices and importance as SVG into this folder, or the study's own."""
        from arena.tuning.report.pictures import draw

        return draw(self.frames(), Path(folder or self.folder))


def ignore(progress: Progress) -> None:
    """Nobody watches."""
