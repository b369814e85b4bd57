"""Transposition tables: base scores of positions, and values of their searches, by Zobrist keys.

A position's key is the exclusive or of its stones' keys. Two ways to the same stones share their
base score, and the value of a search if all else that decides it is equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import bound_kind, settles

SCORE_BITS = 11
"""Bits of the index of base scores. More entries are found more often, but lie in slower memory:
2 048 cost no time, 65 536 a tenth of it; adding up a base score anew takes 20 ns."""
LARGEST_TABLE = 20
FAILED_BITS = 16
MIX = 0x1E3779B97F4A7C15

TRANSPOSITION_FIELDS = [
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
    ("search_values", np.int64, (1 << LARGEST_TABLE,)),  # value * 4 + kind of bound
    ("failed_keys", np.int64, (1 << FAILED_BITS,)),  # positions without a forced win
    ("failed_moves", np.int64, (1 << FAILED_BITS,)),  # within this number of moves
]


@kernel
def entry_of(key: int, bits: int) -> int:
    """The entry for a key in a table whose index has this number of bits."""
    return (key ^ key >> 32) & ((1 << bits) - 1)


@kernel
def score_entry(b: Any, key: int) -> int:
    """The entry where a position's base score is kept; counts it as a hit if it is there."""
    entry = key & ((1 << SCORE_BITS) - 1)
    b.probes += 1
    b.hits += b.score_keys[entry] == key ^ b.salt
    return entry


@kernel
def search_key(b: Any, depth: int, extended: int) -> int:
    """A key of equal searches: stones, last two moves, plies to go and plies added."""
    last, before = b.moves[b.stones - 1], b.moves[b.stones - 2]
    rest = ((last << 12 | before) << 6 | depth) << 6 | extended
    return b.key ^ b.salt ^ rest * MIX


@kernel
def is_known(b: Any, key: int, alpha: int, beta: int) -> bool:
    """True if the table has the answer of a search between alpha and beta: `b.known`."""
    entry = entry_of(key, b.table_bits)
    b.searches += 1
    if b.search_keys[entry] != key:
        return False
    b.known = b.search_values[entry] >> 2
    found = settles(b.search_values[entry] & 3, b.known, alpha, beta)
    b.saved += found
    return found


@kernel
def remember(b: Any, key: int, value: int, alpha: int, beta: int) -> None:
    """Keep the value that a finished search between alpha and beta gave."""
    entry = entry_of(key, b.table_bits)
    b.search_keys[entry] = key
    b.search_values[entry] = value << 2 | bound_kind(value, alpha, beta)


@kernel
def failed(b: Any, key: int) -> int:
    """The number of moves within which no win can be forced; 0 if nothing is known."""
    entry = entry_of(key, FAILED_BITS)
    return b.failed_moves[entry] if b.failed_keys[entry] == key else 0


@kernel
def remember_failure(b: Any, key: int, moves: int) -> None:
    """Record that no win can be forced within this number of moves."""
    entry = entry_of(key, FAILED_BITS)
    b.failed_keys[entry], b.failed_moves[entry] = key, moves
