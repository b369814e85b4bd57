"""The table of positions: what was learnt of each, by Zobrist key, whoever reached it and how.

The key holds all that a value depends on: the stones, who moves, and whose root it is, since a
scorer may weigh the sides differently. Depth, bound, move and generation are data, so that what is
learnt at one depth orders the moves at the next, and in the search of the next move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel
from engines.kit.bounds import bound_kind
from engines.kit.selective.outcomes import from_here, from_root

MOST_BITS = 20
BUCKET = 4
"""Entries among which a position is looked for."""
GENERATIONS = 64
AGE_COST = 8
"""Plies of depth that an entry counts less for each move of the game since it was written."""
MOVER_KEY, ROOT_KEY = 0x6A09E667F3BCC908, 0x3C6EF372FE94F82B

FIELDS = [
    ("position_bits", np.int64),  # of the index; 0: no table
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
    return b.key ^ player * MOVER_KEY ^ b.root_player * ROOT_KEY


@kernel
def bucket_of(b: Any, key: int) -> int:
    """The first of the entries where a position may be."""
    return (key ^ key >> 32) & ((1 << b.position_bits) - 1) & -BUCKET


@kernel
def packed(value: int, depth: int, kind: int, move: int, generation: int) -> int:
    """One number that holds all that is known of a position."""
    number = value << 8 | (depth + 64)
    return ((number << 2 | kind) << 11 | move) << 6 | generation


@kernel
def recall(b: Any, key: int, ply: int) -> bool:
    """Look a position up: `b.found_...` are what is known of it. False if it is not there."""
    b.found_kind = b.found_move = 0
    if b.position_bits == 0:
        return False
    start = bucket_of(b, key)
    for entry in range(start, start + BUCKET):
        if b.position_keys[entry] == key and b.position_data[entry] != 0:
            data = b.position_data[entry]
            b.found_move = (data >> 6) & 0x7FF
            b.found_kind = (data >> 17) & 3
            b.found_depth = ((data >> 19) & 0xFF) - 64
            b.found_value = from_root(data >> 27, ply)
            return True
    return False


@kernel
def learn(
    b: Any, key: int, ply: int, depth: int, value: int, alpha: int, beta: int, move: int
) -> None:
    """Keep a search's result in place of the position's own entry, or of the least useful one.

    An entry is the less useful the older and the shallower it is. A result without a move keeps
    the move that was known.
    """
    if b.position_bits == 0:
        return
    start = bucket_of(b, key)
    chosen, least = start, 1 << 30
    for entry in range(start, start + BUCKET):
        data = b.position_data[entry]
        if data != 0 and b.position_keys[entry] == key:
            chosen = entry
            if move == 0:
                move = (data >> 6) & 0x7FF
            break
        age = (b.generation - (data & 63)) & (GENERATIONS - 1)
        use = ((data >> 19) & 0xFF) - AGE_COST * age if data != 0 else -(1 << 20)
        if use < least:
            chosen, least = entry, use
    b.position_keys[chosen] = key
    kind = bound_kind(value, alpha, beta)
    b.position_data[chosen] = packed(from_here(value, ply), depth, kind, move, b.generation)


@kernel
def forget_positions(b: Any) -> None:
    """Empty the table."""
    for entry in range(max(BUCKET, 1 << b.position_bits)):
        b.position_keys[entry] = b.position_data[entry] = 0
    b.generation = 0
