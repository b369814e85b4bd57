"""The words of the Gomocup protocol: commands to a brain, with LF, and what its lines mean."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from arena.engine import Conditions, Limit
from arena.errors import shown_value
from arena.game import Move, Position
from arena.processes.child import MEGABYTE

RULES: Mapping[str, int] = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8, "caro_exact": 9}
UNLIMITED = 2**31 - 1  # INFO time_left without a clock; the largest number that all brains can read
HANG_SHARE = 0.8  # part of the time until a hang that a brain is told of where time is not limited
GOMOCUP_MEMORY = 350  # megabytes that a brain may hold at Gomocup
MEMORY_TOLERANCE = 1.1
"""A brain is ended above its limit times this: one that fills its limit needs some for its code."""

_BY_LIMIT = "limit sets it"
REFEREE_KEYS: Mapping[str, str] = {
    "timeout_turn": _BY_LIMIT,
    "timeout_match": _BY_LIMIT,
    "time_left": _BY_LIMIT,
    "time_increment": _BY_LIMIT,
    "max_depth": _BY_LIMIT,
    "max_node": _BY_LIMIT,
    "hang": "hang sets it",
    "max_memory": "memory sets it",
    "game_type": "it is always 1, another brain",
    "rule": "game sets it, by its rule",
}
"""The keys of all INFO lines that the referee sends, each with what sets its value."""

Kind = Literal["move", "no move", "words", "ok", "suggestion", "swap", "refusal", "text"]

OPENING = "SWAP2BOARD"  # the command that asks for an answer in an opening that the players make
SWAP = b"SWAP"  # the answer to SWAP2BOARD of a brain that takes the other colour
COORDINATES = re.compile(rb"(-?\d+)\s*,\s*(-?\d+)")
MOVE_LINE = re.compile(COORDINATES.pattern + rb"([ \t].*)?", re.DOTALL)
"""A move, and the words that may stand behind it after a blank."""
_NUMBER = rb"[-+]?\d+(?:\.\d*)?"
NO_MOVE = re.compile(
    rb"[(\[]?" + _NUMBER + rb"(?:[ \t]*[,;][ \t]*" + _NUMBER + rb"){1,2}[)\]]?[,;.]?"
)
"""Two or three numbers that were to be a move: no other line of a brain looks like this."""
ABOUT_PART = re.compile(r'(\w+)\s*=\s*"([^"]*)"')
NAME_IN_ABOUT = re.compile(rb"\bname\s*=", re.IGNORECASE)
BINARY = re.compile(rb"[^\t\x20-\x7e]")  # bytes of no answer: messages may hold any, also line ends
FIRST_WORD = re.compile(rb"[A-Za-z]+")
FIRST_WORDS: Mapping[bytes, Kind] = {
    b"MESSAGE": "words",
    b"DEBUG": "words",
    b"OK": "ok",
    b"SUGGEST": "suggestion",
    b"SWAP": "swap",
    b"ERROR": "refusal",
    b"UNKNOWN": "refusal",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """One program and how to talk to it."""

    command: tuple[str, ...]
    folder: str
    info: Mapping[str, str | int | float]
    board: bool
    fresh: bool
    knock: bool
    startup: float
    exit: float
    newline: bytes  # End of the lines that it is sent
    owners: bool  # True if stones of SWAP2BOARD are sent with whose they are
    pattern: re.Pattern[str] | None
    patience: float = 0.0  # seconds for which a late move is waited for, to tell its time


def kind_of_line(line: bytes) -> Kind:
    """The kind of a line, blanks around it taken off; case does not matter."""
    if MOVE_LINE.fullmatch(line):
        return "move"
    if NO_MOVE.fullmatch(line):
        return "no move"
    word = FIRST_WORD.match(line)
    kind = FIRST_WORDS.get(word[0].upper(), "text") if word else "text"
    return "words" if kind == "text" and BINARY.search(line) else kind


def coordinates(line: bytes) -> tuple[int, int]:
    match = MOVE_LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"no move: {line!r}")
    return int(match[1]), int(match[2])


def has_words_behind(line: bytes) -> bool:
    match = MOVE_LINE.fullmatch(line)
    return bool(match and match[3])


def opening_stones(line: bytes, size: int) -> list[Move] | None:
    """The different points of an answer to SWAP2BOARD; none for SWAP; None if it is neither."""
    if line.strip().upper() == SWAP:
        return []
    pairs = [(int(x), int(y)) for x, y in COORDINATES.findall(line)]
    is_on_board = all(0 <= x < size and 0 <= y < size for x, y in pairs)
    if COORDINATES.sub(b"", line).strip() or not pairs or not is_on_board:
        return None
    return [y * size + x for x, y in pairs] if len(set(pairs)) == len(pairs) else None


def about_text(words: str) -> str:
    """The name and version in an answer to ABOUT; all of it, if it names none."""
    parts = dict(ABOUT_PART.findall(words))
    name = parts.get("name", "")
    return f"{name} {parts.get('version', '')}".strip() if name else words


def info(key: str, value: object) -> bytes:
    """The command that tells a brain what the referee plays by; it has no answer."""
    assert key in REFEREE_KEYS, key
    return f"INFO {key} {value}\n".encode()


def own_infos(infos: Mapping[str, str | int | float]) -> bytes:
    """The commands for INFO lines of the user's own, of which `info_mistakes` finds none wrong."""
    return b"".join(f"INFO {key} {value}\n".encode() for key, value in infos.items())


