"""The figures in the messages of a search: depth, nodes, score, and the expected line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from arena.engine import MATE

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

Cell = Callable[[int, int], int | None]
"""A function of a column and a row: the move, or None off the board."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures that messages reported about one search."""

    depth: int = 0
    nodes: int = 0
    score: int | None = None
    line: tuple[int, ...] = field(default=())


def figures(messages: Iterable[str], cell: Cell, pattern: re.Pattern[str] | None) -> Figures:
    """The figures of a search's messages; a later message's replace an earlier one's.

    A depth of 0 counts as none: some programs send it for a search that was cut off. A `pattern`
    has some of the groups `depth`, `nodes`, `score`, `line`; else known shapes count.
    """
    found = Figures()
    for message in messages:
        given = _named_groups(message, pattern) if pattern else _known_groups(message)
        found = replace(found, **read(given, cell))
    return found


def _named_groups(message: str, pattern: re.Pattern[str]) -> dict[str, str]:
    match = pattern.search(message)
    return {name: text for name, text in match.groupdict().items() if text} if match else {}


def _known_groups(message: str) -> dict[str, str]:
    """The texts of the figures, in a message such as `depth 8-14 ev 35 n 120K pv H8 I9`."""
    found, named = {}, LINE_NAME.search(message)
    head = message[: named.start()] if named else message
    if match := DEPTH.search(head):
        found["depth"] = match[1]
    if match := NODES.search(head):
        found["nodes"] = match[1] + match[2]
    elif nodes := _nodes_of_speed(head):
        found["nodes"] = nodes
    if match := SCORE.search(head):
        found["score"] = f"{match[1]}{'M' if match[2] else ''}{match[3]}"
    if named:
        found["line"] = message[named.end() :]
    elif found and (line := LINE.search(message)):
        found["line"] = line[1]
    return found


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
    found: dict[str, Any] = {}
    for name in ("depth", "nodes"):
        if value := counted(texts.get(name, "")):
            found[name] = value
    if (value := scored(texts.get("score", ""))) is not None:
        found["score"] = value
    if line := _line_of_cells(texts.get("line", ""), cell):
        found["line"] = line
    return found


def counted(text: str) -> int | None:
    """A count such as `120`, `1.5M`; None for other text."""
    match = re.fullmatch(
        r"\s*(\d{1,18}(?:\.\d{1,9})?)\s*([kmgb]?)[a-z]{0,3}\s*", text, re.IGNORECASE
    )
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
    found = []
    for match in ONE_MOVE.finditer(text):
        if match[3]:
            move = cell(ord(match[3].lower()) - ord("a"), int(match[4]) - 1)
        else:
            move = cell(int(match[1]), int(match[2]))
        if move is None:
            break
        found.append(move)
    return tuple(found)
