"""A game on the screen: a position as a drawing, and each move as it is played."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

from arena.engine import Remark, mate_text
from arena.game import Game, Move, Position
from arena.match.play import Spectator
from arena.match.record import FIELDS, GameRecord, summary, values_of
from arena.match.remarks import remarks_of

Print = Callable[[str], None]

STONES = "●○"
CROSSINGS = dict(zip(product(range(3), range(3)), "┌┬┐├┼┤└┴┘", strict=True))
"""Crossings, by the thirds of the board in which their row and column are."""


def diagram(game: Game, p: Position) -> str:
    """The board, row and column numbers around it, the last move in brackets."""
    size = game.size
    last = None if p.last is None else p.last % size**2
    return "\n".join(
        [*column_numbers(size), *(row_text(p, size, row, last) for row in range(size))]
    )


def column_numbers(size: int) -> list[str]:
    """The tens, if there are any, above the ones."""
    tens = "    " + " ".join(str(column // 10 or " ") for column in range(size))
    ones = "    " + " ".join(str(column % 10) for column in range(size))
    return [tens, ones] if size > 10 else [ones]


def row_text(p: Position, size: int, row: int, last: int | None) -> str:
    """One row: a character for each point, and one between two points."""
    text = f"{row:2d} "
    for column in range(size):
        cell = row * size + column
        if cell == last:
            text += "("
        elif column and last == cell - 1:
            text += ")"
        else:
            text += "─" if column else " "
        stone = p.cells[cell]
        text += STONES[stone - 1] if stone else CROSSINGS[third(row, size), third(column, size)]
    return text + (")" if last == row * size + size - 1 else "")


def third(index: int, size: int) -> int:
    """The row or column of CROSSINGS: 0 at the near edge, 2 at the far one, 1 between."""
    return 0 if index == 0 else 2 if index == size - 1 else 1


def broadcast(form: str, game: Game, names: tuple[str, str], out: Print) -> Spectator | None:
    """A watcher that shows each position: its `board`, or its last move only (`moves`)."""
    if form == "board":
        return lambda p: out(f"{title(game, p, names)}\n{diagram(game, p)}\n")
    if form == "moves":
        return move_lines(game, out)
    return None


def title(game: Game, p: Position, names: tuple[str, str]) -> str:
    """The last move and its player; before the first, both players."""
    if p.last is None:
        return f"{STONES[0]} {names[0]}  {STONES[1]} {names[1]}"
    seat = 3 - p.turn
    return f"{p.ply}. {STONES[seat - 1]} {names[seat - 1]} {game.text(p.last)}"


def move_lines(game: Game, out: Print) -> Spectator:
    """A watcher that prints each move in a line; the first position may bring a whole opening."""
    shown: list[Move] = []

    def show(p: Position) -> None:
        for move in p.moves[len(shown) :]:
            out(game.text(move))
            shown.append(move)

    return show


def remark_lines(record: GameRecord) -> list[str]:
    """Each move that a player chose, and what came with it."""
    opening, moves = len(record.opening.split()), record.moves.split()
    lines = []
    for i, remark in enumerate(remarks_of(record), start=opening):
        # An answer that was no legal move is not among the moves.
        move = moves[i] if i < len(moves) else "no move"
        name = record.first if remark.seat == 1 else record.second
        words = f"{i + 1}. {STONES[remark.seat - 1]} {name} {move}: {remark.seconds * 1e3:.1f} ms"
        lines.append("; ".join([words, *opinions(remark)]))
    return lines


def last_remarks(record: GameRecord) -> list[str]:
    """The last remark of each player, if any of them had an opinion in the game."""
    return remark_lines(record)[-2:] if any(map(opinions, remarks_of(record))) else []


def opinions(remark: Remark) -> list[str]:
    """All that an engine told of its move, in words."""
    found = []
    if remark.score is not None:
        found.append(f"score {mate_text(remark.score) or f'{remark.score:+d}'}")
    if remark.depth:
        found.append(f"depth {remark.depth}")
    if remark.nodes:
        found.append(f"{remark.nodes:,} nodes")
    if remark.line:
        found.append(f"expects {remark.line}")
    return found + [f"{name} {value}" for name, value in remark.info.items()]


def result_text(form: str, record: GameRecord) -> str:
    """The end of the game in a line; or the whole record as json."""
    if form == "json":
        return json.dumps(dict(zip(FIELDS, values_of(record), strict=True)))
    return summary(record)
