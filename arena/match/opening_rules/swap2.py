"""Swap2: three stones, a choice of sides, and perhaps two stones more.

The proposer lays black, white, black. The other player stays White and moves (`stay`), takes Black
(`swap`), or lays white and black (`two`): then the proposer has the choice to stay or to swap.
"""

from __future__ import annotations

from arena.match.opening_rules import STAY, SWAP, THREE, OpeningAnswer

TWO = OpeningAnswer(
    "two",
    2,
    "lay two stones more, white and black, and let the other player choose",
    "laid two more",
    "Lay two more",
    changes_seats=True,
)
COMMAND = "SWAP2BOARD"
ANSWERS = {(): (THREE,), ("three",): (STAY, SWAP, TWO), ("three", "two"): (STAY, SWAP)}
