"""Kernels that several engines share."""

MAX_SIZE = 25
"""Rows of the largest board that there is room for. It stands here, not with the game: compiled
kernels are kept by a hash of the engines' sources, and a constant from elsewhere could go stale."""

ROUNDS, DEEP = 50_000, 8
"""Rounds of the benchmark `play_undo`, and stones played in each, then taken back: 0.05 s or more.
As arguments of the kernels, not constants, they would cost up to a fifth of the speed measured."""
