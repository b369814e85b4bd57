"""A slow solver of Gomoku, of its own making: a claimed win holds, or it does not.

It shares nothing with the engines: lines are windows of five cells, looked through one by one. The
attacker wins by fours (VCF), or by moves after which he would win by fours if the other side
passed; proof-number search finds the way, and every defence that could matter is tried. A stone
matters only on a cell of that win, as a four, or in line with three more stones or replies of the
defender; in renju, where it may also forbid a point or free one, all are tried. So a win that is
shown is one. `DISPROVEN` says that no such moves win; quiet ones might.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from twins.solver_board import (
    ALLOWED,
    CUT,
    ENTRIES,
    FOURS_ALLOWED,
    INF,
    LENGTH,
    MARGIN,
    NONE,
    ONE,
    STEPS,
    TOP,
    Solving,
    ends,
    is_denied,
    key_of,
    show,
)
from twins.solver_fours import add, has_fours, list_in_windows

from arena.game import Move, Position
from arena.games.gomoku import Gomoku
from arena.jit import kernel

UNKNOWN, PROVEN, DISPROVEN = range(3)
FOURS_BUDGET = 2_000
"""Positions looked at in one search for fours."""
REPLY = 2
"""The mark of a cell where the defender must reply."""


@kernel
def list_defences(s: Any, attacker: int) -> None:
    """Put all cells on the list where a stone of the defender might spoil the win in `path`."""
    start, length = s.numbers[TOP], s.numbers[LENGTH]
    for index in range(length):
        add(s, s.path[index])
    for index in range(1, length - 2, 2):
        s.marks[s.path[index]] = REPLY
    for w in range(s.windows.shape[0]):
        others = own = 0
        for k in range(5):
            cell = s.windows[w, k]
            others += s.cells[cell] == 3 - attacker or s.marks[cell] == REPLY
            own += s.cells[cell] == attacker
        if own == 0 and others >= 3:
            for k in range(5):
                add(s, s.windows[w, k])
    for index in range(start, s.numbers[TOP]):
        s.marks[s.list[index]] = 0


@kernel
def list_empty(s: Any) -> None:
    """Put all empty cells on the list."""
    for cell in range(s.cells.size):
        if s.cells[cell] == 0:
            s.list[s.numbers[TOP]] = cell
            s.numbers[TOP] += 1


@kernel
def list_attack(s: Any, attacker: int) -> int:
    """List the attacker's moves at its turn; PROVEN or DISPROVEN if none has to be tried."""
    first, _ = ends(s, attacker)
    if first > 0:
        return PROVEN
    must, second = ends(s, 3 - attacker)
    if second > 0:
        return DISPROVEN
    if has_fours(s, attacker, must):
        return PROVEN
    start = s.numbers[TOP]
    if must > 0:
        s.list[start] = must
        s.numbers[TOP] += 1
    else:
        list_in_windows(s, start, attacker, 2)
        list_in_windows(s, start, attacker, 1)
    drop_denied(s, start, attacker)
    return UNKNOWN


@kernel
def drop_denied(s: Any, start: int, attacker: int) -> None:
    """Take from the list what renju forbids to the player."""
    if s.forbids and attacker == 1:
        kept = start
        for index in range(start, s.numbers[TOP]):
            if not is_denied(s, s.list[index], attacker):
                s.list[kept] = s.list[index]
                kept += 1
        s.numbers[TOP] = kept


@kernel
def list_defence(s: Any, attacker: int, wide: int) -> int:
    """List the moves of the other side, which is to move, against the attacker's threat.

    PROVEN if there is no defence, DISPROVEN if there is no threat. Wide: all moves then.
    """
    first, _ = ends(s, 3 - attacker)
    if first > 0:
        return DISPROVEN
    must, second = ends(s, attacker)
    if second > 0:
        return PROVEN
    start = s.numbers[TOP]
    if must > 0:
        s.list[start] = must
        s.numbers[TOP] += 1
    elif has_fours(s, attacker, NONE):
        if s.forbids:
            list_empty(s)
        else:
            list_defences(s, attacker)
    elif wide:
        list_empty(s)
    else:
        return DISPROVEN
    drop_denied(s, start, 3 - attacker)
    return UNKNOWN


@kernel
def look_up(s: Any, key: Any) -> int:
    """The entry of a position; -1 if it is not known."""
    entry = np.int64(key % np.uint64(ENTRIES))
    return entry if s.known[entry] == key else -1


