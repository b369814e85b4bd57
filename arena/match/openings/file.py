"""Openings from a file of one's own or another program's, in any format that can be read.

A run keeps the openings themselves, so that it goes on if the file is changed or gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from annotated_types import Ge

from arena.engine import FilePath
from arena.errors import ConfigError, Fault
from arena.game import Game, Move
from arena.match.copies import is_symmetric
from arena.match.play import moves_text
from arena.records.opening_file import OpeningFile, OpeningFormat, opening_file

MOST_BAD_LINES = 20  # Faults of a file that are told one by one


def openings(
    game: Game,
    *,
    path: Annotated[str, FilePath(), "of the file"],
    format: Annotated[OpeningFormat | None, "by default told from the content"] = None,
    order: Annotated[Literal["file", "random"], "as in the file, or shuffled by the seed"] = "file",
    seed: Annotated[int, "of the shuffle and the symmetries"] = 0,
    start: Annotated[int, Ge(0), "openings left out, counted after the shuffle"] = 0,
    count: Annotated[int, Ge(1), "openings; by default all that there are"] | None = None,
    transform: Annotated[bool, "turn or mirror each by a symmetry drawn from the seed"] = False,
) -> Iterator[str]:
    """The openings of a file; ConfigError, with file and line, for each line that is none."""
    values = {"path": path, "format": format, "order": order, "seed": seed, "start": start}
    for text, _ in with_places(game, **values, count=count, transform=transform):
        yield text


def with_places(game: Game, **parameters: Any) -> list[tuple[str, str]]:
    whole = opening_file(Path(parameters["path"]), parameters["format"])
    read = _all_moves(game, whole)
    chosen, source = list(range(len(read))), Random(parameters["seed"])
    if parameters["order"] == "random":
        source.shuffle(chosen)
    turns = [source.random() for _ in chosen]
    wanted = _slice_of(parameters, whole)
    found = []
    for i, turn in zip(chosen[wanted], turns[wanted], strict=True):
        moves = _turned_line(game, read[i], turn) if parameters["transform"] else read[i]
        found.append((moves_text(game, moves), whole.place(whole.parts[i])))
    return found


def _all_moves(game: Game, whole: OpeningFile) -> list[Sequence[Move]]:
    """The moves of all openings, whether wanted or not; ConfigError with the faults of all."""
    read: list[Sequence[Move]] = []
    faults = []
    for part in whole.parts:
        try:
            read.append(whole.moves(game, part))
        except ValueError as error:
            faults.append(Fault(whole.place(part), str(error)))
    if len(faults) > MOST_BAD_LINES:
        more = f"and {len(faults) - MOST_BAD_LINES} more such lines"
        faults[MOST_BAD_LINES:] = [Fault(str(whole.file), more)]
    if faults:
        raise ConfigError(*faults)
    return read


def _slice_of(parameters: Mapping[str, Any], whole: OpeningFile) -> slice:
    """The openings that are wanted; ConfigError if there are fewer."""
    start, there = parameters["start"], len(whole.parts)
    count = there - start if parameters["count"] is None else parameters["count"]
    if count < 1 or start + count > there:
        after = f" after the first {start}" if start else ""
        left = max(there - start, 0)
        wanted = f", not {count}" if parameters["count"] else ""
        are = "is 1 opening" if left == 1 else f"are {left} openings"
        message = f"there {are}{after}{wanted}"
        raise ConfigError(Fault(str(whole.file), message))
    return slice(start, start + count)


def _turned_line(game: Game, moves: Sequence[Move], turn: float) -> Sequence[Move]:
    """The moves under one of the game's symmetries, which `turn`, from 0 to below 1, chooses."""
    if not is_symmetric(game):
        raise ConfigError(f"transform: the symmetries of {game.name} are not known")
    symmetry = game.symmetries[int(turn * len(game.symmetries))]
    return [game.turned(move, symmetry) for move in moves]


def count(parameters: Mapping[str, Any]) -> int:
    if parameters["count"] is not None:
        return int(parameters["count"])
    whole = opening_file(Path(parameters["path"]), parameters["format"])
    return max(len(whole.parts) - int(parameters["start"]), 0)


def part(parameters: Mapping[str, Any], start: int, count: int) -> dict[str, Any]:
    return {**parameters, "start": parameters["start"] + start, "count": count}
