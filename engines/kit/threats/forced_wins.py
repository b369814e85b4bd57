"""Wins by forcing moves, fours alone or with live threes, and the answers to such threats."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..bits import lowest
from ..clock import visit
from ..shapes.board import count_of, first_of, play, undo
from ..shapes.candidates import has_room, is_allowed, push_class
from ..shapes.codes import WORDS
from ..shapes.evaluation import code_at, completes_five, failed, is_surely_allowed, remember_failure
from ..shapes.search import PLIES, end_line, note_line
from ..shapes.table import (
    CLASSES,
    FOUR_AND_THREE,
    OFFSETS,
    ONE_FIVE,
    ONE_FOUR,
    ONE_THREE,
    QUIET_POINT,
    RUSH_FOUR,
    RUSH_THREE,
    TWO_FOURS,
    TWO_THREES,
    int64,
)

BY_FOURS, BY_THREES = 0x5851F42D4C957F2D, 0x1B873593CC9E2D51
"""Factors that keep apart, in the table of failures, positions without a win of either kind."""
UNBOUNDED = 1 << 62  # nodes of a search that only the limits of the whole search end

FORCED_WIN_FIELDS = [
    ("complete", np.int64),  # 1 if no win within the bounds may be missed
    ("forced_nodes", np.int64),
    ("forced_end", np.int64),  # number of forced nodes at which the search gives up
    ("gave_up", np.int64),
    ("cut_short", np.int64),  # 1 if more fours than allowed might win
    ("four_line", np.int64, (MAX_SIZE * MAX_SIZE + 16,)),  # by stones: the winning move
    ("root", np.int64),  # stones on the board where a search by fours and threes began
]


@kernel
def shortest_win(b: Any, player: int, fours: int) -> int:
    """Plies to the five by as few fours as possible, and at most this many; 0 if none is found.

    `b.four_line` has the moves from `b.stones` on. A result of 0 with `b.gave_up` means that a
    limit came first, and with `b.cut_short` that more fours might win.
    """
    b.complete, b.gave_up, b.top = 1, 0, 0
    if fours < 1:
        plies = five_at_hand(b, player)
        b.cut_short = plies == 0
        return max(plies, int64(0))
    for most in range(1, fours + 1):
        b.cut_short = 0
        plies = win_by_fours(b, player, int64(most), UNBOUNDED)
        if plies > 0 or b.gave_up or not b.cut_short:
            return plies
    return int64(0)


@kernel
def win_by_fours(b: Any, player: int, fours: int, nodes: int) -> int:
    """Plies to the mover's five by fours, 0 if none is found; `b.four_line` has moves by stones."""
    b.gave_up = 0
    b.forced_end = b.forced_nodes + nodes
    return _fours_to_five(b, player, fours)


@kernel
def _fours_to_five(b: Any, player: int, fours: int) -> int:
    """Plies to the five by at most this many fours, or 0."""
    plies = _quick_win(b, player)
    if plies != 0:
        return max(plies, int64(0))
    if not has_fours(b, player):
        return int64(0)
    # One four alone wins only where its answer may be forbidden.
    if fours <= 0 or (fours == 1 and (b.forbids == 0 or b.complete)):
        b.cut_short = 1
        return int64(0)
    key = b.key ^ b.salt ^ (player + 1) * BY_FOURS
    # A failure holds for as many fours or fewer: more of them might still win.
    if failed(b, key) >= fours or not may_go_on(b):
        return int64(0)
    is_last = _only_two_fours_follow(b, player, fours)
    start, must = b.top, first_of(b, 1 - player, ONE_FIVE)
    push_class(b, player, FOUR_AND_THREE, must)
    push_class(b, player, ONE_FOUR, must)
    for place in range(start, b.top):
        cell = b.stack[place]
        if not is_allowed(b, cell, player) or (is_last and not may_follow(b, cell, player)):
            continue
        play(b, cell, player)
        reply = first_of(b, player, ONE_FIVE)
        if reply > 0 and not is_allowed(b, reply, 1 - player):
            plies = int64(3)
            b.four_line[b.stones] = 0  # what is played instead is not known
        elif reply > 0:
            play(b, reply, 1 - player)
            rest = _fours_to_five(b, player, fours - 1)
            undo(b)
            if rest > 0:
                b.four_line[b.stones] = reply
                plies = rest + 2
        undo(b)
        if plies > 0:
            b.four_line[b.stones] = cell
            break
    b.top = start
    if plies == 0 and b.gave_up == 0:
        remember_failure(b, key, fours)
    return plies


