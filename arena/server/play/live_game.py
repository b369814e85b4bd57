"""A game that is driven from outside: a thread plays it, by the same law as at the terminal."""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

from arena.engine import Choice
from arena.errors import ConfigError, own_words
from arena.game import Position
from arena.human.parts import LostError, play_parts, position_after
from arena.human.setup import Setup
from arena.human.take_back import AwayError, Help, Note, TakeBackError, last_decision
from arena.human.terminal import Talk
from arena.match.record import GameRecord
from arena.match.verdicts import unplayable
from arena.server.play.engine_process import EngineProcess
from arena.server.play.journal import Keeper
from arena.server.play.remote_engine import Alarm, BuildError, Room
from arena.server.play.seats import guest, seats_of, staff
from arena.server.play.view import Phase, view

logger = logging.getLogger(__name__)

Act = Literal["move", "undo", "hint", "resign", "leave", "sleep"]
AT_ANY_TIME: tuple[Act, ...] = ("undo", "resign", "leave", "sleep")
"""Acts that do not wait for a turn."""
PAUSE = 0.4
"""Seconds between the moves of engines that play each other, so that they can be watched."""
LONGEST_BUSY = 5.0
"""Seconds that somebody waits for what was asked for, or for the thread's end."""


class LeaveError(BaseException):
    """The game is left where it is; asleep, it can be gone on with."""


