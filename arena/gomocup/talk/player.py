"""A player that gets its moves from a program: the commands and answers of its games."""

from __future__ import annotations

import time
from collections.abc import Sequence

from arena.engine import Choice, Conditions, Limit, ProgramError
from arena.game import Game, Move, Position
from arena.gomocup.process import BrainProcess
from arena.gomocup.protocol import (
    COORDINATES,
    OPENING,
    Settings,
    about_text,
    coordinates,
    kind_of_line,
    memory_of,
    opening_stones,
)
from arena.gomocup.talk import greeting, listening
from arena.gomocup.talk.answer import Wait, overdue, patience
from arena.gomocup.talk.commands import Commands
from arena.gomocup.talk.messages import figures
from arena.gomocup.transcript import shown

FIRST_WAIT = 2
"""Milliseconds for an answer before a closer look at the program."""
THOUGHT = 0.01
"""Seconds of a move after which a program is asked whether it listens again."""
LONGEST_ABOUT = 200
MOST_UNANSWERED = 3
"""Questions ABOUT in a row, unanswered in games, after which none is asked there."""


class Brain:
    """A player, which holds its program and a record of what the program knows of the game."""

    def __init__(self, game: Game, rule: int, settings: Settings) -> None:
        self.size = game.size
        self.settings = settings
        self.about = ""
        self._choices = {
            f"{move % self.size},{move // self.size}{end}".encode(): Choice(move)
            for move in range(self.size**2)
            for end in ("\n", "\r\n")
        }
        self._commands = Commands(game.size, rule, settings)
        self._process: BrainProcess | None = None
        self._is_new = False
        self._restarts = True
        self._is_at_once = False
        """True if it does nothing about INFO that would take time."""
        self._is_restarting = False
        """True while RESTART was sent for the next command, and not yet answered."""
        self._doubt = ""
        """Words on a fault after RESTART, until a new process has played that game."""
        self._knocks = settings.knock
        self._asks = True
        """True if ABOUT is to be asked after a move: the first of a process, or a slow one."""
        self._unanswered = 0
        """Times in a row that it has left ABOUT unanswered in a game."""
        self._remarked = set[str]()

    def start(self, conditions: Conditions) -> None:
        """Start the program under these conditions."""
        self._commands.conditions = conditions
        self._launch()

    def new_game(self, seed: int) -> None:
        """Send RESTART; start another process if the program lacks it, or has misbehaved."""
        process = self._process
        if process is None or not process.is_open:
            if process and process.restarts:
                self._doubt, self._restarts = process.lost_by, False
            elif self._doubt:  # the new one has failed, too
                self._doubt, self._restarts = "", True
            process = self._launch()
        elif not self._is_new:
            process.transcript.forget_error()
            process.remark_memory()
            self._settle_doubt(process)
            self._restarts = (
                self._restarts and not self.settings.fresh and greeting.restarts(process)
            )
            if self._restarts:
                deadline = time.monotonic() + self.settings.startup
                try:
                    if self._is_at_once:
                        process.send(self._commands.of_game(), deadline)
                    else:
                        greeting.tell(process, self._commands.of_game(), deadline)
                except ProgramError:
                    self.new_game(seed)
                    return
            else:
                process.end(self.settings.exit)
                process = self._launch()
        process.stage, process.logged = "before its move", 0
        self._is_new = self._is_restarting = False

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Send the opponent's move to the program, and read its answer."""
        began = time.monotonic()
        process = self._listening(limit)
        command, written = self._post(process, self._commands.of_move(p, limit, self._restarts))
        choice = None if self._is_restarting else self._quick_answer(process, p, written)
        if choice is None:
            choice = self._slow_answer(process, p, limit, command, written, began)
            self._asks = self._asks or time.monotonic() > began + THOUGHT
        if (self._asks or self._knocks or self.settings.board) and not process.lines:
            self._tell_ahead(process)
        self._commands.answered(p, choice.move or 0)
        return choice

    def _settle_doubt(self, process: BrainProcess) -> None:
        """Say once that RESTART is not sent any more, if a new process has played without fault."""
        if self._doubt and process.is_open:
            words = f"failed after RESTART ({self._doubt}): each game has a new process now"
            process.remark("restart", words, on_screen=True)
            self._doubt = ""

    def open(self, p: Position, limit: Limit) -> Sequence[Move] | str:
        """Send the stones of an opening that players make to the program, and read its answer."""
        began = time.monotonic()
        process = self._listening(limit)
        command, written = self._post(process, self._commands.of_opening(p, limit))
        deadline = began + patience(limit, self._commands.conditions)
        line = self._line(Wait(process, command, deadline, ("move", "swap")), written, limit)
        self._asks = True
        if (stones := opening_stones(line, self.size)) is None:
            words = f"answered {OPENING} with: {shown(line, 100)}"
            raise process.fault("illegal move", words)
        return stones or "swap"

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._settle_doubt(self._process)
            self._process.end(self.settings.exit)
            self._process = None

    def _listening(self, limit: Limit) -> BrainProcess:
        """The program, once it listens; ProgramError if it is gone."""
        process = self._process
        if process is None or not process.is_open:
            raise ProgramError("crash", "is not there any more", self.settings.command[0])
        if process.lines or process.poller.poll(0):
            self._look_before(process)
        if self._is_restarting or (process.abouts and process.about):
            self._wait_until_it_listens(process, limit)
        return process

    def _post(self, process: BrainProcess, lines: bytes) -> tuple[bytes, int]:
        """Send a command as far as it goes at once: it, and the bytes that are written."""
        process.restarts += lines.startswith(b"RESTART")
        command = lines.replace(b"\n", self.settings.newline)
        process.transcript.tell(command)
        return command, process.post(command)

    def _launch(self) -> BrainProcess:
        deadline = time.monotonic() + self.settings.startup
        conditions = self._commands.conditions
        memory = memory_of(conditions)
        process = self._process = greeting.launched(
            self.settings,
            memory,
            self.size,
            deadline,
            self._remarked,
            conditions.talk,
        )
        self._is_new = self._asks = True
        self._is_at_once = greeting.tell(process, self._commands.of_start(), deadline)
        self.about = about_text(shown(process.about, LONGEST_ABOUT))
        return process

    def _look_before(self, process: BrainProcess) -> None:
        """Read lines that the program sent unasked. Raises ProgramError if one is a move."""
        process.stage = "after its move"
        process.hear(0)
        while process.lines:
            line = process.lines.popleft()
            kind = kind_of_line(line)
            if kind == "move" and process.unread():
                process.log(line, "late: ")
            elif kind == "move":
                words = f"moved before it was asked: {shown(line, 40)}"
                raise process.fault("illegal move", words)
            else:
                if self._is_restarting and kind in ("ok", "refusal"):
                    self._is_restarting, self._restarts = False, kind == "ok"
                listening.take(process, line)

    def _tell_ahead(self, process: BrainProcess) -> None:
        """Send RESTART for the next BOARD, or ABOUT, so that the answer is there when that is due.

        Some programs read nothing for a moment after a move of which they have thought.
        """
        if self.settings.board and self._restarts:
            self._is_restarting = True
            process.restarts += 1
            process.post(b"RESTART" + self.settings.newline)
        elif process.about and self._unanswered < MOST_UNANSWERED:
            listening.ask_about(process)
        self._asks = False

    def _wait_until_it_listens(self, process: BrainProcess, limit: Limit) -> None:
        """Wait for the answer to the command sent after its last move: RESTART, or ABOUT."""
        unasked = listening.UNASKED_TIMEOUT
        if limit.seconds is not None:
            # A program that uses all its time, and answers between games only, must not be late.
            unasked = min(unasked, self._commands.conditions.margin / 2)
        deadline = time.monotonic() + unasked
        while self._is_restarting and (left := deadline - time.monotonic()) > 0:
            process.hear(left)
            self._look_before(process)
        if process.abouts and process.about:
            is_wanted = self.settings.knock
            asked = listening.knock(process, listening.KNOCK_TIMEOUT if is_wanted else unasked)
            if asked > 1 and not self._knocks:
                self._knocks = True
                words = "did not answer ABOUT right after its move; it is now asked after each one"
                process.remark("deaf", words)
            if not is_wanted:
                # One answer may be late on a busy machine; none in a row means between games only.
                self._unanswered = 0 if asked else self._unanswered + 1
                process.abouts = 0
            self._look_before(process)

    def _quick_answer(self, process: BrainProcess, p: Position, written: int) -> Choice | None:
        """The answer, if it comes at once and no other line does."""
        if not written or process.poller.poll(FIRST_WAIT) != process.has_spoken:
            return None
        if process.is_within_line:
            process.hear(0)
            return None
        data = process.read(process.output)
        choice = self._choices.get(data)
        if choice and process.unread() < written and not p.cells[choice.move or 0]:
            process.transcript.hear(data)
            return choice
        if not data:
            process.stage = "in its move"
            raise process.fault_at_end("closed its output")
        process.take(data)
        return None

    def _slow_answer(
        self,
        process: BrainProcess,
        p: Position,
        limit: Limit,
        command: bytes,
        written: int,
        began: float,
    ) -> Choice:
        """The answer, however long it takes, past all other lines before it."""
        most = max(patience(limit, self._commands.conditions), self.settings.patience)
        wait = Wait(process, command, began + most)
        line = self._line(wait, written, limit)
        return self._choice(process, p, line, wait.messages)

    def _line(self, wait: Wait, written: int, limit: Limit) -> bytes:
        """The line of an answer, once the rest of its command is written."""
        process = wait.process
        process.stage = "in its move"
        process.push(wait.command[written:], wait.deadline)
        line = wait.line()
        self._knocks = self._knocks or wait.is_cut
        if self._is_restarting:
            self._is_restarting, self._restarts = False, wait.is_ok
        if line is None:
            if wait.fault:
                raise process.fault(*wait.fault)
            # What computes on, or has played after RESTART before, is late.
            if process.restarts > 1 or (process.restarts and not process.is_idle()):
                process.restarts = 0
            raise overdue(process, limit, self._commands.conditions)
        return line

    def _choice(
        self, process: BrainProcess, p: Position, line: bytes, messages: list[str]
    ) -> Choice:
        """The move of a line, with the figures of the messages before it."""
        column, row = coordinates(line)
        move = self._cell(column, row)
        if move is None or p.cells[move]:
            fault = "off the board" if move is None else "on a stone"
            raise process.fault("illegal move", f"played {fault}: {shown(line, 40)}")
        if not COORDINATES.fullmatch(line):
            process.remark(
                "words", f"writes words behind a move, which are left out: {shown(line, 100)}"
            )
        found = figures(messages, self._cell, self.settings.pattern)
        expected = found.line if found.line[:1] == (move,) else ()
        return Choice(move, found.score, found.depth, found.nodes, expected)

    def _cell(self, column: int, row: int) -> Move | None:
        """The move at a column and a row; None off the board."""
        if 0 <= column < self.size and 0 <= row < self.size:
            return row * self.size + column
        return None