@kernel
def _only_two_fours_follow(b: Any, player: int, fours: int) -> bool:
    """True if after one of these fours only two fours at once are looked for, and none stand."""
    # In renju, White may also win by an answer that Black may not play. With `complete`, the search
    # must learn that more fours might win.
    if b.complete or count_of(b, player, TWO_FOURS) > 0:
        return False
    return fours == 2 if b.forbids == 0 else fours == 1 and player == 0


@kernel
def may_follow(b: Any, cell: int, player: int) -> bool:
    """False if a four on the cell, and its answer, surely leave no point that makes two fours.

    The class is ONE_FOUR or FOUR_AND_THREE, no five is at hand, and there is no such point before.
    So the stone must help to make one, in line with it. Either the point makes a four already,
    beside the one that it now gets; or the line has a stone more than the four needs; or the stone
    makes a three in it, and is of class FOUR_AND_THREE.
    """
    if b.classes[2 * cell + player] == FOUR_AND_THREE:
        return True
    for direction in range(4):
        code = code_at(b, cell, direction, player)
        if code < RUSH_THREE:
            continue
        stones, points, own = 0, 0, int64(code == RUSH_FOUR)
        for slot in range(8):
            other = cell + OFFSETS[10 * direction + slot]
            stones += b.cells[other] == player + 1
            points += b.cells[other] == 0 and b.classes[2 * other + player] >= ONE_FOUR
        # In the four's own line, three stones make it, and a point answers it.
        if stones > 2 + own or points > own:
            return True
    return False


@kernel
def win_by_threats(b: Any, player: int, moves: int, nodes: int) -> int:
    """Plies to the player's five by at most this many threats before the last; 0 if none is found.

    `b.four_line` has the first move, by the number of stones on the board.
    """
    b.gave_up = 0
    b.forced_end = b.forced_nodes + nodes
    b.root = b.stones
    return _threats_to_five(b, player, moves)


@partial(kernel, inline="always")
def plies_after(b: Any, player: int, cell: int, moves: int) -> int:
    """Plies to the five if the player's first threat is on this cell; 0 if that does not win.

    Where it wins, a row of `b.line` becomes the longest defence.
    """
    # It is compiled into its callers: two cached kernels that call each other cannot be loaded.
    play(b, cell, player)
    start, ply, plies = b.top, b.stones - b.root, int64(0)
    if _push_answers(b, player):
        plies = int64(3) if count_of(b, player, ONE_FIVE) > 0 else int64(5)
        longest = int64(0)
        end_line(b, ply, b.stack[start])
        for place in range(start, b.top):
            answer = b.stack[place]
            if plies == 0 or not is_allowed(b, answer, 1 - player):
                continue
            play(b, answer, 1 - player)
            rest = _threats_to_five(b, player, moves - 1)
            undo(b)
            # The threat wins only if every answer loses; the slowest of these losses counts.
            plies = max(plies, rest + 2) if rest > 0 else int64(0)
            if rest > longest:
                longest = rest
                note_line(b, ply, answer)
    b.top = start
    undo(b)
    if plies > 0:
        note_line(b, ply - 1, cell)
    return plies


@kernel
def _threats_to_five(b: Any, player: int, moves: int) -> int:
    """Plies to the five against the longest defence, or 0; with moves = -1, of a five at hand.

    The move that makes two fours, or the four that cannot be answered, is not counted in `moves`.
    """
    plies = _quick_win(b, player) if moves >= 0 else five_at_hand(b, player)
    if plies != 0:
        copy_line(b, plies)
        return max(plies, int64(0))
    key = b.key ^ b.salt ^ (player + 1) * BY_THREES
    if moves <= 0 or failed(b, key) >= moves:
        return int64(0)
    start = b.top
    _push_threats(b, player)
    for place in range(start, b.top):
        cell = b.stack[place]
        if not is_allowed(b, cell, player):
            continue
        if not may_go_on(b):
            break
        plies = plies_after(b, player, cell, moves)
        if plies > 0:
            _note_end(b, cell)
        if plies > 0 or b.gave_up:
            break
    b.top = start
    if plies == 0 and b.gave_up == 0:
        remember_failure(b, key, moves)
    return plies


