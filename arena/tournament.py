"""A tournament and the folder that keeps it: start, go on, look at the games."""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena import load
from arena.config import Config, changes, from_data, to_data
from arena.document import Document, dump
from arena.faults import ConfigError, Fault, unknown
from arena.logs import logging_to
from arena.match import GameRecord, Job, summary
from arena.pairing import Field, Pairing
from arena.pool import play_all
from arena.reader import read_config
from arena.store import Store
from arena.table import Table
from arena.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

    from arena.reports import Report

logger = logging.getLogger(__name__)

PathLike = str | os.PathLike[str]
FILES = ("config.yaml", "arena.db", "arena.db-wal", "arena.db-shm", "arena.log")
"""What a run keeps in its folder."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: what `watch` is told before the first game and after each."""

    tally: Tally
    total: int | None
    record: GameRecord | None


Watch = Callable[[Progress], None]


def run(
    config: PathLike,
    *,
    workers: int | None = None,
    fresh: bool = False,
    results: PathLike = "results",
    watch: Watch | None = None,
) -> Run:
    """Play the tournament of a YAML file, or what is still missing of it.

    So many `workers` play, by default one for each core; 0 plays in this process. `fresh` throws
    away what was played before. ConfigError if anything is wrong before the first game.
    """
    wanted = read_config(Path(config))
    run = Run(Path(results) / wanted.name, wanted)
    run.prepare(fresh)
    run.play(cores() if workers is None else workers, watch)
    return run


def open_run(run: PathLike, *, results: PathLike = "results") -> Run:
    """A run played before, by its folder, or by its name under `results`; runs nobody's code."""
    folder = next(
        (f for f in (Path(run), Path(results) / run) if (f / "config.yaml").exists()), None
    )
    if folder is None:
        known = [file.parent.name for file in Path(results).glob("*/config.yaml")]
        raise ConfigError(unknown("run", os.fspath(run), known))
    return Run(folder, from_data(Document(folder / "config.yaml").data))


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Run:
    """Holds a tournament's config and the folder of its games."""

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder = folder
        self.config = config
        self.field = Field(config.names, config.starts(), config.rounds)
        self._format = load.module("format", config.format.name)

    @property
    def total(self) -> int | None:
        """The games of the whole tournament; None where results decide it."""
        pairs = self._format.total(self.field, **self.config.format.parameters)
        return None if pairs is None else 2 * int(pairs)

    def prepare(self, fresh: bool = False) -> None:
        """Make the folder, and see that the games in it are of this config; ConfigError if not."""
        make_folder(self.folder)
        frozen, wanted = self.folder / "config.yaml", to_data(self.config)
        with locked(self.folder):
            if fresh:
                for name in FILES:
                    (self.folder / name).unlink(missing_ok=True)
            if frozen.exists():
                check_unchanged(frozen, wanted)
            draft = frozen.with_suffix(".draft")
            draft.write_text(dump(wanted), encoding="utf-8")
            draft.replace(frozen)

    def play(self, workers: int, watch: Watch | None = None) -> None:
        """Play what is missing, on so many processes; 0: in this one."""
        with (
            locked(self.folder),
            logging_to(self.folder / "arena.log") as log,
            closing(self.store()) as store,
            closing(Table(self.config)) as table,
        ):
            table.check()
            tally = Tally(self.config.names)
            played = set()
            for record in self.kept(store):
                tally.add(record)
                played.add(identity(record))
            jobs = (job for job in self.schedule(tally) if identity(job) not in played)
            if watch:
                watch(Progress(tally, self.total, None))
            with closing(play_all(jobs, table, workers, log)) as records:
                for record in records:
                    store.append(record)
                    tally.add(record)
                    logger.info(
                        "%s, opening %s, round %d", summary(record), record.opening, record.round
                    )
                    if watch:
                        watch(Progress(tally, self.total, record))

    def schedule(self, tally: Tally) -> Iterator[Job]:
        """All games of the tournament: each pairing gives two, colours swapped."""
        parameters = self.config.format.parameters
        for pairing in self._format.pairings(self.field, tally, **parameters):
            yield self.job(pairing, pairing.one, pairing.other)
            yield self.job(pairing, pairing.other, pairing.one)

    def job(self, pairing: Pairing, first: str, second: str) -> Job:
        """One game of a pairing, with a seed that depends on nothing else in the run."""
        facts = (self.config.seed, first, second, pairing.opening, pairing.round)
        digest = hashlib.blake2b(repr(facts).encode(), digest_size=8).digest()
        # SQLite's integers have a sign.
        seed = int.from_bytes(digest) >> 1
        return Job(first, second, pairing.opening, pairing.round, seed)

    def store(self) -> Store:
        """The run's games on disk."""
        return Store(self.folder / "arena.db")

    def kept(self, store: Store) -> Iterator[GameRecord]:
        """The games on disk that this config still asks for, in the order in which they ended."""
        names, openings = set(self.field.players), set(self.field.openings)
        for record in store.games():
            is_asked = {record.first, record.second} <= names and record.opening in openings
            if is_asked and record.round <= self.field.rounds:
                yield record

    def records(self) -> Iterator[tuple[int, GameRecord]]:
        """The games played, in the order of the schedule, with their numbers in it (from 1)."""
        with closing(self.store()) as store:
            kept = {identity(record): record for record in self.kept(store)}
        tally = Tally(self.config.names)
        for record in kept.values():
            tally.add(record)
        for number, job in enumerate(self.schedule(tally), start=1):
            if identity(job) in kept:
                yield number, kept[identity(job)]

    def games(self) -> pd.DataFrame:
        """One row a game: see `reports.games`."""
        return self.report().games

    def standings(self) -> pd.DataFrame:
        """One row a player, the best first: see `reports.standings`."""
        return self.report().standings

    def win_rates(self) -> pd.DataFrame:
        """One row and one column a player: see `reports.win_rates`."""
        return self.report().win_rates

    def report(self) -> Report:
        """All frames of the run."""
        # pandas takes most of a second to import: only those wait for it who ask for frames.
        from arena.reports import report

        return report(self.config.names, self.records())


Identity = tuple[str, str, str, int]


def identity(game: Job | GameRecord) -> Identity:
    """What makes a game of a run that game, whatever else the run plays."""
    return game.first, game.second, game.opening, game.round


def make_folder(folder: Path) -> None:
    """Make the folder and those above it; ConfigError if a file is in the way."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        message = "results go into a folder, but a file is in its place"
        raise ConfigError(Fault(str(folder), message)) from None
    except OSError as error:
        raise ConfigError(Fault(str(folder), error.strerror or str(error))) from None


def check_unchanged(frozen: Path, wanted: dict[str, Any]) -> None:
    """ConfigError if the games already played would not be those of the wanted config."""
    found = list(changes(Document(frozen).data, wanted))
    if found:
        raise ConfigError(
            *(Fault(str(frozen), change) for change in found),
            "the games played so far were played otherwise: "
            "choose another name, or throw them away with --fresh",
        )


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else plays in this folder meanwhile; ConfigError if somebody does."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Workers of a run that was just killed hold its lock for a moment longer.
        for patience in (0.1, 0.4, 1.5, None):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if patience is None:
                    message = "another process is playing this run"
                    raise ConfigError(Fault(str(folder), message)) from None
                time.sleep(patience)
        yield
    finally:
        os.close(descriptor)
