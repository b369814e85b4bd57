"""The way of a submission into the queue: unpacked, checked as `arena run` checks it, kept."""

from __future__ import annotations

import os
import pickle
import shutil
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from arena.config.settings import Config
from arena.config.tournament import read_config
from arena.engine import Limit
from arena.errors import ConfigError, Fault
from arena.processes.child import Child, ValuePipe
from arena.processes.confine import confine, mute
from arena.queue.files import check_within
from arena.queue.order import QueuedTest
from arena.queue.queue_file import CODE, QUEUE, QueueFile, name_taken
from arena.queue.submission import Submission
from arena.refusals import refusals_told
from arena.report.planning.outlook import expected_games
from arena.tournament.schedule import Schedule

CHECK_PATIENCE = 120.0
"""Seconds for the check of a file, whose engines are imported for it."""
CHECK_MEGABYTES = 4096
MOST_READY = 1000
"""Tests that can wait at a time."""
PLIES = 40
"""Moves of a game, for an estimate before any is played."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The facts of a test without a fault."""

    name: str
    games: int | None  # Games at most; None where results decide that
    expected: int | None  # Games that are expected of a sequential test; None: all
    seconds: float | None
    """Seconds that a game may take by its limits; None where these do not tell."""


Check = Callable[[Path, str], Checked]
"""A function of the folder of a submission, and of the path of its YAML there."""
CHECKING = Lock()
"""One file at a time: a check takes a core, and files of one digest lie in one folder."""


def check_file(folder: Path, place: str) -> Checked:
    """Check a file as `arena run` does, and that all it needs was sent; ConfigError with faults."""
    config = read_config(folder / place)
    check_within(folder, folder / place, config)
    schedule = Schedule(config)
    expected = expected_games(config.format.parameters) if schedule.is_test else None
    return Checked(config.name, schedule.total, expected, _seconds_of(config))


def _seconds_of(config: Config) -> float | None:
    """Seconds that a game may take by its limits of time; None if a player has none."""
    limits = [_seconds_by(player.limit_in(config.terms)) for player in config.players]
    known = [each for each in limits if each is not None]
    return 2 * sum(known) / len(known) if known and len(known) == len(limits) else None


def _seconds_by(limit: Limit) -> float | None:
    """Seconds of a player in a game; None without a limit of time."""
    if limit.seconds is not None:
        return limit.seconds * PLIES / 2
    if limit.time_left is not None:
        return limit.time_left + (limit.increment or 0.0) * PLIES / 2
    return None


def check_apart(folder: Path, place: str) -> Checked:
    """Check a file in a process of its own, since that imports engines; ConfigError as there."""
    child = Child.executed(reply, folder, place, os.getpid())
    try:
        faults, found = child.receive(CHECK_PATIENCE)
    except TimeoutError:
        raise ConfigError(f"the check did not end within {CHECK_PATIENCE:g} s") from None
    except (EOFError, pickle.UnpicklingError):
        raise ConfigError("the check of it took its process down") from None
    finally:
        child.end(1.0)
    if faults:
        raise ConfigError(*(Fault(*each) for each in faults))
    return Checked(*found)


def reply(pipe: ValuePipe, folder: Path, place: str, parent: int) -> None:
    """Check a file and send the result or the faults: the process's whole life."""
    confine(parent, CHECK_MEGABYTES)
    mute()
    try:
        with refusals_told():
            found = check_file(folder, place)
        answer: tuple[list[Any], tuple[Any, ...]] = [], astuple(found)
    except ConfigError as error:
        answer = [tuple(map(str, each)) for each in error.faults], ()
    pipe.send(answer)


def take_in(queue: QueueFile, submission: Submission, check: Check = check_apart) -> QueuedTest:
    """Take in a submission. Raises ConfigError if it is faulty; nothing is kept then."""
    with CHECKING:
        if sum(each.is_ready for each in queue.entries()) >= MOST_READY:
            raise ConfigError(f"the queue is full: {MOST_READY} tests wait")
        with refusals_told():
            folder = submission.unpack(queue.folder / CODE)
        try:
            return kept(queue, submission, folder, check)
        except BaseException:
            if all(each.code != folder.name for each in queue.entries()):
                shutil.rmtree(folder, ignore_errors=True)
            raise


def kept(queue: QueueFile, submission: Submission, folder: Path, check: Check) -> QueuedTest:
    """The test of an unpacked submission, once the queue has it; ConfigError if it may not."""
    try:
        found = check(folder, submission.place)
    except ConfigError as error:
        beginning = f"{folder}/"
        error.faults = [
            Fault(*(part.replace(beginning, "") for part in each)) for each in error.faults
        ]
        raise
    if found.name == QUEUE or os.path.lexists(queue.results / found.name):
        raise ConfigError(name_taken(found.name))
    entry = QueuedTest(
        id=0,
        name=found.name,
        priority=submission.priority,
        code=folder.name,
        place=submission.place,
        games=found.games,
        expected=found.expected,
        seconds=found.seconds,
        came=time.time(),
    )
    return queue.add(entry)
