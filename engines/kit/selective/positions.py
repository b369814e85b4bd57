"""Values of positions, proven or believed, and the table of them by Zobrist key."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.engine import LONGEST_MATE, MATE
from arena.jit import kernel

from ..bits import prefetch
from ..bounds import AT_LEAST, AT_MOST, INFINITY, bound_kind, settles
from ..shapes.board import count_of, first_of, half, key_after
from ..shapes.candidates import has_room, is_allowed
from ..shapes.codes import pattern_value
from ..shapes.evaluation import position_value
from ..shapes.search import PLIES, end_line
from ..shapes.table import ONE_FIVE, TWO_FOURS, int64
from ..threats.forced_wins import allowed_of, has_fours, win_by_fours

MOST_BITS = 20
BUCKET = 4  # entries where a position is looked for: their keys share a line of the cache
GENERATIONS = 256  # moves after which an entry's age would begin anew: games are shorter
DEPTH_SHIFT = 32  # number added to a depth, which may be below 0, so that seven bits keep it
MOVER_KEY, ROOT_KEY = 0x6A09E667F3BCC908, 0x3C6EF372FE94F82B

POSITION_FIELDS = [
    ("position_bits", np.int64),  # of the index; 0: no table
    ("age_cost", np.int64),  # plies that an entry counts less for each move since it was used
    ("generation", np.int64),  # one for each move of a game
    ("found_value", np.int64),
    ("found_depth", np.int64),
    ("found_kind", np.int64),  # 0: the position is not in the table
    ("found_move", np.int64),
    ("position_keys", np.int64, (1 << MOST_BITS,)),
    ("position_data", np.int64, (1 << MOST_BITS,)),
]


@kernel
def position_key(b: Any, player: int) -> int:
    return b.key ^ _players_key(b, player)


@kernel
def _players_key(b: Any, player: int) -> int:
    """The part of a key that tells the player to move, and the one at the root."""
    return player * MOVER_KEY ^ b.root_player * ROOT_KEY


@kernel
def _bucket_of(b: Any, key: int) -> int:
    """The first of the entries where a position may be."""
    return (key ^ key >> 32) & ((1 << b.position_bits) - 1) & -BUCKET


@kernel
def prefetch_position(b: Any, cell: int, player: int) -> None:
    """Fetch into the cache the table's entries for the position after a move to be played next."""
    key = key_after(b, cell, player) ^ _players_key(b, 1 - player)
    entry = int64(_bucket_of(b, key))
    prefetch(b.position_keys, entry)
    prefetch(b.position_data, entry)


@kernel
def packed(value: int, depth: int, kind: int, move: int, generation: int) -> int:
    """One number that holds all that is known of a position."""
    number = value << 7 | (depth + DEPTH_SHIFT)
    return ((number << 2 | kind) << 11 | move) << 8 | generation


@kernel
def _move_in(data: int) -> int:
    return data >> 8 & 0x7FF


@kernel
def _kind_in(data: int) -> int:
    return data >> 19 & 3


@kernel
def _depth_in(data: int) -> int:
    return (data >> 21 & 0x7F) - DEPTH_SHIFT


@kernel
def _value_in(data: int) -> int:
    """The value of an entry, wins counted from its position on."""
    return data >> 28


@kernel
def recall(b: Any, key: int, ply: int) -> bool:
    """Look up a position, and set the fields `b.found_...`; False if it is not there.

    An entry that is found counts as new.
    """
    b.found_kind = b.found_move = 0
    if b.position_bits == 0:
        return False
    start = _bucket_of(b, key)
    for entry in range(start, start + BUCKET):
        data = b.position_data[entry]
        if data != 0 and b.position_keys[entry] == key:
            b.found_move, b.found_kind, b.found_depth = (
                _move_in(data),
                _kind_in(data),
                _depth_in(data),
            )
            b.found_value = _from_root(_value_in(data), ply)
            b.position_data[entry] = data & -GENERATIONS | b.generation
            return True
    return False


@kernel
def learn(
    b: Any, key: int, ply: int, depth: int, value: int, alpha: int, beta: int, move: int
) -> None:
    """Keep a search's result in place of the position's own entry, or of the least useful one.

    A proven result of the position gives way only to another proven one, but a deeper bound also to
    a shallower one: it did not answer the present search. A known move stays if the new result has
    none, or is an upper bound: then no move was shown to be good.
    """
    if b.position_bits == 0:
        return
    entry, kind = _entry_for(b, key), bound_kind(value, alpha, beta)
    if b.position_keys[entry] == key and b.position_data[entry] != 0:
        data = b.position_data[entry]
        if _is_proof(_kind_in(data), _value_in(data)) and not _is_proof(kind, value):
            return
        known = _move_in(data)
        if known > 0 and (move == 0 or kind == AT_MOST):
            move = known
    b.position_keys[entry] = key
    b.position_data[entry] = packed(_from_here(value, ply), depth, kind, move, b.generation)


