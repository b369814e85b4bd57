"""One run while pages show it: its snapshot, its games at play, its share of the processor."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from arena.errors import ConfigError
from arena.experiment import Status, open_experiment
from arena.files import in_time
from arena.game import Game
from arena.match.record import GameKey, Numbered, key
from arena.plugins.load import load_game
from arena.report.answer import Answer
from arena.report.outlook import left_text
from arena.report.page.games import MoveReader, board_data
from arena.report.verdict import Conclusion
from arena.storage.connection import Figures, file_figures
from arena.storage.database import Store
from arena.storage.folder import (
    CONFIG,
    DATABASE,
    LiveBoards,
    is_asked_to_stop,
    is_at_play,
    path_text,
    read_store,
)
from arena.tuning.fit.config import MADE
from arena.tuning.proof.verification import NAME as PROOF

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

logger = logging.getLogger(__name__)

LEAST_WAIT = 1.0  # Seconds between two snapshots, at least
FIRST_WAIT = 15.0
"""Seconds for which requests wait for a run's first snapshot; many that wait would block all."""
SLOW = "It takes long to read. Once that is done, it stands here."
MOMENT = 0.2  # Seconds for which a look at the games at play holds for all requests
MOST_KEPT = 8  # Answers that are kept of one snapshot: of games each may have half a megabyte
CHANGING = (
    CONFIG,
    *(
        f"{within}{DATABASE}{log}"
        for within in ("", f"{PROOF}/", f"{MADE}/")
        for log in ("", "-wal")
    ),
)
"""Files that differ once a game is kept, of a study or a fit also one of its proof, or made."""
A = TypeVar("A")
FileFigures = tuple[Figures, ...]


@dataclass(frozen=True)
class Ended:
    """The games in the order in which they came here, so that a page can ask for the next ones."""

    generation: str
    games: Numbered


@dataclass(frozen=True)
class Latest:
    """A snapshot, or the reason why there is none, under a mark of its own."""

    mark: str
    snapshot: Snapshot | None
    fault: str
    ended: Ended
    kept: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], A]) -> A:
        """An answer that is made of this, once for all that ask; of too many, the first few."""
        answer: A = self.kept[key] if key in self.kept else make()
        if len(self.kept) < MOST_KEPT:
            self.kept[key] = answer
        return answer


class FollowedRun:
    """Holds the facts about one run; any thread may ask."""

    def __init__(self, folder: Path, builder: Executor, budget: CpuBudget) -> None:
        self.folder = folder
        self.used = time.monotonic()
        self.began = time.monotonic()
        self._builder, self._budget = builder, budget
        self._lock = Lock()
        self._building: Future[None] | None = None
        self._told: Latest | None = None
        self._built_of: FileFigures = ()
        self._due = 0.0
        self._seen: tuple[float, object] = 0.0, None
        self.first_count = self.count()

    def told(self) -> Latest:
        """The last snapshot. Waits for the first one, but not so long that other readers suffer."""
        self.used = time.monotonic()
        if not self._told:
            left = self.began + FIRST_WAIT - time.monotonic()
            wait([self.renew()], max(left, 0.0))
        return self._told or Latest("", None, SLOW, Ended("", []))

    def look(self) -> str:
        """The mark of the last snapshot; if the folder has changed, begin to make the next."""
        is_due = time.monotonic() >= self._due and not self._budget.wait()
        if is_due and figures_of(self.folder) != self._built_of:
            self.renew()
        return self._told.mark if self._told else ""

    def at_moment(self, look: Callable[[], A]) -> A:
        """The answer of a look at the folder, made anew only if the last one is a moment old."""
        due, answer = self._seen
        if time.monotonic() >= due:
            answer = look()
            self._seen = time.monotonic() + MOMENT, answer
        return cast(A, answer)

    def renew(self) -> Future[None]:
        with self._lock:
            if self._building is None or self._building.done():
                self._building = self._builder.submit(self._build)
            return self._building

    def _build(self) -> None:
        figures, snapshot, fault = in_time(MAX_MAKING, self._look)
        before = self._told.ended if self._told else Ended(secrets.token_hex(6), [])
        ended = _continued(before, snapshot.games if snapshot else [])
        self._built_of = figures
        self._told = Latest(secrets.token_hex(6), snapshot, fault, ended)
        self._due = time.monotonic() + LEAST_WAIT

    def _look(self) -> tuple[FileFigures, Snapshot | None, str]:
        began, figures = time.thread_time(), figures_of(self.folder)
        try:
            return figures, snapshot_of(self.folder), ""
        except ConfigError as error:
            return figures, None, str(error)
        except Exception as error:  # of a folder that others wrote, or that is just being made
            logger.warning("%s cannot be read", path_text(self.folder), exc_info=True)
            return figures, None, f"It cannot be read: {type(error).__name__}: {error}"
        finally:
            self._budget.spend(time.thread_time() - began)

    def count(self) -> int:
        return _kept_games_count(self.folder, figures_of(self.folder))


@lru_cache(maxsize=1000)
def _kept_games_count(folder: Path, figures: FileFigures) -> int:
    try:
        return sum((read_store(folder, Store.meetings) or {}).values())
    except ConfigError:
        return 0


def _continued(before: Ended, games: Numbered) -> Ended:
    """Add the new games after those known; begin a new list if a known one has changed."""
    numbers: dict[GameKey, int] = {key(record): number for number, record in games}
    known = {key(record): number for number, record in before.games}
    if any(numbers.get(each) != number for each, number in known.items()):
        return Ended(secrets.token_hex(6), games)
    new = [each for each in games if key(each[1]) not in known]
    return Ended(before.generation, [*before.games, *new])


