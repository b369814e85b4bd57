"""Wins by continuous fours (VCF): every own move makes a four, every reply is forced.

The search is exact under every rule: all fours are tried, none that leaves the other side a five.
In renju, Black has neither fours nor replies on forbidden points: a four of White's that only such
a point answers wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..clock import visit
from ..shapes.board import play, undo
from ..shapes.candidates import STACK
from ..shapes.evaluation import code_at, makes_five
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import MARGIN, OFFSETS, STRIDE, int64
from ..shapes.table import FIVE, LIVE_FOUR, RUSH_FOUR
from ..shapes.transposition import MIX, failed, remember_failure

ANY = MAX_SIZE * MAX_SIZE
"""Number of fours that stands for any number of them: there are no more cells."""
MOST_FOURS = STACK // ANY
"""Number of lists of fours that fit on the stack, however long each is."""

FIELDS = [
    ("cut_short", np.int64),  # 1 if more fours might have won
    ("won_line", np.int64, (ANY,)),
    ("won_length", np.int64),
]


@kernel
def forced_win(b: Any, player: int, fours: int) -> bool:
    """True if the player to move wins with at most so many fours; `b.won_line` is how.

    The shortest win is found. False with `b.stopped` means that a limit came first, and with
    `b.cut_short` that more fours (of which there are at most MOST_FOURS) might win.
    """
    b.top = b.won_length = b.cut_short = 0
    root = b.stones
    own, _ = five_cells(b, player)
    if own > 0:
        b.won_line[0], b.won_length = own, 1
        return True
    other, second = five_cells(b, 1 - player)
    if second > 0:
        return False
    b.cut_short = 1
    for most in range(1, min(fours, MOST_FOURS) + 1):
        b.cut_short = 0
        if wins(b, player, other, int64(most), root):
            return True
        if b.stopped or not b.cut_short:
            return False
    return False


@kernel
def wins(b: Any, player: int, must: int, fours: int, root: int) -> bool:
    """True if fours win, nobody having a five at hand but the other side on cell `must`."""
    if fours == 0:
        b.cut_short = 1
        return False
    if not visit(b):
        return False
    key = b.key ^ b.salt ^ ((must << 1 | player) + 1) * MIX
    known = failed(b, key)
    if known >= fours:
        b.cut_short |= known < ANY
        return False
    start = b.top
    cut_before, b.cut_short = b.cut_short, 0
    list_fours(b, player, must)
    won = False
    for place in range(start, b.top):
        play(b, b.stack[place], player)
        reply, second = completing_cells(b, b.stack[place], player)
        if not is_allowed(b, reply, 1 - player):
            note_win(b, root, reply, int64(0))
            won = True
        elif second > 0:
            note_win(b, root, reply, second)
            won = True
        else:
            play(b, reply, 1 - player)
            must, too_many = completing_cells(b, reply, 1 - player)
            if too_many == 0:
                won = wins(b, player, must, fours - 1, root)
            undo(b)
        undo(b)
        if won or b.stopped:
            break
    b.top = start
    if not won and not b.stopped:
        remember_failure(b, key, fours if b.cut_short else ANY)
    b.cut_short |= cut_before
    return won


@kernel
def list_fours(b: Any, player: int, must: int) -> None:
    """Put the cells on the stack where the player makes a four; `must` alone, if there is one."""
    if must > 0:
        if makes_four(b, must, player):
            b.stack[b.top] = must
            b.top += 1
        return
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] == 0 and makes_four(b, cell, player):
                b.stack[b.top] = cell
                b.top += 1


@kernel
def makes_four(b: Any, cell: int, player: int) -> bool:
    """True if a stone there makes a rush, live or double four, and is allowed."""
    found = False
    for direction in range(4):
        code = code_at(b, cell, direction, player)
        found |= (code == RUSH_FOUR) | (code == LIVE_FOUR)
    return found and is_allowed(b, cell, player)


@kernel
def completing_cells(b: Any, cell: int, player: int) -> tuple[int, int]:
    """Two cells that make five with the player's stone on `cell`; 0 where there are fewer."""
    first = second = int64(0)
    for direction in range(4):
        code = code_at(b, cell, direction, player)
        if code != RUSH_FOUR and code != LIVE_FOUR:
            continue
        for slot in range(8):
            other = cell + OFFSETS[10 * direction + slot]
            if b.cells[other] == 0 and code_at(b, other, direction, player) == FIVE:
                if first == 0:
                    first = other
                elif other != first:
                    second = other
    return first, second


@kernel
def five_cells(b: Any, player: int) -> tuple[int, int]:
    """Two cells where the player makes five; 0 where there are fewer."""
    first = second = int64(0)
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] == 0 and makes_five(b, cell, player):
                if first == 0:
                    first = int64(cell)
                else:
                    second = int64(cell)
    return first, second


@kernel
def note_win(b: Any, root: int, reply: int, five: int) -> None:
    """Write down the moves played since the root, a reply and the five; no five if it is 0."""
    length = b.stones - root
    for index in range(length):
        b.won_line[index] = b.moves[root + index]
    b.won_line[length], b.won_line[length + 1] = reply, five
    b.won_length = length + 1 + (five > 0)
