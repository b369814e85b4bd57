"""A tuning study and the folder that keeps it: trials, what they recommend, and the proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from arena.config import to_data, value_changes
from arena.faults import ConfigError, Fault
from arena.folder import DATABASE, clear, keep_config, source_of
from arena.keeping import opened, play_and_keep
from arena.logs import LogFile
from arena.record import GameRecord
from arena.results import results_of
from arena.schedule import key
from arena.session import cores
from arena.store import Store
from arena.tournament import PathLike, Run, Watch, never
from arena.tuning.config import TUNED, TuningConfig, tuning_data
from arena.tuning.mirror import Mirror
from arena.tuning.reader import read_tuning
from arena.tuning.space import Values
from arena.tuning.stopping import Stopping
from arena.tuning.table import TuningTable
from arena.tuning.trials import Told, Trials
from arena.tuning.tuner import Advice
from arena.tuning.verification import NAME, Verdict, match_of, verdict

if TYPE_CHECKING:
    from arena.tuning.frames import Frames

TUNED_FILE = f"{TUNED}.yaml"
"""A tournament of the tuned weights against the default ones, once the gain is proved."""


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
        table = TuningTable(self.config)
        table.check(in_this_process=workers == 0)
        with opened(self.folder, fresh) as (store, log), closing(table):
            if fresh:
                self._forget()
            self._freeze(store)
            self._play_missing(table, store, log, workers, watch, stop)

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
        games = len(records)
        missing = (job for job in trials.jobs(results) if job is None or key(job) not in played)
        mirror = Mirror(self.folder / DATABASE, self.config)
        watch(Progress(self.config, trials.told, games, None))
        jobs = takewhile(lambda _: not stop(), missing)
        with closing(play_and_keep(jobs, table, workers, store, log)) as ended:
            for number, record in enumerate(ended, start=games + 1):
                results.add(record)
                mirror.update(trials.told)
                watch(Progress(self.config, trials.told, number, record))
        mirror.update(trials.told)

    def _trials(self) -> Trials:
        """The study at its start."""
        stopping = Stopping(self.config.early_stop) if self.config.early_stop else None
        tuner, rivals = self.config.tuner(), self.config.rivals
        return Trials(self.config.plan, tuner, rivals, self.config.openings, stopping)

    def _freeze(self, store: Store) -> None:
        """Keep the config; ConfigError if games are here that are not of this one."""
        kept, wanted = store.facts(), tuning_data(self.config)
        if kept and "plan" not in kept:
            message = "a tournament is kept here: choose another name"
            raise ConfigError(Fault(str(self.folder), message))
        noted = wanted | {"players": [entry | source_of(entry) for entry in wanted["players"]]}
        found = [
            change
            for part in noted
            if part != "verification"
            for change in value_changes(part, kept.get(part), noted[part])
        ]
        if kept and found and store.players():
            raise ConfigError(
                *(Fault(str(self.folder), change) for change in found),
                "the games played so far were played otherwise: "
                "choose another name, or throw them away with --fresh",
            )
        store.note(noted)
        keep_config(self.folder, wanted)

    @property
    def trials(self) -> Trials:
        """The study as far as it was played."""
        if self._played is None:
            self._played = self._trials()
            for job in self._played.jobs(results_of(self._records())):
                if job is None:
                    break
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
        return self.trials.recommend() if self.trials.is_over else ()

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
        """Play the match that proves the gain; only if it does, write `tuned.yaml`."""
        run = self.verification
        if self.values == self.config.space.default:
            return
        run.play(cores() if workers is None else workers, watch=watch, stop=stop)
        if self.verdict and self.verdict.has_passed:
            again = replace(run.config, name=f"{self.config.base.name}_{TUNED}")
            keep_config(self.folder, to_data(again), TUNED_FILE)

    @property
    def verification(self) -> Run:
        """The match of the tuned weights against the default ones."""
        return Run(self.folder / NAME, match_of(self.config, self.values))

    @property
    def verdict(self) -> Verdict | None:
        """What the verification said so far; None before its first game."""
        if not self.advice or not (self.folder / NAME / DATABASE).exists():
            return None
        return verdict(self.verification)

    def frames(self) -> Frames:
        """Trials, slices, recommendation (so far) and test as pandas frames: see `Frames`."""
        # pandas takes most of a second to import: only those wait for it who ask for frames.
        from arena.tuning.frames import frames_of

        told = self.trials.told
        return frames_of(
            self.config.space, told, self.trials.recommend() if told else (), self.verdict
        )

    def draw(self, folder: PathLike | None = None) -> list[Path]:
        """Write history, slices and importance as SVG into this folder, or the study's own."""
        from arena.tuning.pictures import draw

        return draw(self.frames(), Path(folder or self.folder))

    def _forget(self) -> None:
        """Throw away what was made of earlier trials."""
        (self.folder / TUNED_FILE).unlink(missing_ok=True)
        clear(self.folder / NAME)


def ignore(progress: Progress) -> None:
    """Nobody watches."""
