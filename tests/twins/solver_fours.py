"""The slow solver's search for wins by fours (VCF)."""

from __future__ import annotations

from typing import Any

import numpy as np
from twins.solver_board import (
    CUT,
    ENTRIES,
    FOURS_ALLOWED,
    FOURS_STEPS,
    LENGTH,
    NONE,
    SHORT,
    STEPS,
    TOP,
    ends_through,
    is_denied,
    key_of,
)

from arena.jit import kernel

STAGES = (2, 6, 40)
"""Fours in a row that a win is first, then, and at last looked for with."""
LISTED = 1
"""The mark of a cell that is on the list."""


@kernel
def list_in_windows(s: Any, start: int, who: int, least: int) -> None:
    """Add the empty cells to the list of windows with that many own stones and no others."""
    for index in range(start, s.numbers[TOP]):
        s.marks[s.list[index]] = LISTED
    for w in range(s.windows.shape[0]):
        own = other = 0
        for k in range(5):
            stone = s.cells[s.windows[w, k]]
            own += stone == who
            other += stone == 3 - who
        if other == 0 and own >= least:
            for k in range(5):
                add(s, s.windows[w, k])
    for index in range(start, s.numbers[TOP]):
        s.marks[s.list[index]] = 0


@kernel
def add(s: Any, cell: int) -> None:
    """Add a cell to the list, if it is empty and not marked as being there."""
    if s.cells[cell] == 0 and s.marks[cell] == 0:
        s.marks[cell] = LISTED
        s.list[s.numbers[TOP]] = cell
        s.numbers[TOP] += 1


@kernel
def fours_win(s: Any, key: Any, who: int, must: int, fours: int, length: int) -> bool:
    """True if at most this number of fours wins; the other side has five on `must` only."""
    s.numbers[STEPS] += 1
    s.numbers[FOURS_STEPS] += 1
    if s.numbers[FOURS_STEPS] > s.numbers[FOURS_ALLOWED]:
        s.numbers[CUT] = 1
        return False
    if fours == 0:
        s.numbers[SHORT] = 1
        return False
    entry = key % np.uint64(ENTRIES)
    if s.tried[entry] == key and s.tried_fours[entry] >= fours:
        s.numbers[SHORT] |= s.tried_fours[entry] < 1000
        return False
    before = s.numbers[SHORT]
    s.numbers[SHORT] = 0
    start = s.numbers[TOP]
    if must > 0:
        s.list[start] = must
        s.numbers[TOP] += 1
    else:
        list_in_windows(s, start, who, 3)
    won = False
    for index in range(start, s.numbers[TOP]):
        cell = s.list[index]
        if is_denied(s, cell, who):
            continue
        s.cells[cell] = who
        first, second = ends_through(s, cell, who)
        if first > 0:
            s.path[length], s.path[length + 1] = cell, first
            if second > 0 or is_denied(s, first, 3 - who):
                s.path[length + 2] = second
                s.numbers[LENGTH] = length + 3
                won = True
            else:
                s.cells[first] = 3 - who
                again, more = ends_through(s, first, 3 - who)
                if more == 0:
                    then = key ^ s.keys[cell, who] ^ s.keys[first, 3 - who]
                    won = fours_win(s, then, who, again, fours - 1, length + 2)
                s.cells[first] = 0
        s.cells[cell] = 0
        if won:
            break
    s.numbers[TOP] = start
    if not won and s.numbers[FOURS_STEPS] <= s.numbers[FOURS_ALLOWED]:
        s.tried[entry] = key
        s.tried_fours[entry] = fours if s.numbers[SHORT] else 1000
    s.numbers[SHORT] |= before
    return won


@kernel
def has_fours(s: Any, who: int, must: int) -> bool:
    """True if the player, to move, wins by fours; `path` is how."""
    key = key_of(s, who)
    s.numbers[FOURS_STEPS] = 0
    for fours in STAGES:
        s.numbers[SHORT] = 0
        if fours_win(s, key, who, must, np.int64(fours), NONE):
            return True
        if s.numbers[SHORT] == 0 or s.numbers[FOURS_STEPS] > s.numbers[FOURS_ALLOWED]:
            return False
    s.numbers[CUT] = 1
    return False