@kernel
def note(s: Any, key: Any, proof: int, disproof: int) -> None:
    """Keep the numbers of a position."""
    entry = np.int64(key % np.uint64(ENTRIES))
    s.known[entry], s.proof[entry], s.disproof[entry] = key, proof, disproof


@kernel
def explore(
    s: Any, key: Any, attacker: int, attacks: int, wide: int, most_p: int, most_d: int
) -> None:
    """Search a position until its proof or its disproof number reaches a bound.

    `attacker` attacks, and `attacks` is 1 if that side is to move.
    """
    s.numbers[STEPS] += 1
    start = s.numbers[TOP]
    verdict = list_attack(s, attacker) if attacks else list_defence(s, attacker, wide)
    if verdict != UNKNOWN:
        s.numbers[TOP] = start
        if verdict == PROVEN:
            note(s, key, 0, INF)
        else:
            note(s, key, INF, 0)
        return
    mover = attacker if attacks else 3 - attacker
    turn = s.keys[0, 1] ^ s.keys[0, 2]
    if not attacks:
        for index in range(start, s.numbers[TOP]):
            cell = s.list[index]
            then = key ^ turn ^ s.keys[cell, mover]
            if look_up(s, then) < 0:
                s.cells[cell] = mover
                explore(s, then, attacker, ONE, NONE, ONE, ONE)
                s.cells[cell] = 0
    while True:
        least, second, total, best, best_other = INF, INF, 0, 0, 1
        for index in range(start, s.numbers[TOP]):
            cell = s.list[index]
            entry = look_up(s, key ^ turn ^ s.keys[cell, mover])
            p = d = 1
            if entry >= 0:
                p, d = s.proof[entry], s.disproof[entry]
            chosen, summed = (p, d) if attacks else (d, p)
            total = min(INF, total + summed)
            if chosen < least:
                second, least, best, best_other = least, chosen, cell, summed
            elif chosen < second:
                second = chosen
        p, d = (least, total) if attacks else (total, least)
        if p >= most_p or d >= most_d or s.numbers[STEPS] > s.numbers[ALLOWED]:
            break
        limit, sum_limit = (most_p, most_d) if attacks else (most_d, most_p)
        limit = min(limit, second + 1 + second // 4)
        sum_limit = min(INF, sum_limit - total + best_other)
        s.cells[best] = mover
        then = key ^ turn ^ s.keys[best, mover]
        if attacks:
            explore(s, then, attacker, NONE, NONE, limit, sum_limit)
        else:
            explore(s, then, attacker, ONE, NONE, sum_limit, limit)
        s.cells[best] = 0
    s.numbers[TOP] = start
    note(s, key, p, d)


def forget(s: Solving) -> None:
    """Forget all that is known, as before another attacker's wins are looked for."""
    s.known[:] = s.tried[:] = 0


def solved(s: Solving, game: Gomoku, p: Position, attacker: int, steps: int) -> int:
    """PROVEN if the attacker wins, with either side to move; another value if that is not shown.

    If the other side is to move and threatened with nothing, all its moves are tried.
    """
    show(s, game, p)
    s.numbers[:] = 0
    s.numbers[ALLOWED] = steps
    s.numbers[FOURS_ALLOWED] = steps
    attacks = int(p.turn == attacker)
    key = np.uint64(key_of(s, p.turn))
    if attacks and ends(s, 3 - attacker)[0] == 0 and has_fours(s, attacker, NONE):
        return PROVEN
    s.numbers[FOURS_ALLOWED], s.numbers[CUT] = FOURS_BUDGET, 0
    explore(s, key, attacker, attacks, 1 - attacks, INF, INF)
    entry = look_up(s, key)
    if s.proof[entry] == 0:
        return PROVEN
    return UNKNOWN if s.disproof[entry] > 0 or s.numbers[CUT] else DISPROVEN


def defences(s: Solving, game: Gomoku, p: Position, attacker: int) -> list[Move]:
    """The moves of the side to move that might spoil the attacker's threat; all without one.

    Its own five, if it has one at hand; nothing if there is no defence.
    """
    show(s, game, p)
    s.numbers[:] = 0
    s.numbers[FOURS_ALLOWED] = FOURS_BUDGET
    if list_defence(s, attacker, 1) == DISPROVEN:
        s.list[0], s.numbers[TOP] = ends(s, p.turn)[0], 1
    return [
        (cell // s.stride - MARGIN) * game.size + cell % s.stride - MARGIN
        for cell in s.list[: s.numbers[TOP]].tolist()
    ]
