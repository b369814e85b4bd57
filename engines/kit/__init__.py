"""Kernels that several engines share."""

MAX_SIZE = 25
"""Rows of the largest board that there is room for. It stands here, not with the game: compiled
kernels are kept by a hash of the engines' sources, and a constant from elsewhere could go stale."""

ROUNDS, DEEP = 50_000, 8
"""Rounds of the benchmark `play_undo`, and stones that each plays and takes back: at least 0.01 s.
Kernels that took them as arguments would lose up to a fifth of the speed that is to be measured."""