@kernel
def may_go_on(b: Any) -> bool:
    """Count a node of the search under way; False makes it give up."""
    if b.forced_nodes >= b.forced_end or not has_room(b) or not visit(b):
        b.gave_up = 1
        return False
    b.forced_nodes += 1
    return True


@kernel
def five_at_hand(b: Any, player: int) -> int:
    """1 if the player has a five at hand; -1 if only the other side has, in two places; else 0."""
    if count_of(b, player, ONE_FIVE) > 0:
        _note_end(b, first_of(b, player, ONE_FIVE))
        return int64(1)
    return int64(-1) if count_of(b, 1 - player, ONE_FIVE) > 1 else int64(0)


@kernel
def _quick_win(b: Any, player: int) -> int:
    """Plies of a win that needs no search, 1 or 3; -1 if the other side wins first, else 0."""
    plies = five_at_hand(b, player)
    if plies != 0:
        return plies
    must = first_of(b, 1 - player, ONE_FIVE)
    cell = allowed_of(b, player, TWO_FOURS, must)
    if cell > 0:
        _note_two_fours(b, cell, player)
        return int64(3)
    if b.complete and b.forbids and player == 1:
        return _four_without_answer(b, must)
    return int64(0)


@kernel
def _four_without_answer(b: Any, must: int) -> int:
    """3 if White has a four that only a point forbidden to Black would answer; else 0."""
    start = b.top
    push_class(b, int64(1), FOUR_AND_THREE, must)
    push_class(b, int64(1), ONE_FOUR, must)
    end, b.top = b.top, start
    for place in range(start, end):
        cell = b.stack[place]
        play(b, cell, int64(1))
        answer = first_of(b, int64(1), ONE_FIVE)
        is_answered = is_allowed(b, answer, int64(0))
        _note_end(b, answer)
        undo(b)
        if not is_answered:
            b.four_line[b.stones] = cell
            return int64(3)
    return int64(0)


@kernel
def allowed_of(b: Any, player: int, kind: int, must: int) -> int:
    """A cell of the class where the player may play, `must` if there is one; 0 without."""
    if count_of(b, player, kind) == 0:
        return int64(0)
    for word in range(b.first_word, b.last_word + 1):
        cells = b.class_sets[(CLASSES * player + kind) * WORDS + word]
        while cells != 0:
            cell = (word << 6) + lowest(cells)
            cells &= cells - np.uint64(1)
            if (must == 0 or cell == must) and is_allowed(b, cell, player):
                return int64(cell)
    return int64(0)


@kernel
def _note_end(b: Any, cell: int) -> None:
    b.four_line[b.stones] = cell
    b.four_line[b.stones + 1] = 0


@kernel
def _note_two_fours(b: Any, cell: int, player: int) -> None:
    """Write down a move that makes two fours, an answer, and the five unless that is forbidden."""
    play(b, cell, player)
    start = b.top
    push_class(b, player, ONE_FIVE, int64(0))
    answer, five = b.stack[start], b.stack[start + 1]
    b.four_line[b.stones], b.four_line[b.stones + 2], b.top = answer, 0, start
    b.four_line[b.stones + 1] = five if is_allowed(b, answer, 1 - player) else 0
    undo(b)
    b.four_line[b.stones] = cell


@kernel
def copy_line(b: Any, plies: int) -> None:
    """Copy a line of `plies` moves into this position's row of `b.line`; nothing if plies < 0."""
    row = (b.stones - b.root) * PLIES
    for step in range(plies + 1):
        b.line[row + step] = b.four_line[b.stones + step]


@kernel
def has_fours(b: Any, player: int) -> bool:
    """True if the player can make a four: so there are two cells at least that make one."""
    return count_of(b, player, ONE_FOUR) + count_of(b, player, FOUR_AND_THREE) > 0


