"""A player that gets its moves from a program: commands, answers, the messages of its search."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from arena.engine import MATE, Choice, Conditions, Limit, ProgramError
from arena.game import Game, Move, Position
from arena.gomocup.process import BrainProcess
from arena.gomocup.protocol import (
    COORDINATES,
    OPENING,
    Settings,
    about_text,
    board,
    coordinates,
    first_infos,
    game_infos,
    kind_of_line,
    limit_infos,
    memory_of,
    opening_board,
    opening_stones,
    own_infos,
    time_left,
)
from arena.gomocup.talk import listening
from arena.gomocup.talk.listening import Wait, overdue, patience
from arena.gomocup.transcript import shown

FIRST_WAIT = 2  # milliseconds for an answer before a closer look at the program
THOUGHT = 0.01  # seconds of a move after which a program is asked whether it listens again
LONGEST_ABOUT = 200
MOST_UNANSWERED = 3  # questions ABOUT in a row, unanswered in games, before none is asked there


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
        self._is_new = False  # its process has not begun a game yet
        self._restarts = True  # a new game is begun by RESTART, not in a new process
        self._is_quick_at_infos = False  # INFO needs no time: it is not asked if it has read it
        self._is_restarting = False  # RESTART was sent for the next command, and not yet answered
        self._restart_fault = ""  # a fault after RESTART, until a new process has played that game
        self._asks_always = settings.knock  # ABOUT is asked after each move
        self._asks_next = True  # ABOUT is asked after the next move: the first, or a slow one
        self._unanswered = 0  # times in a row that it has left ABOUT unanswered in a game
        self._remarked = set[str]()

    def start(self, conditions: Conditions) -> None:
        self._commands.conditions = conditions
        self._launch()

    def new_game(self, seed: int) -> None:
        """Send RESTART; start another process if the program lacks it, or has misbehaved."""
        process = self._process
        if process is None or not process.is_open:
            if process and process.restarts:
                self._restart_fault, self._restarts = process.lost_by, False
            elif self._restart_fault:  # the new one has failed, too
                self._restart_fault, self._restarts = "", True
            process = self._launch()
        elif not self._is_new:
            process.transcript.forget_error()
            process.remark_memory()
            self._settle_doubt(process)
            may_restart = self._restarts and not self.settings.fresh
            self._restarts = may_restart and listening.restarts(process)
            if self._restarts:
                deadline = time.monotonic() + self.settings.startup
                try:
                    if self._is_quick_at_infos:
                        process.send(self._commands.of_game(), deadline)
                    else:
                        listening.tell(process, self._commands.of_game(), deadline)
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
            most = max(patience(limit, self._commands.conditions), self.settings.patience)
            wait = Wait(process, command, began + most)
            line = self._line(wait, written, limit)
            choice = self._choice(process, p, line, wait.messages)
            self._asks_next = self._asks_next or time.monotonic() > began + THOUGHT
        if (self._asks_next or self._asks_always or self.settings.board) and not process.lines:
            self._tell_ahead(process)
        self._commands.answered(p, choice.move or 0)
        return choice

    def _settle_doubt(self, process: BrainProcess) -> None:
        """Say once that RESTART is not sent any more, if a new process has played without fault."""
        if self._restart_fault and process.is_open:
            words = f"failed after RESTART ({self._restart_fault}): each game has a new process now"
            process.remark("restart", words, on_screen=True)
            self._restart_fault = ""

    def open(self, p: Position, limit: Limit) -> Sequence[Move] | str:
        """Send the stones of an opening that players make to the program, and read its answer."""
        began = time.monotonic()
        process = self._listening(limit)
        command, written = self._post(process, self._commands.of_opening(p, limit))
        deadline = began + patience(limit, self._commands.conditions)
        line = self._line(Wait(process, command, deadline, ("move", "swap")), written, limit)
        self._asks_next = True
        if (stones := opening_stones(line, self.size)) is None:
            words = f"answered {OPENING} with: {shown(line, 100)}"
            raise process.fault("illegal move", words)
        return stones or "swap"

    def close(self) -> None:
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
        process = self._process = listening.launched(
            self.settings, memory, self.size, deadline, self._remarked, conditions.talk
        )
        self._is_new = self._asks_next = True
        self._is_quick_at_infos = listening.tell(process, self._commands.of_start(), deadline)
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
        """Send RESTART for the next BOARD, or ABOUT, so that the answer is there in time."""
        # Some programs read nothing for a moment after a move of which they have thought.
        if self.settings.board and self._restarts:
            self._is_restarting = True
            process.restarts += 1
            process.post(b"RESTART" + self.settings.newline)
        elif process.about and self._unanswered < MOST_UNANSWERED:
            listening.ask_about(process)
        self._asks_next = False

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
            if asked > 1 and not self._asks_always:
                self._asks_always = True
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

    def _line(self, wait: Wait, written: int, limit: Limit) -> bytes:
        process = wait.process
        process.stage = "in its move"
        process.push(wait.command[written:], wait.deadline)
        line = wait.line()
        self._asks_always = self._asks_always or wait.is_cut
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
        column, row = coordinates(line)
        move = self._cell(column, row)
        if move is None or p.cells[move]:
            fault = "off the board" if move is None else "on a stone"
            raise process.fault("illegal move", f"played {fault}: {shown(line, 40)}")
        if not COORDINATES.fullmatch(line):
            words = f"writes words behind a move, which are left out: {shown(line, 100)}"
            process.remark("words", words)
        reported = figures(messages, self._cell, self.settings.pattern)
        expected = reported.line if reported.line[:1] == (move,) else ()
        return Choice(move, reported.score, reported.depth, reported.nodes, expected)

    def _cell(self, column: int, row: int) -> Move | None:
        if 0 <= column < self.size and 0 <= row < self.size:
            return row * self.size + column
        return None


class Commands:
    """The limit that was sent to a program, and the moves that it knows."""

    def __init__(self, size: int, rule: int, settings: Settings) -> None:
        self.conditions = Conditions()
        self._size, self._rule, self._settings = size, rule, settings
        self._limit = Limit()
        self._known: tuple[Move, ...] | None = None  # moves of the open game at its last answer
        self._answer: Move = -1
        self._turns = [f"TURN {move % size},{move // size}\n".encode() for move in range(size**2)]

    def of_start(self) -> bytes:
        return first_infos(self.conditions) + self.of_game()

    def of_game(self) -> bytes:
        self._limit, self._known = self.conditions.limit, None
        return self._infos()

    def answered(self, p: Position, move: Move) -> None:
        self._known, self._answer = p.moves, move

    def of_move(self, p: Position, limit: Limit, restarts: bool) -> bytes:
        """The command for a position, with the limit if it has changed since it was sent.

        `restarts`: the program knows RESTART, which closes a game before the BOARD of another.
        """
        moves, known, last_limit = p.moves, self._known, self._limit
        self._limit = limit
        is_next = known is not None and moves[:-2] == known and moves[-2] == self._answer
        if is_next and not self._settings.board:
            command = self._turns[moves[-1]]
        else:
            command = board(p, self._size) if moves else b"BEGIN\n"
            if known is not None and restarts:
                # With `board`, it was sent after the last move.
                restart = b"" if self._settings.board else b"RESTART\n"
                return restart + self._infos() + command
        return self._change(last_limit, limit) + command

    def of_opening(self, p: Position, limit: Limit) -> bytes:
        last_limit, self._limit = self._limit, limit
        self._known = None  # a BOARD follows, for which it is a new game
        return self._change(last_limit, limit) + opening_board(p, self._size, self._settings.owners)

    def _change(self, last: Limit, limit: Limit) -> bytes:
        """The INFO lines on what has changed in the limit since the last one was sent."""
        if limit is last:
            return b""
        if (limit.seconds, limit.depth, limit.nodes) != (last.seconds, last.depth, last.nodes):
            return limit_infos(limit, self.conditions.hang)
        return b"" if limit.time_left is None else time_left(limit)

    def _infos(self) -> bytes:
        infos = game_infos(self._rule, self._limit, self.conditions.hang)
        return infos + own_infos(self._settings.info)


NUMBER = r"([-+]?\d+(?:\.\d+)?)"
GAP = r"\s*[:=]?\s*"
DEPTH = re.compile(rf"\b(?:depth|dep|d){GAP}(\d+)", re.IGNORECASE)
COUNT = r"(\d{1,18}(?:\.\d+)?)\s*([kmgb]?)"
NODES = re.compile(rf"\b(?:nodes?|visits?|nd|n){GAP}{COUNT}\b(?!/)", re.IGNORECASE)
SPEED = re.compile(rf"\b(n(?:odes)?/m?s|nps){GAP}{COUNT}\b", re.IGNORECASE)
TIME = re.compile(rf"\b(?:time|tm){GAP}(\d{{1,18}}(?:\.\d+)?)\s*(m?s)?\b", re.IGNORECASE)
"""A time in a message, in milliseconds unless its unit is seconds."""
SCORE = re.compile(
    rf"\b(?:eval|ev|score|sc|value|val|v){GAP}(?:cp\s+)?"
    r"([-+]?)((?:mate|[mv])\s*)?([-+]?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
MOVE = r"\[?\(?(?:\d{1,2}\s*,\s*\d{1,2}|[a-y]\d{1,2})\)?\]?"
LINE = re.compile(rf"(?:^|[\s|])((?:{MOVE})(?:[\s;>-]+{MOVE})*)\s*(?=$|\|)", re.IGNORECASE)
ONE_MOVE = re.compile(r"(\d{1,2})\s*,\s*(\d{1,2})|([a-y])(\d{1,2})", re.IGNORECASE)
LINE_NAME = re.compile(rf"\b(?:pv|bestline|line){GAP}", re.IGNORECASE)

TIMES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
LARGEST = 2**62

Cell = Callable[[int, int], int | None]  # of a column and a row: the move, or None off the board


@dataclass(frozen=True, slots=True)
class Figures:
    depth: int = 0
    nodes: int = 0
    score: int | None = None
    line: tuple[int, ...] = field(default=())


def figures(messages: Iterable[str], cell: Cell, pattern: re.Pattern[str] | None) -> Figures:
    """The figures of a search's messages; a later message's replace an earlier one's.

    A depth of 0 counts as none: some programs send it for a search that was cut off. A `pattern`
    has some of the groups `depth`, `nodes`, `score`, `line`; else known shapes count.
    """
    latest = Figures()
    for message in messages:
        texts = _named_groups(message, pattern) if pattern else _known_groups(message)
        latest = replace(latest, **read(texts, cell))
    return latest


def _named_groups(message: str, pattern: re.Pattern[str]) -> dict[str, str]:
    match = pattern.search(message)
    return {name: text for name, text in match.groupdict().items() if text} if match else {}


def _known_groups(message: str) -> dict[str, str]:
    """The texts of the figures, in a message such as `depth 8-14 ev 35 n 120K pv H8 I9`."""
    texts, named = {}, LINE_NAME.search(message)
    head = message[: named.start()] if named else message
    if match := DEPTH.search(head):
        texts["depth"] = match[1]
    if match := NODES.search(head):
        texts["nodes"] = match[1] + match[2]
    elif nodes := _nodes_of_speed(head):
        texts["nodes"] = nodes
    if match := SCORE.search(head):
        texts["score"] = f"{match[1]}{'M' if match[2] else ''}{match[3]}"
    if named:
        texts["line"] = message[named.end() :]
    elif texts and (line := LINE.search(message)):
        texts["line"] = line[1]
    return texts


def _nodes_of_speed(message: str) -> str:
    """The nodes from a speed with its unit and a time; empty unless both are given."""
    speed, time = SPEED.search(message), TIME.search(message)
    if not speed or not time:
        return ""
    a_millisecond = 1 if speed[1].lower().endswith("/ms") else 1e-3
    milliseconds = float(time[1]) * (1000 if (time[2] or "").lower() == "s" else 1)
    nodes = float(speed[2]) * TIMES[speed[3].lower()] * a_millisecond * milliseconds
    return str(round(min(nodes, LARGEST)))


def read(texts: dict[str, str], cell: Cell) -> dict[str, Any]:
    """The figures that the texts stand for; other texts are left out."""
    values: dict[str, Any] = {}
    for name in ("depth", "nodes"):
        if value := _counted(texts.get(name, "")):
            values[name] = value
    if (value := scored(texts.get("score", ""))) is not None:
        values["score"] = value
    if line := _line_of_cells(texts.get("line", ""), cell):
        values["line"] = line
    return values


def _counted(text: str) -> int | None:
    """A count such as `120`, `1.5M`; None for other text."""
    pattern = r"\s*(\d{1,18}(?:\.\d{1,9})?)\s*([kmgb]?)[a-z]{0,3}\s*"
    match = re.fullmatch(pattern, text, re.IGNORECASE)
    value = float(match[1]) * TIMES[match[2].lower()] if match else LARGEST
    return int(value) if value < LARGEST else None


def scored(text: str) -> int | None:
    """A score such as `-35`, `0.4`, or `+M5`, a win in five; None for other text."""
    match = re.fullmatch(r"\s*([-+]?)(m?)\s*([-+]?\d{1,15}(?:\.\d{1,9})?)\s*", text, re.IGNORECASE)
    if not match:
        return None
    value = float(match[3])
    if match[2]:
        value = MATE - abs(value) if value >= 0 else abs(value) - MATE
    return round(-value if match[1] == "-" else value)


def _line_of_cells(text: str, cell: Cell) -> tuple[int, ...]:
    """The moves of a line, written `7,7` or `h8`: columns from the left, rows from the top."""
    moves = []
    for match in ONE_MOVE.finditer(text):
        if match[3]:
            move = cell(ord(match[3].lower()) - ord("a"), int(match[4]) - 1)
        else:
            move = cell(int(match[1]), int(match[2]))
        if move is None:
            break
        moves.append(move)
    return tuple(moves)
