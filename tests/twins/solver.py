"""A slow solver of Gomoku, of its own making: a claimed win holds, or it does not.

It shares nothing with the engines: lines are windows of five cells, looked through one by one. The
attacker wins by fours (VCF), or by moves after which he would win by fours if the other side
passed; proof-number search finds the way, and every defence that could matter is tried. A stone
matters only on a cell of that win, as a four, or in line with three more stones or replies of the
defender; in renju, where it may also forbid a point or free one, all are tried. So a win that is
shown is one. `DISPROVEN` says that no such moves win; quiet ones might.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np

from arena.game import Move, Position
from arena.games.gomoku import Gomoku
from arena.jit import kernel

INF = np.int64(1 << 40)
NONE, ONE = np.int64(0), np.int64(1)
"""Numbers of the type that recursive kernels are called with: a literal is another type."""
ENTRIES = 1 << 20
OFF = 3
MARGIN = 6
LENGTH, STEPS, ALLOWED, CUT, FOURS_STEPS, FOURS_ALLOWED, TOP, SHORT = range(8)
"""Numbers: of moves in `path`; steps of the search, and those allowed; 1 if a search for fours was
cut off; its steps, and those allowed; moves on the list; 1 if more fours might win."""


class Solving(NamedTuple):
    """All that the kernels share."""

    cells: Any  # 0, 1, 2, or OFF; `stride` cells a row, with a margin
    stride: int
    windows: Any  # each row: the five cells of a window on the board
    through: Any  # for each cell, the numbers of its windows; -1 at the end
    exact: Any  # for each player, 1 if six in a row are no five
    forbids: int  # 1: renju's rules for Black
    keys: Any  # random numbers by cell and player
    tried: Any  # keys of searches for fours that failed
    tried_fours: Any  # with so many fours
    path: Any  # the moves of the last win by fours: stone, reply, ..., stone, five, five
    numbers: Any  # counters, by the names above
    known: Any  # keys of positions
    proof: Any
    disproof: Any
    list: Any  # a stack of moves
    marks: Any  # of cells, 0 but while a list is made


@kernel
def run(s: Any, cell: int, step: int, who: int) -> int:
    """The length of the row that a stone on the cell is part of, or would be, in one direction."""
    length = 1
    for way in (step, -step):
        other = cell + way
        while s.cells[other] == who:
            length += 1
            other += way
    return length


@kernel
def makes_row(s: Any, cell: int, who: int) -> bool:
    for step in (1, s.stride, s.stride + 1, s.stride - 1):
        length = run(s, cell, step, who)
        if length == 5 or (length > 5 and not s.exact[who]):
            return True
    return False


@kernel
def completing_cell(s: Any, w: int, who: int) -> int:
    """The cell of a window where the player makes five; 0 without."""
    own, empty = 0, NONE
    for k in range(5):
        stone = s.cells[s.windows[w, k]]
        if stone == who:
            own += 1
        elif stone == 0:
            empty = s.windows[w, k]
    return empty if own == 4 and empty > 0 and makes_row(s, empty, who) else NONE


@kernel
def ends(s: Any, who: int) -> tuple[int, int]:
    """Two cells where the player makes five; 0 where there are fewer."""
    first = NONE
    for w in range(s.windows.shape[0]):
        cell = completing_cell(s, w, who)
        if cell > 0 and cell != first:
            if first > 0:
                return first, cell
            first = cell
    return first, NONE


@kernel
def ends_through(s: Any, cell: int, who: int) -> tuple[int, int]:
    """Two cells where the player makes five with the stone on this cell; 0 for fewer."""
    first = NONE
    for index in range(20):
        w = s.through[cell, index]
        if w < 0:
            break
        other = completing_cell(s, w, who)
        if other > 0 and other != first:
            if first > 0:
                return first, other
            first = other
    return first, NONE


@kernel
def fours_on(s: Any, cell: int, step: int) -> int:
    """The number of Black's fours in one direction: two, if they do not share four stones."""
    first = second = NONE
    for k in range(-4, 5):
        other = cell + k * step
        if s.cells[other] == 0 and reaches(s, cell, other, step) and run(s, other, step, 1) == 5:
            if first == 0:
                first = other
            else:
                second = other
    if second > 0:
        return 1 if second - first == 5 * step else 2
    return 1 if first > 0 else 0


