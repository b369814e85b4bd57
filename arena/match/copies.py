"""Copies told from new games, by two marks: of where a game starts, and of the whole of it."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from typing import TypeGuard

from arena.game import Game, Move, Position, Symmetric
from arena.match.record import split_opening

START_BYTES, WHOLE_BYTES = 5, 8
"""Sizes of the marks: two of 1000 openings share one by chance once in 2 million times."""
SHOWN = 3  # Openings that a note names, however many are alike
RECENT_OPENINGS = 1024  # Openings whose marks are kept for further games

Key = tuple[int, list[tuple[Move, int]]]
Turns = Sequence[Sequence[Move]]


def marks(game: Game, opening: Position, p: Position) -> tuple[str, str]:
    """The marks of the position after the opening, and of the game that led on to `p`.

    Of a game without known symmetries, those of the plain moves.
    """
    if not is_symmetric(game):
        return mark(START_BYTES, opening.moves), mark(WHOLE_BYTES, p.moves)
    # Any object can be hashed unless it is made otherwise, but a protocol does not say so.
    start, key, turns = _start_of(game, opening.cells, opening.turn)  # type: ignore[arg-type]
    line = _least_line(game, p.moves[opening.ply :], turns)
    return start, mark(WHOLE_BYTES, (*key, line))


@lru_cache(RECENT_OPENINGS)
def _start_of(game: Symmetric, cells: bytes, mover: int) -> tuple[str, Key, Turns]:
    """The mark of a position, the facts that it marks, and the turns of the board that give them.

    Of an opening that is symmetric itself, several turns do.
    """
    stones = [(cell, stone) for cell, stone in enumerate(cells) if stone]
    images = [sorted((turn[cell], stone) for cell, stone in stones) for turn in game.symmetries]
    least = min(images)
    turns = [turn for turn, image in zip(game.symmetries, images, strict=True) if image == least]
    key = mover, least
    return mark(START_BYTES, key), key, turns


def is_symmetric(game: Game) -> TypeGuard[Symmetric]:
    """True if a game knows its symmetries; `isinstance` takes as long as ten moves."""
    return hasattr(game, "symmetries") and hasattr(game, "turned")


def _least_line(game: Symmetric, moves: Sequence[Move], turns: Turns) -> list[Move]:
    """The least of a line's images under these turns; most are out after the first moves."""
    left = list(turns)
    for move in moves:
        if len(left) == 1:
            break
        images = [game.turned(move, turn) for turn in left]
        least = min(images)
        left = [turn for turn, image in zip(left, images, strict=True) if image == least]
    return [game.turned(move, left[0]) for move in moves]


def marks_of_text(
    game: Game, opening: str, moves: str, parse: Callable[[str], Move] | None = None
) -> tuple[str, str]:
    """The marks of a game as its record has it, opening included; ValueError for other moves.

    `parse` is the game's own unless a quicker one is given.
    """
    line, plies = list(map(parse or game.parse, moves.split())), len(opening.split())
    p = game.start()
    for move in line[:plies]:
        if not game.is_legal(p, move):
            raise ValueError(f"{game.text(move)} is not legal after {p.ply} moves")
        p = game.play(p, move)
    return marks(game, p, Position(p.cells, p.turn, tuple(line)))


def start_mark(game: Game, opening: str, parse: Callable[[str], Move] | None = None) -> str:
    """A mark that openings share if they count as one in statistics: that of their position, or
    the text of an opening that players make by a rule."""
    is_made = split_opening(opening)[0]
    return opening if is_made else marks_of_text(game, opening, opening, parse)[0]


def mark(size: int, facts: object) -> str:
    """A short text that only equal facts share, on any machine."""
    digest = blake2b(repr(facts).encode(), digest_size=size).digest()
    return b32encode(digest).decode().rstrip("=").lower()


def notes_on(game: Game, openings: Iterable[str]) -> list[str]:
    """A warning of openings that lead to the position of earlier ones, if some do."""
    firsts: dict[str, int] = {}
    found = []
    parse = cache(game.parse)
    for number, opening in enumerate(openings, start=1):
        start = start_mark(game, opening, parse)
        if (first := firsts.setdefault(start, number)) != number:
            found.append(f"{number} as {first}")
    if not found:
        return []
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return [
        "Some openings are others turned, mirrored or with their moves in another order (opening "
        f"{', '.join(found[:SHOWN])}{more}): games on them that come out the same count as copies, "
        "and all others as games on one opening."
    ]
