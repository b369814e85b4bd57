"""A game in play on the page: persons act on it at once, and a thread waits for its engine."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Literal

from arena.coordinates import Coordinates
from arena.errors import ConfigError, own_words
from arena.game import Forbids, Game, Position
from arena.human.game import read_move
from arena.human.in_play import (
    Help,
    Setup,
    answer,
    answer_opening,
    game_after,
    persons_at,
    record_of,
    taken_back,
)
from arena.match.opening_rules import due, opening_text
from arena.match.play import GameInPlay, moves_text
from arena.match.record import GameRecord
from arena.match.verdicts import unplayable
from arena.report.page.games import MoveReader, board_data
from arena.server.play.engine_host import EngineHost
from arena.server.play.journal import Storage

logger = logging.getLogger(__name__)

Act = Literal["move", "open", "undo", "hint", "resign"]
AT_ANY_TIME: tuple[Act, ...] = ("undo", "resign")  # Acts that do not wait for a turn
PAUSE = 0.4
"""Seconds between the moves of engines that play each other, so that they can be watched."""


class LiveGame:
    """One game, and its `state` as it is seen from outside.

    Engines that think are interrupted before a person's action, so that one thread at a time
    changes the game.
    """

    def __init__(
        self, setup: Setup, storage: Storage, so_far: tuple[GameInPlay, Help] | None = None
    ) -> None:
        """`so_far`: the moves of a game that goes on, and the help that was taken in it."""
        self.setup = setup
        self._storage = storage
        self._play, self._taken = so_far or (game_after(setup), Help())
        self._host = EngineHost(setup)
        self._acting = threading.Lock()
        self._publishing = threading.Lock()
        self._asked = 0.0  # The time since which a person is to move
        self._said = ""
        self._hint: int | None = None
        self._phase: Phase = "prepares"
        self._result: GameRecord | None = None
        self._kept: Mapping[str, Any] = {}
        self._session = secrets.token_hex(4)
        self._version = 0
        self.state: Mapping[str, Any] = {}
        self.touched = time.monotonic()
        # It lives as long as the game: the engines' process ends with the thread that starts it.
        self._thread = ThreadPoolExecutor(1, "engines")
        self._publish("prepares")
        self._work(self._prepare)

    @property
    def is_over(self) -> bool:
        return self._phase in ("over", "left", "asleep", "failed")

    @property
    def is_asleep(self) -> bool:
        return self._phase == "asleep"

    @property
    def plies(self) -> int:
        return self._play.p.ply

    def do(self, act: Act, text: str = "", ply: int | None = None) -> str:
        """Do something at a person's wish. Returns why that is not done now, or nothing.

        `ply` is the one that the person saw. The state shows the result.
        """
        if not self._acting.acquire(blocking=False):
            return "One thing after the other, please."
        try:
            if message := self._refusal(act, ply):
                return message
            with self._failing():
                self._act(act, text)
        finally:
            self._acting.release()
        return ""

    def stop(self, phase: Literal["left", "asleep"] = "asleep") -> None:
        """End the engines' process; a game that rests can be gone on with, by its journal."""
        with self._acting:
            if not self.is_over:
                self._interrupt()
            if not self.is_over:
                self._end(phase)

    def _refusal(self, act: Act, ply: int | None) -> str:
        if self.is_over:
            return "This game is over."
        if ply is not None and ply != self.plies:
            return "The board has changed meanwhile."
        if act in AT_ANY_TIME and not self.setup.persons:
            return "You only watch this game."
        if act not in AT_ANY_TIME and self._phase != "yours":
            return "It is not your turn."
        if act in ("move", "hint", "open") and self._play.is_open != (act == "open"):
            return "Make the opening first." if self._play.is_open else "The opening is made."
        return ""

    def _act(self, act: Act, text: str) -> None:
        self._said, is_turn = "", self._phase == "yours"
        before = taken_back(self.setup, self._play) if act == "undo" else None
        if act == "undo" and not before:
            self._said = "There is nothing to take back."
            self._publish()
            return
        if not is_turn:
            self._interrupt()
        if self.is_over:
            return
        if self._play.outcome:
            self._go_on()
        elif before:
            self._undo(before)
        elif act == "move":
            self._move(text)
        elif act == "open":
            self._open(text.split())
        elif act == "hint":
            self._taken.hints += 1
            self._publish("advises")
            self._work(self._advise)
        elif is_turn:
            self._answer(None)
        else:
            self._play.lose(unplayable(persons_at(self.setup, self._play.job)[0], None))
            self._go_on()

    def _interrupt(self) -> None:
        self._host.wake_up.set()
        self._task.result()
        self._host.wake_up.clear()

    def _move(self, text: str) -> None:
        try:
            # The page itself knows the notation of the person who reads it.
            plain = Coordinates(self.setup.game.size, "numbers")
            move = read_move(self.setup.game, self._play.p, text, plain)
        except ValueError as error:
            self._said = str(error)
            self._publish("yours")
            return
        self._answer(move)

    def _open(self, stones: list[str]) -> None:
        moves, took = list(map(self.setup.game.parse, stones)), time.perf_counter() - self._asked
        self._said = answer_opening(self._play, moves, took)
        if self._said:
            self._publish("yours")
        else:
            self._go_on()

    def _answer(self, move: int | None) -> None:
        answer(self._play, move, time.perf_counter() - self._asked)
        self._go_on()

    def _undo(self, before: GameInPlay) -> None:
        self._play = before
        self._host.forget()
        self._taken.take_backs += 1
        self._said = "Taken back."
        self._go_on()

    def _go_on(self) -> None:
        self._show()
        if self._phase == "thinks":
            self._work(self._let_engines_move)

    def _show(self) -> None:
        self._hint = None
        self._storage.journal(self._play, self._taken)
        if self._play.outcome:
            self._finish()
        elif self._play.p.turn in persons_at(self.setup, self._play.job):
            self._asked = time.perf_counter()
            self._publish("yours")
        else:
            self._publish("thinks")

    def _work(self, task: Callable[[], object]) -> None:
        def work() -> None:
            with self._failing():
                try:
                    task()
                except ConfigError as error:
                    self._said = f"The engine is not ready to play: {error}"
                    self._storage.forget()
                    self._end("failed")

        self._task = self._thread.submit(work)

    def _prepare(self) -> None:
        seats = {1, 2}.difference(self.setup.persons)
        for seat in sorted(seats):
            self._host.prepare(self._play, seat)
        if not self._host.wake_up.wait():
            self._show()
            self._let_engines_move()

    def _let_engines_move(self) -> None:
        while self._phase == "thinks" and not self._host.wake_up.wait():
            if self.setup.persons or not self._host.wake_up.wait(PAUSE):
                self._host.move(self._play)
            if not self._host.wake_up.wait():
                self._show()

    def _advise(self) -> None:
        hint = self._host.hint(self._play.p)
        if hint and not self._host.wake_up.wait():
            self._said, self._hint = hint
            self._publish("yours")

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            logger.exception("a fault of ours in a game with a person")
            self._said = f"The page failed: {own_words(error)}"
            self._end("failed")

    def _finish(self) -> None:
        """Keep the game that is over; if that fails, say its moves."""
        self._result = record = record_of(self._play, self._taken)
        try:
            self._kept = self._storage.archive(record)
            self._storage.forget()
        except ConfigError as error:
            self._said = f"This game could not be kept: {error} Its moves: {record.moves}"
        self._end("over")

    def _end(self, phase: Phase) -> None:
        self._host.end()
        self._thread.shutdown(wait=False)
        self._publish(phase)

    def _publish(self, phase: Phase | None = None) -> None:
        with self._publishing:
            self._phase = phase or self._phase
            self._version += 1
            self.state = _view(self.setup, self._play, self._phase, self._result) | {
                "version": f"{self._session}-{self._version}",
                "said": self._said,
                "kept": dict(self._kept),
                "help": self._taken.words,
                "hint": self._hint,
            }


