"""One analysis, as a tab of a browser has it: its position, its process, what was found so far."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from arena.config.settings import Player
from arena.errors import own_words
from arena.game import Position
from arena.match.terms import Terms
from arena.server.analysis.thinking import LinesFound, LinesWanted, wait_for_questions
from arena.server.engine_process import (
    BUILDING,
    DeathError,
    EngineProcess,
    SilenceError,
    WakeUp,
)

logger = logging.getLogger(__name__)

Phase = Literal["prepares", "thinks", "done", "rests", "failed", "ended"]
"""The state of an analysis: its engine gets ready, thinks, has gone as deep as it does, is not
asked, has failed; or its process was ended so that others can think."""
SPARE = 10.0
"""Seconds that an answer may be late before it is taken to come no more."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A position, the engine that is to think of it, and the most lines that are wanted."""

    terms: Terms  # The terms of the process; `hang` is the longest that it may be silent
    player: Player
    p: Position
    lines: int


class Analysis:
    """An engine that thinks of one position after the other; `state` is what a page shows of it.

    All that is asked for interrupts what is being thought.
    """

    def __init__(self) -> None:
        self.touched = time.monotonic()
        """The time at which a page last asked for it."""
        self.state: Mapping[str, Any] = {}
        self._acting = threading.Lock()
        self._wake_up = WakeUp()
        # It lives as long as this: the process ends with the thread that starts it.
        self._thread = ThreadPoolExecutor(1, "analysis")
        self._task: Future[None] | None = None
        self._process: EngineProcess | None = None
        self._made_for: tuple[Terms, Player] | None = None
        self._is_ready = False
        self._number = 0
        self._session = secrets.token_hex(4)
        self._version = 0
        self._phase: Phase = "rests"
        self._publish("rests")

    @property
    def is_thinking(self) -> bool:
        """True while its engine uses the processor."""
        return self._phase in ("prepares", "thinks")

    @property
    def has_process(self) -> bool:
        """True while a process is kept for it."""
        return self._process is not None and self._process.is_running

    def think(self, wish: Wish) -> None:
        """Think of a position, in place of any other."""
        with self._acting:
            self._interrupt()
            self._number += 1
            self._publish("prepares")
            self._task = self._thread.submit(self._think, wish)

    def rest(self) -> None:
        """Think of nothing more; a process that is warm stays so."""
        with self._acting:
            self._interrupt()
            if not self._is_ready:
                self._let_go()  # it may be compiling
            if self.is_thinking:
                self._publish("rests")

    def end(self, why: str = "") -> None:
        """End the process, and say why; the next position starts another."""
        with self._acting:
            self._interrupt()
            self._let_go()
            self._publish("ended", trouble=why)

    def _interrupt(self) -> None:
        if self._task:
            self._wake_up.set()
            self._task.result()
            self._wake_up.clear()

    def _let_go(self) -> None:
        if self._process:
            self._process.end()
        self._is_ready = False

    def _think(self, wish: Wish) -> None:
        """LinesFound on a position until nothing more comes, or something else is asked for."""
        name = wish.player.name
        try:
            self._report(self._process_for(wish), wish)
        except SilenceError:
            words = f"{name} does not answer (hang), and was ended."
            self._publish("failed", trouble=words)
        except DeathError as death:
            words = f"{name} has ended its process (crash): exit code {death.code}."
            self._publish("failed", trouble=words)
        except Exception as error:
            logger.exception("a fault of ours in an analysis")
            self._publish("failed", trouble=f"The page failed: {own_words(error)}")

    def _process_for(self, wish: Wish) -> EngineProcess:
        """The process of this engine and game; of another, the one before is ended."""
        wanted = wish.terms, wish.player
        if self._process is None or self._made_for != wanted:
            self._let_go()
            self._process = EngineProcess(wait_for_questions, LinesFound, *wanted)
            self._made_for = wanted
        if not self._process.is_running:
            self._is_ready = False
            self._process.start()
        return self._process

    def _report(self, process: EngineProcess, wish: Wish) -> None:
        """Ask, and publish what is found. Raises SilenceError, DeathError."""
        # A process that gets ready reads nothing yet: many questions would fill its pipe.
        if not self._is_ready and process.heard(BUILDING, self._wake_up.fileno()) is None:
            return
        self._is_ready = True
        process.tell(LinesWanted(self._number, wish.p, wish.lines))
        report: LinesFound | None
        while report := process.heard(wish.terms.hang + SPARE, self._wake_up.fileno()):
            if report.number == self._number:
                self._take(report, wish.player.name)
                if report.is_final:
                    return
        process.tell(LinesWanted(self._number))

    def _take(self, report: LinesFound, name: str) -> None:
        """Publish the lines that an engine has found, or the fault that ended it."""
        phase: Phase = "failed" if report.trouble else "done" if report.is_final else "thinks"
        words = f"{name} failed: {report.trouble}" if report.trouble else ""
        self._publish(phase, report, words)

    def _publish(self, phase: Phase, report: LinesFound | None = None, trouble: str = "") -> None:
        self._phase = phase
        self._version += 1
        lines = report.lines if report else ()
        self.state = {
            "version": f"{self._session}-{self._version}",
            "number": self._number,
            "phase": phase,
            "trouble": trouble,
            "lines": [
                {"moves": each.moves, "score": each.score, "depth": each.depth, "nodes": each.nodes}
                for each in lines
            ],
        }
