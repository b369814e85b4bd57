"""A player that has its moves from a program: the talk of one game after the other."""

from __future__ import annotations

import os
import time

from arena.engine import Choice, Conditions, Limit, ProgramError
from arena.game import Game, Move, Position
from arena.gomocup.lines import shown
from arena.gomocup.process import CHUNK, BrainProcess
from arena.gomocup.protocol import (
    Settings,
    about_text,
    board,
    coordinates,
    first_infos,
    info,
    kind_of_line,
    limit_infos,
    time_left,
    told_memory,
)
from engines.kit.brain import greeting
from engines.kit.brain.messages import figures

FIRST_WAIT = 2
"""Milliseconds for an answer before a closer look at the program."""
REFUSAL_GRACE = 0.2
"""Seconds for a move after ERROR or UNKNOWN, which may be about an INFO before it."""
LATE_GRACE = 0.02
"""Seconds for a further move after one that came from a program that had not read the command."""
UNREAD_INTERVAL = 0.002
MOST_MESSAGES = 40
"""Messages of a move whose figures are read."""


class Brain:
    """A player, which holds its program and what that knows of the game."""

    def __init__(self, game: Game, rule: int, settings: Settings) -> None:
        self.size = game.size
        self.rule = rule
        self.settings = settings
        self.about = ""
        self._choices = {
            f"{move % self.size},{move // self.size}{end}".encode(): Choice(move)
            for move in range(self.size**2)
            for end in ("\n", "\r\n")
        }
        self._turns = [
            f"TURN {move % self.size},{move // self.size}\n".encode()
            for move in range(self.size**2)
        ]
        self._conditions = Conditions()
        self._limit = Limit()
        self._process: BrainProcess | None = None
        self._is_new = False
        self._answers_about = self._restarts = True
        self._known: tuple[Move, ...] | None = None
        """The moves that the program knew when it gave its last answer."""
        self._answer: Move = -1

    def start(self, conditions: Conditions) -> None:
        """Start the program under these conditions."""
        self._conditions = conditions
        self._launch()

    def new_game(self, seed: int) -> None:
        """Tell the program to begin anew; start another if it cannot, or has misbehaved."""
        process = self._process
        if process is None or not process.is_open:
            process = self._launch()
        elif not self._is_new:
            self._restarts = (
                self._restarts and not self.settings.fresh and greeting.restarts(process)
            )
            if self._restarts:
                deadline = time.monotonic() + self.settings.startup
                process.send(self._infos(), deadline)
            else:
                process.end(self.settings.exit)
                process = self._launch()
        process.stage, process.logged = "before its move", 0
        self._is_new = False
        self._known = None

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Hand on the opponent's move, and read the answer."""
        process = self._process
        if process is None or not process.is_open:
            raise ProgramError("crash", "is not there any more", self.settings.command[0])
        began = time.monotonic()
        if process.lines or process.poller.poll(0):
            self._look_before(process)
        if self.settings.knock:
            greeting.knock(process)
        command = self._command(p, limit).replace(b"\n", self.settings.newline)
        process.transcript.add(">", command)
        try:
            written = os.write(process.input, command)
        except OSError:
            written = 0
        if written and process.poller.poll(FIRST_WAIT) == process.has_spoken:
            data = os.read(process.output, CHUNK)
            choice = self._choices.get(data)
            is_answer = process.unread() < written
            if choice is not None and is_answer and not p.cells[choice.move or 0]:
                process.transcript.add("<", data)
                self._known, self._answer = p.moves, choice.move or 0
                return choice
            if not data:
                process.stage = "in its move"
                raise process.fault_at_end("closed its output")
            process.take(data)
        return self._slow_answer(process, p, command, written, began)

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.end(self.settings.exit)
            self._process = None

    def _launch(self) -> BrainProcess:
        """Start the program, and tell it all that it should know."""
        settings = self.settings
        process = self._process = greeting.launched(
            settings, told_memory(self._conditions), self.size
        )
        self._is_new = True
        deadline = time.monotonic() + settings.startup
        process.send(first_infos(self._conditions) + self._infos(), deadline)
        if self._answers_about:
            words = greeting.about(process)
            self._answers_about, self.about = words is not None, about_text(words or "")
        return process

    def _infos(self) -> bytes:
        """The INFO lines of every game."""
        self._limit = self._conditions.limit
        own = b"".join(info(key, value) for key, value in self.settings.info.items())
        return info("rule", self.rule) + limit_infos(self._limit, self._conditions.hang) + own

    def _command(self, p: Position, limit: Limit) -> bytes:
        """The command for a position; with the limit, if that is not the one told."""
        moves, known = p.moves, self._known
        if known is None or moves[:-2] != known or moves[-2] != self._answer or self.settings.board:
            command = board(p, self.size) if moves else b"BEGIN\n"
        else:
            command = self._turns[moves[-1]]
        if limit is self._limit:
            return command
        told, self._limit = self._limit, limit
        if (limit.seconds, limit.depth, limit.nodes) != (told.seconds, told.depth, told.nodes):
            return limit_infos(limit, self._conditions.hang) + command
        return command if limit.time_left is None else time_left(limit) + command

    def _look_before(self, process: BrainProcess) -> None:
        """Take what the program has said by itself; ProgramError if that is a move."""
        process.stage = "after its move"
        process.hear(0)
        while process.lines:
            line = process.lines.popleft()
            if kind_of_line(line) == "move":
                words = f"moved before it was asked: {shown(line, 40)}"
                raise process.fault("illegal move", words)
            process.log(line)

    def _slow_answer(
        self, process: BrainProcess, p: Position, command: bytes, written: int, began: float
    ) -> Choice:
        """The answer, however long it takes, and whatever is said before it."""
        process.stage = "in its move"
        deadline = began + self._patience()
        messages, refusal, is_deaf = list[str](), "", False
        process.push(command[written:], deadline)
        while True:
            while process.lines:
                line = process.lines.popleft()
                match kind_of_line(line):
                    case "move" if process.unread() >= len(command):
                        # Of this command it has read nothing, so that it cannot be its answer.
                        process.log(line, "late: ")
                    case "move" if is_deaf and self._has_another(process):
                        process.log(line, "late: ")
                        is_deaf = False
                    case "move":
                        return self._choice(process, p, line, messages)
                    case "suggestion":
                        process.send(line.upper().replace(b"SUGGEST", b"PLAY") + b"\n", deadline)
                    case "words":
                        messages = [*messages[1 - MOST_MESSAGES :], line.decode("latin-1")]
                        process.log(line)
                    case "refusal":
                        refusal = refusal or f"answered with: {shown(line, 100)}"
                        deadline = min(deadline, time.monotonic() + REFUSAL_GRACE)
                    case "text" if not process.abouts:
                        raise process.fault("illegal move", f"answered with: {shown(line, 100)}")
                    case kind:
                        process.abouts -= kind == "text"
                        process.log(line)
            if (left := deadline - time.monotonic()) <= 0:
                raise process.fault("exception", refusal) if refusal else self._overdue(process)
            is_deaf = process.unread() > 0
            process.hear(min(left, UNREAD_INTERVAL) if is_deaf else left)

    def _has_another(self, process: BrainProcess) -> bool:
        """True if a move is followed by another at once."""
        if not process.lines:
            process.hear(LATE_GRACE)
        return any(kind_of_line(line) == "move" for line in process.lines)

    def _choice(
        self, process: BrainProcess, p: Position, line: bytes, messages: list[str]
    ) -> Choice:
        """The move of a line, and what the messages before it tell."""
        column, row = coordinates(line)
        move = self._cell(column, row)
        if move is None or p.cells[move]:
            fault = "off the board" if move is None else "on a stone"
            raise process.fault("illegal move", f"played {fault}: {shown(line, 40)}")
        self._known, self._answer = p.moves, move
        found = figures(messages, self._cell, self.settings.pattern)
        expected = found.line if found.line[:1] == (move,) else ()
        return Choice(move, found.score, found.depth, found.nodes, expected)

    def _cell(self, column: int, row: int) -> Move | None:
        """The move at a column and a row; None off the board."""
        if 0 <= column < self.size and 0 <= row < self.size:
            return row * self.size + column
        return None

    def _bound(self) -> float | None:
        """Seconds that the move may take, as far as time is limited."""
        bounds = [each for each in (self._limit.seconds, self._limit.time_left) if each is not None]
        return min(bounds, default=None)

    def _patience(self) -> float:
        """Seconds until the move is given up."""
        bound = self._bound()
        return self._conditions.hang if bound is None else bound + self._conditions.margin

    def _overdue(self, process: BrainProcess) -> ProgramError:
        """The fault of a program that does not answer in time."""
        bound = self._bound()
        if bound is None:
            return process.fault("hang", f"did not move within {self._conditions.hang:g} s")
        margin = self._conditions.margin
        words = f"did not move within {bound:.3f} s, and {margin:g} s of grace"
        return process.fault("time", words)
