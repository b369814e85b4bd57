"""The table of positions: the result of each one's last search, by Zobrist key.

The key holds all that a value depends on: the stones, the side to move, and the side at the root,
since a scorer may weigh the sides differently. Depth, bound, move and generation are data, so that
what is learnt at one depth orders the moves at the next, and in the search of the next move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bits import prefetch
from ..bounds import AT_MOST, bound_kind
from ..shapes.board import key_after
from ..shapes.geometry import int64
from .outcomes import from_here, from_root, is_proof

MOST_BITS = 20
BUCKET = 4
"""Entries among which a position is looked for: their keys share a line of a processor's cache."""
GENERATIONS = 256
"""Moves of a game after which an entry's age would begin anew: longer games are hardly played."""
DEPTH_SHIFT = 32
"""Number added to a depth, which may be below 0, so that seven bits keep it."""
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
    """The key of the position with this player to move."""
    return b.key ^ players_key(b, player)


@kernel
def players_key(b: Any, player: int) -> int:
    """The part of a key that tells the player to move, and the one at the root."""
    return player * MOVER_KEY ^ b.root_player * ROOT_KEY


@kernel
def bucket_of(b: Any, key: int) -> int:
    """The first of the entries where a position may be."""
    return (key ^ key >> 32) & ((1 << b.position_bits) - 1) & -BUCKET


@kernel
def prefetch_position(b: Any, cell: int, player: int) -> None:
    """Fetch into the cache the table's entries for the position after a move to be played next."""
    key = key_after(b, cell, player) ^ players_key(b, 1 - player)
    entry = int64(bucket_of(b, key))
    prefetch(b.position_keys, entry)
    prefetch(b.position_data, entry)


@kernel
def packed(value: int, depth: int, kind: int, move: int, generation: int) -> int:
    """One number that holds all that is known of a position."""
    number = value << 7 | (depth + DEPTH_SHIFT)
    return ((number << 2 | kind) << 11 | move) << 8 | generation


@kernel
def move_in(data: int) -> int:
    """The move that an entry holds."""
    return data >> 8 & 0x7FF


@kernel
def kind_in(data: int) -> int:
    """The kind of bound that an entry's value is."""
    return data >> 19 & 3


@kernel
def depth_in(data: int) -> int:
    """The depth of an entry's search."""
    return (data >> 21 & 0x7F) - DEPTH_SHIFT


@kernel
def value_in(data: int) -> int:
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
    start = bucket_of(b, key)
    for entry in range(start, start + BUCKET):
        data = b.position_data[entry]
        if data != 0 and b.position_keys[entry] == key:
            b.found_move, b.found_kind, b.found_depth = move_in(data), kind_in(data), depth_in(data)
            b.found_value = from_root(value_in(data), ply)
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
    entry, kind = entry_for(b, key), bound_kind(value, alpha, beta)
    if b.position_keys[entry] == key and b.position_data[entry] != 0:
        data = b.position_data[entry]
        if is_proof(kind_in(data), value_in(data)) and not is_proof(kind, value):
            return
        known = move_in(data)
        if known > 0 and (move == 0 or kind == AT_MOST):
            move = known
    b.position_keys[entry] = key
    b.position_data[entry] = packed(from_here(value, ply), depth, kind, move, b.generation)


@kernel
def entry_for(b: Any, key: int) -> int:
    """The position's own entry, or the one that is the least useful: the oldest and shallowest."""
    start = bucket_of(b, key)
    chosen, least = start, 1 << 30
    for entry in range(start, start + BUCKET):
        data = b.position_data[entry]
        if data != 0 and b.position_keys[entry] == key:
            return entry
        age = (b.generation - data) & (GENERATIONS - 1)
        use = depth_in(data) - b.age_cost * age if data != 0 else -(1 << 20)
        if use < least:
            chosen, least = entry, use
    return chosen


@kernel
def forget_positions(b: Any) -> None:
    """Empty the table."""
    for entry in range(max(BUCKET, 1 << b.position_bits)):
        b.position_keys[entry] = b.position_data[entry] = 0
    b.generation = 0