def info_mistakes(infos: Mapping[str, str | int | float]) -> Iterator[tuple[str, str]]:
    """The keys of INFO lines of the user's own that cannot be sent so, each with a message."""
    for key, value in infos.items():
        text = str(value)
        if setting := REFEREE_KEYS.get(key.lower()):
            yield key, f"INFO {key} is sent by the referee: {setting}"
        elif not key or not key.isprintable() or " " in key:
            yield key, f"a key of INFO must be one word, not {shown_value(key)}"
        elif not text.isprintable():
            yield key, f"the value of INFO {key} must be one line of text, not {shown_value(text)}"


def _milliseconds(seconds: float) -> int:
    return min(round(seconds * 1000), UNLIMITED)


def limit_infos(limit: Limit, hang: float) -> bytes:
    """The limits of each move and of the game.

    Where time is not limited, most brains need to be told of some; INFO hang says that the turn's
    is not meant, so that our own brains search as they do in process.
    """
    turn = hang * HANG_SHARE if limit.time_left is None else limit.time_left
    turn = turn if limit.seconds is None else limit.seconds
    lines = [info("timeout_turn", max(1, _milliseconds(turn)))]
    if limit.time_left is None and limit.seconds is None:
        lines.append(info("hang", _milliseconds(hang)))
    lines.append(info("timeout_match", _milliseconds(limit.time_left or 0)))
    lines.append(time_left(limit))
    if limit.increment:
        lines.append(info("time_increment", _milliseconds(limit.increment)))
    if limit.depth is not None:
        lines.append(info("max_depth", limit.depth))
    if limit.nodes is not None:
        lines.append(info("max_node", limit.nodes))
    return b"".join(lines)


def time_left(limit: Limit) -> bytes:
    left = UNLIMITED if limit.time_left is None else _milliseconds(limit.time_left)
    return info("time_left", left)


def first_infos(conditions: Conditions) -> bytes:
    """All that a brain is told once, when it has started."""
    memory = min(memory_of(conditions).told * MEGABYTE, UNLIMITED)
    return info("max_memory", memory) + info("game_type", 1)


def game_infos(rule: int, limit: Limit, hang: float) -> bytes:
    return info("rule", rule) + limit_infos(limit, hang)


class Memory(NamedTuple):
    """Megabytes for a brain with all that it starts."""

    told: int
    most: int  # Above this it is ended


def memory_of(conditions: Conditions) -> Memory:
    """The memory for a brain. One that nobody has set is Gomocup's, and only told.

    A fresh JVM or numpy holds more: such a brain is ended where it would harm the other games.
    """
    if conditions.memory is not None:
        return Memory(conditions.memory, int(conditions.memory * MEMORY_TOLERANCE))
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MEGABYTE
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Memory(GOMOCUP_MEMORY, max(3 * GOMOCUP_MEMORY, machine // (2 * (cores or 1))))


def opening_board(p: Position, size: int, owners: bool) -> bytes:
    """The command that asks for an answer in the opening: points, perhaps with their `owners`."""
    if owners:
        return b"SWAP2" + board(p, size)
    stones = "".join(f"{move % size},{move // size}\n" for move in p.moves)
    return f"{OPENING}\n{stones}DONE\n".encode()


def board(p: Position, size: int) -> bytes:
    """The command that sets up a position with stones, and asks for a move."""
    stones = [
        f"{move % size},{move // size},{1 if p.cells[move] == p.turn else 2}\n" for move in p.moves
    ]
    return ("BOARD\n" + "".join(stones) + "DONE\n").encode()
