"""Remarks that engines make with their moves, as the record of a game keeps them: column by column.

The line that an engine expects and its `info` are for people and decide nothing, so that all
that is not as the contract says is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from math import isfinite
from numbers import Integral, Real
from operator import index
from typing import SupportsIndex

from arena.engine import NO_INFO, Choice, Info, Remark
from arena.errors import ConfigError, one_line
from arena.game import Move
from arena.match.record import GameRecord

LONGEST_LINE = 4
"""Moves that are kept of the line that an engine expects after its own move."""
MOST_NAMES, LONGEST_WORD = 10, 40
"""Names of each player's `info` that are kept, and characters of a name or a text."""
SEATS = {1: "first", 2: "second"}
COLUMNS = ("times", "nodes", "depths", "scores", "pv", "info")
"""Fields of a record that keep the remarks."""

NO_LINE: tuple[Move, ...] = ()


def remark(seat: int, choice: Choice, seconds: float, text: Callable[[Move], str]) -> Remark:
    """The remark with a choice; OverflowError, TypeError or ValueError for what is no number."""
    score = None if choice.score is None else whole(int(choice.score))
    nodes, depth = whole(choice.nodes), whole(choice.depth)
    line = "" if choice.pv is NO_LINE else line_of(choice, text)
    info = NO_INFO if type(choice.info) is dict and not choice.info else _info_of(choice)
    return Remark(seat, seconds, nodes, depth, score, line, info)


def line_of(choice: Choice, text: Callable[[Move], str]) -> str:
    """The moves that are expected after the one chosen."""
    try:
        own, *others = islice(choice.pv, 1 + LONGEST_LINE)
        return " ".join([text(whole(move)) for move in others]) if own == choice.move else ""
    except Exception:  # of an object of the engine's
        return ""


def _info_of(choice: Choice) -> Info:
    try:
        items = list(islice(choice.info.items(), MOST_NAMES))
        found = {one_line(str(name))[:LONGEST_WORD]: _plain_value(value) for name, value in items}
    except Exception:  # of an object of the engine's
        return {}
    return {name: value for name, value in found.items() if value is not None}


def _plain_value(value: object) -> int | float | str | None:
    """The value as JSON has it; None for what is no finite number and no text."""
    if isinstance(value, Integral):
        return whole(value)
    if isinstance(value, Real):
        return float(f"{float(value):.4g}") if isfinite(value) else None
    return one_line(value)[:LONGEST_WORD] if isinstance(value, str) else None


def columns(remarks: Sequence[Remark], kept: bool = True) -> dict[str, str]:
    """The remarks of a game, as text: the fields of its record that have these names.

    Lines and info are left out unless they are to be `kept`.
    """
    if not remarks:
        return dict.fromkeys(COLUMNS, "")
    _, seconds, nodes, depths, scores, lines, _ = zip(*remarks, strict=True)
    return {
        "times": " ".join([f"{each:.6f}" for each in seconds]),
        "nodes": " ".join(map(str, nodes)),
        "depths": " ".join(map(str, depths)),
        "scores": " ".join(["-" if each is None else str(each) for each in scores]),
        "pv": "|".join(lines) if kept and any(lines) else "",
        "info": _info_text(remarks) if kept else "",
    }


def _info_text(remarks: Iterable[Remark]) -> str:
    """The named values as JSON: by seat and name, one for each of that player's choices."""
    found = {}
    for seat, title in SEATS.items():
        values = [each.info for each in remarks if each.seat == seat]
        names = islice(dict.fromkeys(name for info in values for name in info), MOST_NAMES)
        if by_name := {name: [info.get(name) for info in values] for name in names}:
            found[title] = by_name
    return json.dumps(found, separators=(",", ":")) if found else ""


def remarks_of(record: GameRecord) -> list[Remark]:
    """The remarks of a game; ConfigError if its record, perhaps edited by hand, has others."""
    texts = {name: getattr(record, name) for name in COLUMNS}
    return remarks_in(texts, len(record.opening.split()))


def remarks_in(texts: Mapping[str, str], opening: int) -> list[Remark]:
    """The mirror of `columns`, after an opening of this many plies.

    ConfigError if a text cannot be read, or has more or fewer choices than the others.
    """
    times, nodes, depths = (texts[name].split() for name in ("times", "nodes", "depths"))
    scores = (None if text == "-" else int(text) for text in texts["scores"].split())
    count = len(times)
    lines = texts["pv"].split("|") if texts["pv"] else [""] * count
    seats = [(opening + i) % 2 + 1 for i in range(count)]
    try:
        info = _read_info(texts["info"], seats) if texts["info"] else [NO_INFO] * count
        values = seats, map(float, times), map(int, nodes), map(int, depths), scores, lines, info
        return list(map(Remark._make, zip(*values, strict=True)))
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"what is kept of the game cannot be read: {error}") from None


def _read_info(text: str, seats: Sequence[int]) -> list[Info]:
    """The mirror of `_info_text`, for choices by these seats in turn."""
    named = json.loads(text)
    return [_info_at(named.get(SEATS[seat], {}), i // 2) for i, seat in enumerate(seats)]


def _info_at(by_name: Mapping[str, Sequence[int | float | str | None]], i: int) -> Info:
    """The named values of a player's choice of this number, from 0."""
    found = {name: values[i] for name, values in by_name.items()}
    return {name: value for name, value in found.items() if value is not None}


def whole(value: SupportsIndex) -> int:
    """The value as a whole number of at most 64 bits, which is what records and databases hold."""
    number = value if type(value) is int else index(value)
    if number.bit_length() > 63:
        raise OverflowError(f"a number of {number.bit_length()} bits")
    return number
