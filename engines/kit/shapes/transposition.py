"""Zobrist keys, and the table of what was found out about positions.

A position's key is the exclusive or of its stones' numbers. The table keeps base scores, which any
two ways to the same stones share, and values of searches, shared where the rest is equal, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

SCORE_BITS = 11
"""More entries are found more often, but lie in slower memory: with 2 048 the table of base scores
costs no time, with 65 536 a tenth: adding up a base score anew takes 20 ns."""
LARGEST_TABLE = 20
EXACTLY, AT_LEAST, AT_MOST = 1, 2, 3
MIX = 0x1E3779B97F4A7C15

FIELDS = [
    ("table_bits", np.int64),  # of the index of searches; 0: no table
    ("salt", np.int64),  # another for each move: none finds what an earlier one stored
    ("probes", np.int64),  # base scores asked for
    ("hits", np.int64),  # and found
    ("searches", np.int64),  # values of searches asked for
    ("saved", np.int64),  # and found
    ("known", np.int64),  # the value found
    ("score_keys", np.int64, (1 << SCORE_BITS,)),
    ("scores", np.int64, (1 << SCORE_BITS,)),  # pairs: both totals
    ("search_keys", np.int64, (1 << LARGEST_TABLE,)),
    ("search_values", np.int64, (1 << LARGEST_TABLE,)),  # value * 4 + what kind of bound
]


@kernel
def score_entry(b: Any, key: int) -> int:
    """The entry where a position's base score is kept; counts whether it is there."""
    entry = key & ((1 << SCORE_BITS) - 1)
    b.probes += 1
    b.hits += b.score_keys[entry] == key ^ b.salt
    return entry


@kernel
def search_key(b: Any, last: int, before: int, depth: int, extended: int) -> int:
    """Equal for searches with one result: same stones, last two moves, plies to go and added."""
    rest = ((last << 12 | before) << 6 | depth) << 6 | extended
    return b.key ^ b.salt ^ rest * MIX


@kernel
def is_known(b: Any, key: int, alpha: int, beta: int) -> bool:
    """Whether the table knows what a search between alpha and beta would say: `b.known`."""
    entry = (key ^ key >> 32) & ((1 << b.table_bits) - 1)
    b.searches += 1
    if b.search_keys[entry] != key:
        return False
    b.known = b.search_values[entry] >> 2
    kind = b.search_values[entry] & 3
    found = (
        kind == EXACTLY
        or (kind == AT_LEAST and b.known >= beta)
        or (kind == AT_MOST and b.known <= alpha)
    )
    b.saved += found
    return found


@kernel
def remember(b: Any, key: int, value: int, alpha: int, beta: int) -> None:
    """Keep what a finished search between alpha and beta said."""
    kind = AT_LEAST if value >= beta else AT_MOST if value <= alpha else EXACTLY
    entry = (key ^ key >> 32) & ((1 << b.table_bits) - 1)
    b.search_keys[entry] = key
    b.search_values[entry] = value << 2 | kind
