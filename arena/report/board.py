"""A game on the screen: a position as a drawing, and each move as it is played."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING

from arena.coordinates import Coordinates
from arena.engine import Remark, mate_text
from arena.game import Game, Move, Position
from arena.match.play import Spectator
from arena.match.record import FIELDS, GameRecord, remarks_of, summary, values_of

if TYPE_CHECKING:
    pass

Print = Callable[[str], None]

STONES = "●○"

CROSSINGS = dict(zip(product(range(3), range(3)), "┌┬┐├┼┤└┴┘", strict=True))
"""Crossings, by the thirds of the board in which their row and column are."""


def diagram(game: Game, p: Position, coordinates: Coordinates) -> str:
    """The board, names of rows and columns around it, the last move in brackets."""
    size = game.size
    last = None if p.last is None else p.last % size**2
    height = max(map(len, coordinates.columns))
    heads = zip(*(name.rjust(height) for name in coordinates.columns), strict=True)
    lines = ["    " + " ".join(head) for head in heads]
    for row, name in enumerate(coordinates.rows):
        lines.append(f"{name:>2} {_row_text(p, size, row, last)}")
    return "\n".join(lines)


def _row_text(p: Position, size: int, row: int, last: int | None) -> str:
    text = ""
    for column in range(size):
        cell = row * size + column
        if cell == last:
            text += "("
        elif column and last == cell - 1:
            text += ")"
        else:
            text += "─" if column else " "
        stone = p.cells[cell]
        text += STONES[stone - 1] if stone else CROSSINGS[_third(row, size), _third(column, size)]
    return text + (")" if last == row * size + size - 1 else "")


def _third(index: int, size: int) -> int:
    return 0 if index == 0 else 2 if index == size - 1 else 1


def broadcast(
    form: str, game: Game, names: tuple[str, str], out: Print, coordinates: Coordinates
) -> Spectator | None:
    """A watcher that shows each position: its `board`, or its last move only (`moves`)."""
    if form == "board":
        return lambda p: out(
            f"{title(game, p, names, coordinates)}\n{diagram(game, p, coordinates)}\n"
        )
    if form == "moves":
        return _move_lines(game, out)
    return None


def title(game: Game, p: Position, names: tuple[str, str], coordinates: Coordinates) -> str:
    """The last move and its player; before the first, both players."""
    if p.last is None:
        return f"{STONES[0]} {names[0]}  {STONES[1]} {names[1]}"
    seat, move = 3 - p.turn, coordinates.text(game.text(p.last))
    return f"{p.ply}. {STONES[seat - 1]} {names[seat - 1]} {move}"


def _move_lines(game: Game, out: Print) -> Spectator:
    """A watcher that prints each move in a line, as records have it, for other programs.

    The first position may bring a whole opening.
    """
    shown: list[Move] = []

    def show(p: Position) -> None:
        for move in p.moves[len(shown) :]:
            out(game.text(move))
            shown.append(move)

    return show


def remark_lines(record: GameRecord, coordinates: Coordinates) -> list[str]:
    opening, moves = len(record.opening.split()), record.moves.split()
    lines = []
    for i, remark in enumerate(remarks_of(record), start=opening):
        # An answer that was no legal move is not among the moves.
        move = coordinates.text(moves[i]) if i < len(moves) else "no move"
        name = record.first if remark.seat == 1 else record.second
        words = f"{i + 1}. {STONES[remark.seat - 1]} {name} {move}: {remark.seconds * 1e3:.1f} ms"
        lines.append("; ".join([words, *_opinions(remark, coordinates)]))
    return lines


def last_remarks(record: GameRecord, coordinates: Coordinates) -> list[str]:
    """The last remark of each player, if any of them had an opinion in the game."""
    has_any = any(_opinions(remark, coordinates) for remark in remarks_of(record))
    return remark_lines(record, coordinates)[-2:] if has_any else []


def _opinions(remark: Remark, coordinates: Coordinates) -> list[str]:
    found = []
    if remark.score is not None:
        found.append(f"score {mate_text(remark.score) or f'{remark.score:+d}'}")
    if remark.depth:
        found.append(f"depth {remark.depth}")
    if remark.nodes:
        found.append(f"{remark.nodes:,} nodes")
    if remark.line:
        found.append(f"expects {coordinates.text(remark.line)}")
    return found + [f"{name} {value}" for name, value in remark.info.items()]


def result_text(form: str, record: GameRecord) -> str:
    """The end of the game in a line; or the whole record as json."""
    if form == "json":
        return json.dumps(dict(zip(FIELDS, values_of(record), strict=True)))
    return summary(record)