@kernel
def reaches(s: Any, cell: int, other: int, step: int) -> bool:
    """True if only Black's stones are between two cells of a line."""
    way = step if other > cell else -step
    here = cell + way
    while here != other:
        if s.cells[here] != 1:
            return False
        here += way
    return True


@kernel
def is_open_four(s: Any, cell: int, other: int, step: int) -> bool:
    """True if a black stone on the other cell makes an open four with the one on the cell."""
    if s.cells[other] != 0 or not reaches(s, cell, other, step) or run(s, other, step, 1) != 4:
        return False
    if makes_row(s, other, ONE):
        return False
    low = high = other
    while low == other or s.cells[low] == 1:
        low -= step
    while high == other or s.cells[high] == 1:
        high += step
    if s.cells[low] != 0 or s.cells[high] != 0:
        return False
    s.cells[other] = 1
    is_open = run(s, low, step, 1) == 5 and run(s, high, step, 1) == 5
    s.cells[other] = 0
    return is_open


@kernel
def is_denied(s: Any, cell: int, who: int) -> bool:
    """True if renju forbids the empty cell to the player."""
    if not s.forbids or who != 1 or makes_row(s, cell, who):
        return False
    fours = threes = 0
    s.cells[cell] = who
    for step in (1, s.stride, s.stride + 1, s.stride - 1):
        if run(s, cell, step, who) > 5:
            fours = 2
            break
        made = fours_on(s, cell, step)
        fours += made
        for k in range(-3, 4):
            if made > 0:
                break
            other = cell + k * step
            if is_open_four(s, cell, other, step) and not is_denied(s, other, ONE):
                threes += 1
                break
    s.cells[cell] = 0
    return fours > 1 or threes > 1


@kernel
def key_of(s: Any, mover: int) -> Any:
    """A number for the stones on the board and the side to move."""
    key = s.keys[0, mover]
    for cell in range(s.cells.size):
        if s.cells[cell] == 1 or s.cells[cell] == 2:
            key ^= s.keys[cell, s.cells[cell]]
    return key


def new_solving(game: Gomoku) -> Solving:
    """An empty board of a game, and nothing known."""
    stride = game.size + 2 * MARGIN
    cells = np.full(stride * stride, OFF, np.int8)
    inside = [(row, column) for row in range(game.size) for column in range(game.size)]
    windows = []
    for row, column in inside:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if row + 4 * down < game.size and 0 <= column + 4 * right < game.size:
                first = place(row, column, stride)
                windows.append([first + k * (down * stride + right) for k in range(5)])
    through = np.full((cells.size, 21), -1, np.int64)
    for number, window in enumerate(windows):
        for cell in window:
            through[cell, np.argmin(through[cell])] = number
    draw = random.Random(0)
    keys = [[draw.getrandbits(64) for _ in range(3)] for _ in range(cells.size)]
    return Solving(
        cells=cells,
        stride=stride,
        windows=np.array(windows),
        through=through,
        exact=np.array([0, game.rule != "freestyle", game.rule == "standard"], np.int64),
        forbids=int(game.rule == "renju"),
        keys=np.array(keys, np.uint64),
        tried=np.zeros(ENTRIES, np.uint64),
        tried_fours=np.zeros(ENTRIES, np.int64),
        path=np.zeros(1000, np.int64),
        numbers=np.zeros(8, np.int64),
        known=np.zeros(ENTRIES, np.uint64),
        proof=np.zeros(ENTRIES, np.int64),
        disproof=np.zeros(ENTRIES, np.int64),
        list=np.zeros(100_000, np.int64),
        marks=np.zeros(cells.size, np.int8),
    )


def place(row: int, column: int, stride: int) -> int:
    return (row + MARGIN) * stride + column + MARGIN


def show(s: Solving, game: Gomoku, p: Position) -> None:
    for move, stone in enumerate(p.cells):
        s.cells[place(*divmod(move, game.size), s.stride)] = stone


STAGES = (2, 6, 40)  # Fours in a row that a win is first, then, and at last looked for with
LISTED = 1  # The mark of a cell that is on the list


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


UNKNOWN, PROVEN, DISPROVEN = range(3)
FOURS_BUDGET = 2_000  # Positions looked at in one search for fours
REPLY = 2  # The mark of a cell where the defender must reply


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