Phase = Literal["prepares", "yours", "thinks", "advises", "over", "left", "asleep", "failed"]
"""The state of a game: an engine gets ready, a person is to move, an engine thinks of its move or
of a hint; it is over, was left, or rests until it is wanted again; or it could not be played."""

WHY_FORBIDDEN: Mapping[str, str] = {
    "overline": "it would make six or more in a row",
    "double-four": "it would make two fours at once",
    "double-three": "it would make two open threes at once",
}
"""Black's fouls in words; exactly five in a row would be no foul."""


def _view(
    setup: Setup, play: GameInPlay, phase: Phase, result: GameRecord | None
) -> dict[str, Any]:
    is_turn = phase == "yours"
    return {
        "phase": phase,
        "turn": play.p.turn,
        "persons": persons_at(setup, play.job),
        "opens": play.is_open,
        "answers": [
            {"stones": each.stones, "wish": each.wish, "button": each.button}
            for each in due(play.job)
        ],
        "made": opening_text(play.job),
        "data": _shown_game(play, result),
        "moves": list(play.game.moves(play.p)) if is_turn else [],
        "forbidden": forbidden_points(play.game, play.p) if is_turn else [],
        "clocks": [clock.limit.time_left for clock in play.clocks],
    }


def _shown_game(play: GameInPlay, result: GameRecord | None) -> dict[str, Any]:
    """The game as the viewer has it; one in play has no reason of its end."""
    reader, job = MoveReader(play.game), play.job
    moves = moves_text(play.game, play.p.moves)
    shown = reader.game(result) if result else reader.game_so_far(job.opening, moves, play.remarks)
    return {
        "runs": [""],
        "boards": [board_data(play.game)],
        # Two players may be of one name.
        "players": [job.first, job.second],
        "games": [{"n": 1, "run": 0, "b": 0, "f": 0, "s": 1, "oid": 0, **shown}],
        "left_out": 0,
        "scales": [None, None],
    }


def forbidden_points(game: Game, p: Position) -> list[list[Any]]:
    """The moves that would lose at once, each with its rule and why."""
    if not isinstance(game, Forbids):
        return []
    kinds = ((move, game.forbidden(p, move)) for move in game.moves(p))
    return [[move, kind, WHY_FORBIDDEN.get(kind, "")] for move, kind in kinds if kind]