@kernel
def _entry_for(b: Any, key: int) -> int:
    """The position's own entry, or the one that is the least useful: the oldest and shallowest."""
    start = _bucket_of(b, key)
    chosen, least = start, 1 << 30
    for entry in range(start, start + BUCKET):
        data = b.position_data[entry]
        if data != 0 and b.position_keys[entry] == key:
            return entry
        age = (b.generation - data) & (GENERATIONS - 1)
        use = _depth_in(data) - b.age_cost * age if data != 0 else -(1 << 20)
        if use < least:
            chosen, least = entry, use
    return chosen


@kernel
def forget_positions(b: Any) -> None:
    for entry in range(max(BUCKET, 1 << b.position_bits)):
        b.position_keys[entry] = b.position_data[entry] = 0
    b.generation = 0


WIN, BELIEVED = MATE, MATE // 2  # a win at the root, proven or believed; each ply takes one off
LARGEST = 9_000_000_000  # the evaluation is kept within this

OUTCOME_FIELDS = [
    ("initiative", np.int64),  # hundredths of the mover's total that its move is worth
    ("leaf_fours", np.int64),  # fours in a row looked for at leaves
    ("inner_fours", np.int64),  # and at inner nodes
    ("four_nodes", np.int64),  # nodes of one such search
]


@kernel
def static_value(b: Any, player: int) -> int:
    """The value by patterns, where they are kept, or the scorer's and the worth of the move."""
    if b.with_patterns:
        value = pattern_value(b, player)
    else:
        total = b.line_total if b.with_lines else b.total
        value = position_value(b, total, player) + b.initiative * half(total, player) // 100
    return int64(min(max(value, -LARGEST), LARGEST))


@kernel
def is_proven(value: int) -> bool:
    """True if the value claims a win of either side that every defence was tried against."""
    return abs(value) > WIN - LONGEST_MATE


@kernel
def _is_proof(kind: int, value: int) -> bool:
    """True if a bound is a proof: a win at least, or a loss at most."""
    return is_proven(value) and kind != (AT_MOST if value > 0 else AT_LEAST)


@kernel
def is_decided(value: int) -> bool:
    """True if the value is that of a win of either side, proven or believed."""
    return abs(value) > LARGEST


@kernel
def doubted(value: int) -> int:
    """The value of a node where moves were left out: one of them could have averted a loss."""
    return value + (WIN - BELIEVED) if value < LONGEST_MATE - WIN else value


@kernel
def _from_here(value: int, ply: int) -> int:
    """The value with wins counted from this ply on, as a table keeps it."""
    if value > LARGEST:
        return value + ply
    return value - ply if value < -LARGEST else value


@kernel
def _from_root(value: int, ply: int) -> int:
    if value > LARGEST:
        return value - ply
    return value + ply if value < -LARGEST else value


@kernel
def settled_value(b: Any, player: int, ply: int) -> int:
    """The value of a position that needs no search, -INFINITY of others.

    A five at hand wins, then two of the other side's or one that may not be answered, then two
    fours at once. The plan is written down, and the longest one ends in an evaluation.
    """
    if count_of(b, player, ONE_FIVE) > 0:
        end_line(b, ply, first_of(b, player, ONE_FIVE))
        return int64(WIN - ply - 1)
    threats = count_of(b, 1 - player, ONE_FIVE)
    if threats > 0:
        must = first_of(b, 1 - player, ONE_FIVE)
        if threats > 1 or not is_allowed(b, must, player):
            end_line(b, ply, must)
            return int64(ply + 2 - WIN)
    else:
        winner = allowed_of(b, player, TWO_FOURS, int64(0))
        if winner > 0:
            end_line(b, ply, winner)
            return int64(WIN - ply - 3)
    if b.stones == b.size * b.size:
        return int64(0)
    is_too_deep = ply >= PLIES - 2 or not has_room(b)
    return static_value(b, player) if is_too_deep else -INFINITY


@kernel
def answers(b: Any, depth: int, alpha: int, beta: int, at_leaf: bool) -> bool:
    """True if the entry that the table has just found answers a search between alpha and beta.

    Where an exact value is asked for, the search goes on, so that its plan is known.
    """
    proven = _is_proof(b.found_kind, b.found_value)
    if b.found_depth < depth and not proven:
        return False
    if beta - alpha > 1 and not proven and not at_leaf:
        return False
    return settles(b.found_kind, b.found_value, alpha, beta)


@kernel
def forced_value(b: Any, player: int, depth: int, ply: int) -> int:
    """The value of a win by fours; -INFINITY if none is found."""
    fours = b.leaf_fours if depth <= 0 else b.inner_fours
    if fours == 0 or not has_fours(b, player):
        return -INFINITY
    # Such a search evaluates nothing, and takes back all that it plays.
    kept, b.with_patterns = b.with_patterns, 0
    plies = win_by_fours(b, player, fours, b.four_nodes)
    b.with_patterns = kept
    if plies == 0 or b.stopped:
        return -INFINITY
    end_line(b, ply, b.four_line[b.stones])
    return int64(WIN - ply - plies)
