"""Wins by fours and live threes (VCT): every own move is a threat, every answer to it is tried.

A win that it claims is proven: against any defence the attacker makes five within so many moves.
A four is answered where it is completed. To a threat of two fours at once, the answers are the
points that spoil it, the same for all such threats, and the defender's own fours. A block of such a
four is one of the attacker's moves, and must be a threat again. In renju, Black plays no forbidden
point on either side of it: a threat that only such points answer has won.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..clock import visit
from ..shapes.board import play, undo
from ..shapes.candidates import CELL_BITS, PLACE, take_best
from ..shapes.evaluation import code_at, is_surely_allowed
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import MARGIN, STRIDE, int64
from ..shapes.search import PLIES, note_line
from ..shapes.table import FIVE, LIVE_FOUR, LIVE_THREE, RUSH_FOUR
from ..shapes.transposition import failed, remember_failure
from .vcf import completing_cells, five_cells, list_fours, makes_four

MOST_MOVES = (PLIES - 2) // 2
"""Number of moves before the five that a line of play has room for; the stack has room for more."""
OWN_ENTRIES = 0x2545F4914F6CDD1D
"""A factor that keeps what fails here apart from what only fails by fours."""

FIELDS = [("root", np.int64)]


@kernel
def attack_wins(b: Any, player: int, moves: int) -> bool:
    """True if the player, to move, makes five after at most so many moves (up to MOST_MOVES).

    Row 0 of `b.line` is then the longest defence. The board must keep counts. False with
    `b.stopped` means that a limit came first.
    """
    b.root = b.stones
    return attacks(b, player, int64(moves))


@kernel
def attacks(b: Any, player: int, moves: int) -> bool:
    """True if the player, to move, wins in at most so many moves before the five."""
    ply = b.stones - b.root
    own, _ = fives_at_hand(b, player)
    if own > 0:
        set_line(b, ply, own, int64(0))
        return True
    other, second = fives_at_hand(b, 1 - player)
    if second > 0 or moves == 0:
        return False
    key = b.key ^ b.salt ^ (player + 1) * OWN_ENTRIES
    if failed(b, key) >= moves:
        return False
    start = b.top
    list_threats(b, player, other, moves)
    listed = b.top - start
    won, cell = False, int64(0)
    for _ in range(listed):
        cell = take_best(b, player, start, listed)
        if cell == 0 or not visit(b):
            break
        play(b, cell, player)
        first = b.top
        won = list_answers(b, cell, player, moves)
        longest = int64(0)
        for place in range(first, b.top):
            play(b, b.stack[place], 1 - player)
            won = attacks(b, player, moves - 1)
            undo(b)
            if not won:
                break
            longest = keep_longer(b, ply + 1, b.stack[place], longest)
        b.top = first
        undo(b)
        if won or b.stopped:
            break
    b.top = start
    if won:
        note_line(b, ply, cell)
    elif not b.stopped:
        remember_failure(b, key, moves)
    return won


@kernel
def fives_at_hand(b: Any, player: int) -> tuple[int, int]:
    """Two cells where the player makes five; 0 where there are fewer."""
    if b.counts[16 * player + FIVE] == 0:
        return int64(0), int64(0)
    return five_cells(b, player)


@kernel
def list_threats(b: Any, player: int, must: int, moves: int) -> None:
    """Put the moves on the stack that may win, fours and crossing shapes first.

    Only `must` may, if the other side has five there; with one move left, moves that make two
    fours, or one that Black may be forbidden to complete; else those that make a four or a live
    three.
    """
    start = b.top
    enough = 1 if b.forbids and player == 1 else 2
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] > 0 or (must > 0 and cell != must):
                continue
            order = threes = fours = 0
            for direction in range(4):
                code = code_at(b, cell, direction, player)
                order += 1 << code
                threes += code == LIVE_THREE
                fours += (code == RUSH_FOUR) + 2 * (code == LIVE_FOUR)
            if fours >= enough or (moves > 1 and fours + threes + must > 0):
                place = PLACE - (b.top - start)
                b.stack[b.top] = (order << CELL_BITS | place) << CELL_BITS | cell
                b.top += 1


@kernel
def list_answers(b: Any, cell: int, player: int, moves: int) -> bool:
    """Put the answers to the player's stone on `cell` on the stack; False if it is no threat.

    True without any answer means that the stone has won: the line is then written down.
    """
    first, second = completing_cells(b, cell, player)
    start, ply = b.top, b.stones - b.root
    if first > 0:
        if not is_allowed(b, first, 1 - player):
            set_line(b, ply, first, int64(0))
        elif second > 0:
            set_line(b, ply, first, second)
        else:
            b.stack[b.top] = first
            b.top += 1
        return True
    if moves < 2 or not list_spoilers(b, player):
        return False
    set_line(b, ply, b.stack[start], int64(0))
    kept = start
    for place in range(start, b.top):
        reply = b.stack[place]
        if is_allowed(b, reply, 1 - player) and not makes_four(b, reply, 1 - player):
            b.stack[kept] = reply
            kept += 1
    b.top = kept
    if b.counts[16 * (1 - player) + RUSH_FOUR] + b.counts[16 * (1 - player) + LIVE_FOUR] > 0:
        list_fours(b, 1 - player, int64(0))
    return True


@kernel
def list_spoilers(b: Any, player: int) -> bool:
    """Put the points on the stack that spoil all the player's ways to make two fours with a stone.

    These are, of each way, the stone's cell and the cells that complete its fours. False if there
    is no way; where none is common to all, one is listed nevertheless.
    """
    fours = b.counts[16 * player + RUSH_FOUR] + 2 * b.counts[16 * player + LIVE_FOUR]
    start = b.top
    if fours < 2:
        return False
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] == 0 and is_sure_to_make_two_fours(b, cell, player):
                play(b, cell, player)
                first, second = completing_cells(b, cell, player)
                undo(b)
                if second > 0:
                    keep_common(b, start, int64(cell), first, second)
    return b.top > start


@kernel
def is_sure_to_make_two_fours(b: Any, cell: int, player: int) -> bool:
    """True if a stone there may be completed to five in two ways, and no reply forbids it."""
    fours = 0
    for direction in range(4):
        code = code_at(b, cell, direction, player)
        fours += (code == RUSH_FOUR) + 2 * (code == LIVE_FOUR)
    return fours > 1 and is_surely_allowed(b, cell, player)


@kernel
def keep_common(b: Any, start: int, cell: int, first: int, second: int) -> None:
    """Keep the cells of the list that are among these three; all three if the list is empty."""
    if b.top == start:
        b.stack[start], b.stack[start + 1], b.stack[start + 2] = cell, first, second
        b.top = start + 3
        return
    kept = start
    for place in range(start, b.top):
        if b.stack[place] == cell or b.stack[place] == first or b.stack[place] == second:
            b.stack[kept] = b.stack[place]
            kept += 1
    b.top = max(kept, start + 1)


@kernel
def keep_longer(b: Any, ply: int, cell: int, longest: int) -> int:
    """Note the answer and the moves after it, if that is longer; returns the greater length."""
    length = int64(1)
    while b.line[(ply + 1) * PLIES + length - 1] > 0:
        length += 1
    if length > longest:
        note_line(b, ply, cell)
    return max(length, longest)


@kernel
def set_line(b: Any, ply: int, first: int, second: int) -> None:
    """Write down the line of play from here on: one move, or two."""
    b.line[ply * PLIES], b.line[ply * PLIES + 1], b.line[ply * PLIES + 2] = first, second, 0
