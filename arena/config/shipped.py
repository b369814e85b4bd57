"""Files that come with the package: configs, openings, and what `arena init` writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

CONFIGS = Path(__file__).parent.parent / "configs"
STARTER = CONFIGS / "starter"
BALANCED = CONFIGS / "openings/balanced15.txt"
"""Balanced openings of freestyle Gomoku on 15 x 15 points."""


def starter_files() -> Mapping[str, Path]:
    """The files that a user begins with, by their paths in a folder of the user's own."""
    own = [file for file in sorted(STARTER.rglob("*.*")) if file.suffix in (".py", ".yaml")]
    found = {str(file.relative_to(STARTER)): file for file in own}
    shared = (CONFIGS / "round.yaml", BALANCED)
    return found | {str(file.relative_to(CONFIGS.parent)): file for file in shared}


def hint_for(missing: Path) -> str:
    """The command that writes a missing file, as a message goes on; empty if none does."""
    return "; `arena init` writes it" if missing.as_posix() in starter_files() else ""
