"""Swap: one player lays three stones, and the other one chooses its colour."""

from __future__ import annotations

from arena.match.opening_rules import STAY, SWAP, THREE

COMMAND = ""
ANSWERS = {(): (THREE,), ("three",): (STAY, SWAP)}