@kernel
def _push_threats(b: Any, player: int) -> None:
    """Put the moves on the stack that threaten a win, crossing ones first."""
    # A four must be blocked; with `complete`, also by a move that makes no threat of its own.
    must = first_of(b, 1 - player, ONE_FIVE)
    for kind in (FOUR_AND_THREE, TWO_THREES, ONE_FOUR, ONE_THREE):
        push_class(b, player, kind, must)
    if must > 0 and b.complete:
        push_class(b, player, QUIET_POINT, must)


@kernel
def _push_answers(b: Any, player: int) -> bool:
    """Put all answers to the player's last stone on the stack; False if it threatens nothing."""
    if count_of(b, player, ONE_FIVE) > 0:
        b.stack[b.top] = first_of(b, player, ONE_FIVE)
        b.top += 1
        return True
    if not list_defences(b, 1 - player):
        return False
    # Where nothing spoils all the ways, one answer is tried for the sake of the line of play.
    for place in range(max(b.spoiler_count, b.complete)):
        b.stack[b.top] = b.spoilers[place]
        b.top += 1
    for kind in (ONE_FOUR, FOUR_AND_THREE, TWO_FOURS):
        push_class(b, 1 - player, kind, int64(0))
    return True


MOST_SPOILERS = 64  # more than the cells that complete the fours of a single stone

DEFENCE_FIELDS = [("spoilers", np.int64, (MOST_SPOILERS,)), ("spoiler_count", np.int64)]


@kernel
def is_threatened(b: Any, player: int) -> bool:
    """True if the other side could surely make two fours at once: then there are defences."""
    if count_of(b, 1 - player, TWO_FOURS) == 0:
        return False
    start = (CLASSES * (1 - player) + TWO_FOURS) * WORDS
    for word in range(b.first_word, b.last_word + 1):
        cells = b.class_sets[start + word]
        while cells != 0:
            cell = (word << 6) + lowest(cells)
            cells &= cells - np.uint64(1)
            if is_surely_allowed(b, cell, 1 - player):
                return True
    return False


@kernel
def list_defences(b: Any, player: int) -> bool:
    """Find the points that spoil all ways in which the other side could make two fours at once.

    False if there is no such way that is sure. `b.spoilers` are the points; a four of the player's
    own is an answer too. Of each way, the stone's cell and the two that complete its fours spoil
    it; where three or more complete them, only the stone's own cell does.
    """
    b.spoiler_count = -1
    if count_of(b, 1 - player, TWO_FOURS) == 0:
        return False
    start = (CLASSES * (1 - player) + TWO_FOURS) * WORDS
    for word in range(b.first_word, b.last_word + 1):
        cells = b.class_sets[start + word]
        while cells != 0 and b.spoiler_count != 0:
            cell = (word << 6) + lowest(cells)
            cells &= cells - np.uint64(1)
            if is_surely_allowed(b, cell, 1 - player):
                _keep_spoilers(b, int64(cell), 1 - player)
    return b.spoiler_count >= 0


@kernel
def _keep_spoilers(b: Any, cell: int, player: int) -> None:
    """Keep of the spoilers those that spoil the player's two fours from this cell, too."""
    start, end = b.top, list_completing(b, cell, player)
    end = end if end - start < 4 else start + 1
    if b.spoiler_count < 0:
        b.spoiler_count = end - start
        for place in range(b.spoiler_count):
            b.spoilers[place] = b.stack[start + place]
        return
    kept = 0
    for place in range(b.spoiler_count):
        for other in range(start, end):
            if b.spoilers[place] == b.stack[other]:
                b.spoilers[kept] = b.spoilers[place]
                kept += 1
                break
    b.spoiler_count = kept


@kernel
def list_completing(b: Any, cell: int, player: int) -> int:
    """Put a cell above the stack, then the cells that make five once the player has a stone on it.

    The player must have no five at hand. Returns the end of the list; `b.top` stays.
    """
    first, end = b.top, b.top + 1
    b.stack[first] = cell
    for direction in range(4):
        if code_at(b, cell, direction, player) < RUSH_FOUR:
            continue
        for slot in range(8):
            other = cell + OFFSETS[10 * direction + slot]
            if b.cells[other] == 0 and completes_five(b, other, direction, slot, player):
                place = end  # sorted, so that the list is the same however it is made
                while place > first + 1 and b.stack[place - 1] > other:
                    b.stack[place] = b.stack[place - 1]
                    place -= 1
                b.stack[place] = other
                end += 1
    return end
