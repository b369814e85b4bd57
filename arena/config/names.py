"""Names of runs and players, as tables and commands have them."""

from __future__ import annotations

LONGEST_NAME = 100


def is_tidy(name: str) -> bool:
    """Tell whether a name fits into a line of a table, and of a command."""
    return name.isprintable() and name == name.strip() and 0 < len(name) <= LONGEST_NAME
