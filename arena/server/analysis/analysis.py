"""The analyses of a server, one for each tab of a browser, and the positions they look at."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal

from arena.config.settings import Player
from arena.coordinates import written
from arena.engine import Limit
from arena.errors import ConfigError, own_words
from arena.game import Game, Move, Position
from arena.match.play import moves_text
from arena.match.terms import Terms
from arena.plugins.load import load_game
from arena.records.written import LINE_READERS, LineReader, read_moves
from arena.report.page.games import MoveReader, board_data, won_line
from arena.server.analysis.engine_lines import (
    FIRST_SECONDS,
    LONGEST_STEP,
    LinesFound,
    LinesWanted,
    wait_for_questions,
)
from arena.server.engine_process import BUILDING, DeathError, EngineProcess, SilenceError, WakeUp
from arena.server.play.journal import friendly_terms
from arena.server.play.live_game import forbidden_points
from arena.server.play.offer import MOST_OPENING, NO_CHOICE, Offer, choice_at, moves_wanted

logger = logging.getLogger(__name__)

Phase = Literal["prepares", "thinks", "done", "rests", "failed", "ended"]
"""The state of an analysis: its engine gets ready, thinks, has gone as deep as it does, is not
asked, has failed; or its process was ended so that others can think."""
SPARE = 10.0  # Seconds that an answer may be late before it is taken to come no more


@dataclass(frozen=True, slots=True)
class Wish:
    terms: Terms  # The terms of the process; `hang` is the longest that it may be silent
    player: Player
    p: Position
    lines: int


class Analysis:
    """An engine that thinks of one position after the other; `state` is what a page shows of it.

    All that is asked for interrupts what is being thought.
    """

    def __init__(self) -> None:
        self.touched = time.monotonic()  # The time at which a page last asked for it
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
        return self._phase in ("prepares", "thinks")

    @property
    def has_process(self) -> bool:
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


MOST_AT_ONCE = 4  # Analyses that may have a process
MOST_KEPT = 100  # Analyses of which something is remembered: one for each tab
MOST_LINES = 5
UNSEEN = 2.0  # Seconds without a question from its page, after which an analysis stops thinking
LONGEST_REST = 300.0
"""Seconds without thinking after which a process is ended, and its memory given back."""
CHECK_PAUSE = 0.5
OTHERS_THINK = (
    f"{MOST_AT_ONCE} analyses are thinking already, in other tabs: stop one, or close its tab."
)
MADE_ROOM = "This analysis was ended, since others were begun in other tabs."


class Analyses:
    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        self._kept: dict[str, Analysis] = {}
        self._opening = threading.Lock()
        self._is_closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def find(self, id: str) -> Analysis | None:
        analysis = self._kept.get(id)
        if analysis:
            analysis.touched = time.monotonic()
        return analysis

    def position(self, wish: Any) -> tuple[Game, Position]:
        """The position of a wish, with its rules; ConfigError if there is none such."""
        rules = load_game(self._offer.game(wish))
        return rules, _position_wanted(rules, wish)

    def look(self, wish: Any) -> tuple[str, Game, Position]:
        """Go to the position of a wish, and think of it if an engine is named.

        Returns the id of the analysis, a new one unless the wish has it, and the position with its
        rules. ConfigError says why it cannot be looked at, or thought of.
        """
        rules, p = self.position(wish)
        is_rest = wish.get("engine") is None or rules.outcome(p)
        wanted = None if is_rest else self._wanted(wish, p)
        with self._opening:
            id, analysis = self._opened(wish.get("id"))
            if wanted is None:
                analysis.rest()
            else:
                self._make_room(analysis)
                analysis.think(wanted)
        return id, rules, p

    def _wanted(self, wish: Mapping[str, Any], p: Position) -> Wish:
        """The engine and the lines of a wish; ConfigError if they are not on offer."""
        player = replace(self._offer.player(wish["engine"]), limit=None)
        lines = choice_at(range(1, MOST_LINES + 1), wish.get("lines"))
        terms = friendly_terms(self._offer.game(wish), Limit(seconds=FIRST_SECONDS))
        return Wish(replace(terms, hang=LONGEST_STEP), player, p, lines)

    def _opened(self, id: Any) -> tuple[str, Analysis]:
        if self._is_closed.is_set() or not (id is None or isinstance(id, str)):
            raise ConfigError(NO_CHOICE)
        if id and (analysis := self.find(id)):
            return id, analysis
        if len(self._kept) >= MOST_KEPT:
            oldest = min(self._kept, key=lambda each: self._kept[each].touched)
            self._kept.pop(oldest).end()
        id, analysis = secrets.token_hex(8), Analysis()
        self._kept[id] = analysis
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
        return id, analysis

    def _make_room(self, newcomer: Analysis) -> None:
        """End the oldest that is idle, if there are too many; ConfigError if none is."""
        others = [each for each in self._with_process() if each is not newcomer]
        if len(others) < MOST_AT_ONCE:
            return
        idle = [each for each in others if not each.is_thinking]
        if not idle:
            raise ConfigError(OTHERS_THINK)
        min(idle, key=lambda each: each.touched).end(MADE_ROOM)

    def _with_process(self) -> Iterator[Analysis]:
        kept = list(self._kept.values())
        return (each for each in kept if each.has_process or each.is_thinking)

    def _watch(self) -> None:
        while not self._is_closed.wait(CHECK_PAUSE):
            now = time.monotonic()
            for analysis in self._with_process():
                if analysis.is_thinking and now - analysis.touched > UNSEEN:
                    analysis.rest()
                elif not analysis.is_thinking and now - analysis.touched > LONGEST_REST:
                    analysis.end()

    def close(self) -> None:
        self._is_closed.set()
        with self._opening:
            for analysis in self._kept.values():
                analysis.end()


LONGEST_TEXT = 10_000

TEXT_FORMS = {"moves": read_moves, "pos": LINE_READERS["pos"], "offset": LINE_READERS["offset"]}
"""The forms of moves as text, of which only the first has those of pieces."""


def _position_wanted(game: Game, wish: Mapping[str, Any]) -> Position:
    """The position that a page wants to look at, by `text` or by `moves`.

    ConfigError if these are none of the game's.
    """
    text = wish.get("text")
    if text is None:
        return position_after(game, moves_wanted(game, wish.get("moves")))
    forms = {"moves": read_moves} if any(game.start().cells) else TEXT_FORMS
    form = forms.get(str(wish.get("form")))
    if not isinstance(text, str) or len(text) > LONGEST_TEXT or form is None:
        raise ConfigError(NO_CHOICE)
    return position_after(game, _moves_of_text(game, form, text)[:MOST_OPENING])


def position_after(game: Game, moves: Sequence[Move]) -> Position:
    """The position after these moves, maybe the last; ConfigError if they cannot be played."""
    p = game.start()
    for move in moves:
        if game.outcome(p):
            raise ConfigError(f"The game is over before move {p.ply + 1}.")
        if not game.is_legal(p, move):
            raise ConfigError(f"{game.text(move)} cannot be played as move {p.ply + 1}.")
        p = game.play(p, move)
    return p


def _moves_of_text(game: Game, read: LineReader, text: str) -> tuple[Move, ...]:
    """The moves of a pasted text; ConfigError if it is none of this form."""
    try:
        if read is read_moves:
            text = " ".join(written(word, game.size) for word in text.split())
        return read(game, text.strip().lower())
    except ValueError as error:
        raise ConfigError(f"These are no moves of the game: {error}.") from None


def shown_position(game: Game, p: Position) -> dict[str, Any]:
    outcome = game.outcome(p)
    shown = MoveReader(game).game_so_far("", moves_text(game, p.moves), ())
    k = getattr(game, "k", None)
    if outcome and outcome.reason == "line" and k and p.last is not None:
        shown["line"] = won_line(p.cells, game.size, k, p.last)
    return {
        "board": board_data(game),
        "game": shown,
        "legal": list(game.moves(p)),
        "forbidden": [] if outcome else forbidden_points(game, p),
        "outcome": {"winner": outcome.winner or 0, "reason": outcome.reason} if outcome else None,
    }
