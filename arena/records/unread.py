"""Formats of other programs that are not read here, known by how a file begins or by its name."""

from __future__ import annotations

import re
from pathlib import Path

SAVED_AS = "which is not read here: save its games as SGF or PSQ in the program that made it"
UNREAD_SIGNS = (
    (re.compile(rb"\xffRenLib\xff"), "a library of RenLib"),
    (re.compile(rb"\s*<.*<(games|database)\b", re.DOTALL), "RIF, the XML of RenjuNet"),
    (re.compile(rb"(\d+\r?\n){3}(\d+ \d+\r?\n)*\s*\Z"), "a game saved by Yixin"),
)
"""Three lines with a number each (rows, columns, moves) and one for each move are Yixin's."""
SUFFIXES = {
    ".lib": "a library of RenLib",
    ".pos": "a position saved by Piskvork, RenLib or Yixin",
    ".rec": "a game in the format of Gomotur",
    ".rif": "RIF, the XML of RenjuNet",
}


def unread_format(path: Path, beginning: bytes) -> str | None:
    """A message on the format of a file that cannot be read; None if it is not known either."""
    found = next((name for sign, name in UNREAD_SIGNS if sign.match(beginning)), None)
    found = found or SUFFIXES.get(path.suffix.lower())
    return f"is {found}, {SAVED_AS}" if found else None
