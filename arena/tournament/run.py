"""A tournament and the folder that keeps it: start, go on, look at the games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from arena.config.reader import read_config
from arena.config.settings import Config, from_data
from arena.config.yaml_file import Document
from arena.errors import ConfigError, Fault
from arena.format import Row
from arena.match.pairs import results_of
from arena.match.record import GameRecord
from arena.report.standings import Tally
from arena.storage.database import Store
from arena.storage.folder import CONFIG, DATABASE, find_folder, freeze, reading
from arena.storage.history import cores
from arena.storage.notes import notes_of
from arena.tournament.schedule import Numbered, Schedule, key
from arena.workers.logs import LogFile
from arena.workers.referee import Referee
from arena.workers.runner import opened, play_and_keep

if TYPE_CHECKING:
    import pandas as pd

    from arena.report.frames import Extras, Report
    from arena.stats.ratings import Anchor

PathLike = str | os.PathLike[str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: what `watch` is told before the first game and after each."""

    tally: Tally
    total: int | None
    """Games at most; None where results decide that."""
    record: GameRecord | None
    matches: Callable[[], list[Row]]
    """What the format decides, as it stands: see `arena.format`."""


Watch = Callable[[Progress], None]


def run(
    config: PathLike,
    *,
    workers: int | None = None,
    fresh: bool = False,
    results: PathLike = "results",
    watch: Watch | None = None,
    stop: Callable[[], bool] | None = None,
) -> Run:
    """Play the tournament of a YAML file, or what is still missing of it.

    So many `workers` play, by default one for each core; 0 plays in this process. `fresh` throws
    away what was played before. Once `stop` says so, no further game is started. ConfigError if
    anything is wrong before the first game.
    """
    wanted = read_config(Path(config))
    run = Run(Path(results) / wanted.name, wanted)
    run.play(cores() if workers is None else workers, fresh=fresh, watch=watch, stop=stop)
    return run


def open_run(run: PathLike, *, results: PathLike = "results") -> Run:
    """A run played before, by its folder, or by its name under `results`; runs nobody's code."""
    folder = find_folder(run, results)
    data = Document(folder / CONFIG).data
    if "plan" in data:
        message = "a tuning study is kept here, which arena tune goes on with"
        tests = [str(file.parent) for file in sorted(folder.glob(f"*/{CONFIG}"))]
        raise ConfigError(
            Fault(str(folder), message),
            *(f"its games that prove the gain: {test}" for test in tests),
        )
    with reading(folder / CONFIG):
        return Run(folder, from_data(data))


class Run:
    """Holds a tournament's config and the folder of its games."""

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder = folder
        self.config = config
        self.schedule = Schedule(config)

    def play(
        self,
        workers: int,
        *,
        fresh: bool = False,
        watch: Watch | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Play what is missing, on so many processes; 0: in this one. Otherwise as `run`."""
        table = Referee(self.config)
        table.check(in_this_process=workers == 0)
        with opened(self.folder, fresh) as (store, log), closing(table):
            freeze(self.folder, self.config, store)
            self._play_missing(table, store, log, workers, watch or ignore, stop or never)

    def _play_missing(
        self,
        table: Referee,
        store: Store,
        log: LogFile,
        workers: int,
        watch: Watch,
        stop: Callable[[], bool],
    ) -> None:
        """Play what the store has not, and tell whoever watches."""
        tally = Tally(self.config.names)
        played = self.schedule.numbered(list(store.games()))
        for _, record in played:
            tally.add(record)
        total = self.schedule.total
        matches = partial(self.schedule.matches, tally.results)
        jobs = takewhile(lambda _: not stop(), self.schedule.missing(tally.results, played))
        watch(Progress(tally, total, None, matches))
        if total is not None:
            workers = min(workers, total - len(played))  # none to fork for a finished run
        with closing(play_and_keep(jobs, table, workers, store, log)) as records:
            for record in records:
                tally.add(record)
                watch(Progress(tally, total, record, matches))

    def records(self) -> Numbered:
        """The games played, in the order of the schedule, with their numbers in it (from 1)."""
        return self.schedule.numbered(self._kept(Store.games))

    def _kept(self, what: Callable[[Store], Iterable[T]]) -> list[T]:
        """What the store has; nothing before the first game."""
        file = self.folder / DATABASE
        if not file.exists():
            return []
        with closing(Store(file, read_only=True)) as store:
            return list(what(store))

    def games(self) -> pd.DataFrame:
        """One row a game: see `Report`."""
        return self.report().games

    def standings(self) -> pd.DataFrame:
        """One row a player, the best first: see `Report`."""
        return self.report().standings

    def win_rates(self) -> pd.DataFrame:
        """One row and one column a player: see `Report`."""
        return self.report().win_rates

    def report(self, anchor: Anchor | None = None) -> Report:
        """All frames of the run; an anchor is a player and its given rating."""
        # pandas takes most of a second to import: only those wait for it who ask for frames.
        from arena.report.frames import report

        records, extras = self.evidence()
        return report(self.config.names, records, anchor=anchor, extras=extras)

    def evidence(self) -> tuple[Numbered, Extras]:
        """The games as in `records`, and what is to be reported beside them, of one moment."""
        from arena.report.frames import Extras

        kept = self._kept(Store.games)
        records = self.schedule.numbered(kept)
        counted = {key(record) for _, record in records}
        uncounted = [record for record in kept if key(record) not in counted]
        results = results_of(kept)
        notes = [
            *notes_of(self.config, self._kept(Store.sessions), len(uncounted)),
            *self.schedule.notes(results),
        ]
        return records, Extras(self.schedule.matches(results), uncounted, notes)


def ignore(progress: Progress) -> None:
    """Nobody watches."""


def never() -> bool:
    """Nobody stops the run."""
    return False