class Table:
    """Holds one game: its thread, and what of it is seen from outside.

    Anybody may ask for the `state` and `do` something; all else happens in the thread.
    """

    def __init__(
        self, setup: Setup, keeper: Keeper, so_far: tuple[list[Note], Help] | None = None
    ) -> None:
        """`so_far`: the notes and the help of a game that goes on."""
        self.setup = setup
        self._keeper = keeper
        self._notes, self._taken = so_far or ([], Help())
        self._p = position_after(setup, self._notes)
        self._inbox: queue.Queue[tuple[Act, str]] = queue.Queue()
        self._alarm = Alarm()
        self._changed = threading.Condition()
        self._said = ""
        self._hint: Choice | None = None
        self._phase: Phase = "prepares"
        self._is_asked = False
        self._result: GameRecord | None = None
        self._kept: Mapping[str, Any] = {}
        self.version = 0
        self._sitting = secrets.token_hex(4)
        self.state: Mapping[str, Any] = {}
        self.touched = time.monotonic()
        self._publish("prepares")
        self._thread = threading.Thread(target=self._live, name="table", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """True once nothing more happens here."""
        return self._phase in ("over", "left", "asleep", "failed")

    @property
    def is_asleep(self) -> bool:
        """True if the game rests, and can be gone on with."""
        return self._phase == "asleep"

    @property
    def plies(self) -> int:
        """The moves so far."""
        return self._p.ply

    def do(self, act: Act, text: str = "", ply: int | None = None) -> str:
        """Do something at a person's wish; a sentence on why that is not done now, or nothing.

        `ply` is the one that the person saw. What comes of it is in the state, soon.
        """
        with self._changed:
            if message := self._refusal(act, ply):
                return message
            before, self._is_asked = self.version, True
            self._wish(act, text)
            self._changed.wait_for(lambda: self.version != before, LONGEST_BUSY)
        return ""

    def _refusal(self, act: Act, ply: int | None) -> str:
        """The reason why something cannot be done now; empty if it can."""
        if self.is_over:
            return "This game is over."
        if ply is not None and ply != self._p.ply:
            return "The board has changed meanwhile."
        if self._is_asked:
            return "One thing after the other, please."
        if act in ("undo", "resign") and not self.setup.persons:
            return "You only watch this game."
        if act not in AT_ANY_TIME and self._phase != "yours":
            return "It is not your turn."
        return ""

    def stop(self, act: Act = "sleep") -> None:
        """End the thread and the engines' process; the journal has the game."""
        with self._changed:
            if not self.is_over:
                self._wish(act, "")
        self._thread.join(LONGEST_BUSY)

    def _wish(self, act: Act, text: str) -> None:
        """Tell the thread, whatever it waits for."""
        self._inbox.put((act, text))
        if self._phase != "yours" or act in ("leave", "sleep"):
            self._alarm.ring()

    def _live(self) -> None:
        """Play the game to whichever end: the thread's whole life."""
        try:
            self._publish(*self._ending())
        except Exception as error:
            logger.exception("a fault of ours in a game with a person")
            self._said = f"The page failed: {own_words(error)}"
            self._publish("failed")
        finally:
            self._alarm.close()

    def _ending(self) -> tuple[Phase]:
        """Play; the phase in which the game stays."""
        process = EngineProcess(self.setup.terms, staff(self.setup))
        room = Room(self.setup.terms, process, self._alarm, self._interrupted)
        person = guest(
            self.setup, self._notes, self._taken, room, Talk(self._ask, self._say), self._show_hint
        )
        seats = seats_of(self.setup, self._notes, room, person)
        try:
            record = play_parts(self.setup, seats, self._notes, self._taken, self._see)
        except LeaveError as left:
            if left.args == ("sleep",):
                return ("asleep",)
            self._keeper.forget()
            return ("left",)
        except BuildError as error:
            self._said = f"The engine is not ready to play: {error}"
            self._keeper.forget()
            return ("failed",)
        except AwayError as away:
            raise away.__cause__ or away from None
        finally:
            process.end()
        self._result = record
        self._keep(record)
        return ("over",)

    def _keep(self, record: GameRecord) -> None:
        """Keep the game that is over; if that fails, its moves are told."""
        try:
            self._kept = self._keeper.archive(record)
            self._keeper.forget()
        except ConfigError as error:
            self._said = f"This game could not be kept: {error} Its moves: {record.moves}"

    def _show_hint(self, choice: Choice) -> None:
        """Mark the move that is advised."""
        self._hint = choice

    def _see(self, p: Position) -> None:
        """Show a position; and let it be seen, if nobody is asked for the next."""
        self._p, self._hint = p, None
        self._keeper.journal(self._notes, self._taken)
        if p.turn in self.setup.persons:
            return  # `_ask` comes next
        self._publish("thinks")
        if not self.setup.persons:
            with suppress(queue.Empty):
                self._obey(self._inbox.get(timeout=PAUSE))

    def _ask(self, prompt: str) -> str:
        """The line that a person would type, once something is wanted."""
        self._publish("yours")
        act, text = self._inbox.get()
        self._alarm.hush()
        self._said = ""
        if act in ("leave", "sleep"):
            raise LeaveError(act)
        if act == "hint":
            self._publish("advises")
        return text if act == "move" else act

    def _say(self, text: str) -> None:
        """Take up what the person is told."""
        self._said = f"{self._said} {text}".strip()

    def _interrupted(self) -> None:
        """Do what is wanted while an engine thinks."""
        self._alarm.hush()
        try:
            wish = self._inbox.get_nowait()
        except queue.Empty:
            return
        self._obey(wish)

    def _obey(self, wish: tuple[Act, str]) -> None:
        """Do what is wanted while it is no person's turn."""
        act, persons = wish[0], self.setup.persons
        self._said = ""
        if act in ("leave", "sleep"):
            raise LeaveError(act)
        if act == "resign" and persons:
            raise LostError(unplayable(persons[0], None))
        if act == "undo":
            note = last_decision(self._notes, persons)
            if note is None:
                self._say("There is nothing to take back.")
                return
            self._taken.take_backs += 1
            self._say("Taken back.")
            raise TakeBackError(note)

    def _publish(self, phase: Phase) -> None:
        """Let everybody see how things are."""
        with self._changed:
            self._phase, self._is_asked = phase, False
            self.version += 1
            self.state = view(self.setup, self._p, self._notes, phase, self._result) | {
                "version": f"{self._sitting}-{self.version}",
                "said": self._said,
                "kept": dict(self._kept),
                "help": self._taken.words,
                "hint": None if self._hint is None else self._hint.move,
            }
            self._changed.notify_all()
