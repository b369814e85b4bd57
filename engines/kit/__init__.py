"""Kernels that several engines share."""

MAX_SIZE = 25
"""The largest board that there is room for. It stands here, not with the game: compiled kernels are
kept by a hash of the engines' sources, and a constant from elsewhere could go stale in them."""