def figures_of(folder: Path) -> FileFigures:
    """Figures of the files that differ once a game is kept, without opening a file."""
    return tuple(file_figures(f"{folder}/{name}") for name in CHANGING)


@dataclass(frozen=True)
class Snapshot:
    document: Answer
    status: Status
    rules: Game
    players: Sequence[str]
    games: Numbered
    scales: Mapping[str, float] = field(default_factory=dict)
    """K of the players whose games tell it: see `report/moves.py`."""


def warm_up() -> None:
    """Import the libraries of reports, which takes seconds that are no measure of their cost."""
    for name in ("report.run_answer", "tournament.run", "tuning.report.study_answer"):
        import_module(f"arena.{name}")


def snapshot_of(folder: Path) -> Snapshot:
    """The folder as it is now; no engine is imported. Raises ConfigError if it is none of ours."""
    experiment = open_experiment(folder)
    answer, games = experiment.answer().prepared(), experiment.games()
    ((_, game),) = games.runs.items()
    records = [(number, record) for _, number, record in games.played()]
    rules = load_game(game)
    return Snapshot(answer, experiment.status(), rules, games.players, records, games.scales)


@dataclass(frozen=True, slots=True)
class Pulse:
    state: str  # `playing`, `stopping`, or `still`
    games: int
    total: int | None
    left: str  # The time left in words, of a test also the games; empty if it is not known
    share: float | None
    """The part of the bar that is full: of a test the place of its LLR between the bounds."""
    verdict: Conclusion | None  # As the games of the last snapshot have it


def pulse_of(followed: FollowedRun, seen: LiveBoards | None) -> Pulse:
    folder, snapshot = followed.folder, followed.told().snapshot
    games, total = followed.count(), snapshot.status.total if snapshot else None
    verdict = snapshot.document.verdict if snapshot else None
    if not is_at_play(folder):
        return Pulse("still", games, total, "", None, verdict)
    state = "stopping" if is_asked_to_stop(folder) else "playing"
    test = snapshot.status.test if snapshot else None
    share = games / total if total else None
    if test:
        share = test.share
    left = ""
    if snapshot and total is not None and state == "playing":
        pace = _pace_of(followed, seen, games)
        early = snapshot.status.may_end_early
        left = test.text(pace) if test else left_text(total - games, pace, early)
    return Pulse(state, games, total, left, share, verdict)


def _pace_of(followed: FollowedRun, seen: LiveBoards | None, games: int) -> float:
    if seen:
        return seen.done / max(time.time() - seen.began, 1e-3)
    return (games - followed.first_count) / max(time.monotonic() - followed.began, 1e-3)


def boards_data(snapshot: Snapshot, seen: LiveBoards) -> dict[str, Any]:
    """The games at play with the names that they need, as `report/page/games.py` has them.

    Of each game also its worker (`slot`), its identity (`id`), and whether it goes on (`on`).
    """
    reader = MoveReader(snapshot.rules)
    names = list(dict.fromkeys(name for each in seen.boards for name in (each.first, each.second)))
    return {
        "runs": [snapshot.document.title],
        "boards": [board_data(snapshot.rules)],
        "players": names,
        "games": [
            {
                **reader.game_so_far(each.opening, each.moves, each.remarks),
                "slot": each.slot,
                "id": each.game,
                "on": each.goes_on,
                "f": names.index(each.first),
                "s": names.index(each.second),
                "n": 0,
                "run": 0,
                "b": 0,
                "oid": 0,
            }
            for each in seen.boards
        ],
        "left_out": 0,
        "scales": [snapshot.scales.get(name) for name in names],
    }


def stamp_of(seen: LiveBoards | None) -> str:
    if not seen:
        return ""
    return " ".join(
        f"{each.slot}.{each.game}.{len(each.remarks)}.{int(each.goes_on)}" for each in seen.boards
    )


ANSWER_SHARE = 0.1  # The most of one core that answers may take while games are played
REPORT_SHARE = 0.05
"""The most of one core that making reports may take, however many and long the runs."""
AT_ONCE = 2.0
"""CPU seconds that may be taken at once after a rest, so that a page alone never waits."""
TAKING = 0.001  # CPU seconds to take a request and to send its answer, beside those to make it
MAX_MAKING = 60.0  # Seconds after which a page is given up; it is made again when it is asked for


class CpuBudget:
    """Holds the processor time that some work may take: a share of all time, and some at once."""

    def __init__(self, share: float, at_once: float = AT_ONCE) -> None:
        self._share, self._at_once = share, at_once
        self.turns = asyncio.Lock()
        """Entered by each answer that waits, so that the first to come goes on first."""
        self._free = 0.0
        self._lock = Lock()

    def spend(self, seconds: float) -> None:
        with self._lock:
            rested = time.monotonic() - self._at_once / self._share
            self._free = max(self._free, rested) + seconds / self._share

    def wait(self) -> float:
        return max(0.0, self._free - time.monotonic())


def paced(
    view: Callable[[Request], Response], is_needed: Callable[[], bool], budget: CpuBudget
) -> Callable[[Request], Awaitable[Response]]:
    """A view whose answers wait until the budget has room, but only while that `is_needed`."""

    def timed(request: Request) -> Response:
        began = time.thread_time()
        try:
            return view(request)
        finally:
            budget.spend(time.thread_time() - began)

    @wraps(view)
    async def answer(request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import Response

        try:
            async with budget.turns:  # or else all would look each time that one goes on
                # Whether games are played is seen by a look at all folders, which takes a while.
                while (wait := budget.wait()) and await run_in_threadpool(is_needed):
                    await asyncio.sleep(wait)
                budget.spend(TAKING)
            return await run_in_threadpool(timed, request)
        except asyncio.CancelledError:  # the server ends, and says nothing of those that wait
            return Response(status_code=503)

    return answer
