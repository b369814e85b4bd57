"""Files that come with the package: configs, openings, and what `arena init` writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from arena.errors import ConfigError, Fault, refused

CONFIGS = Path(__file__).parent.parent / "configs"
STARTER = CONFIGS / "starter"
BALANCED = CONFIGS / "openings/balanced15.txt"
"""Balanced openings of freestyle Gomoku on 15 x 15 points."""


def starter_files() -> Mapping[str, Path]:
    """The files that a user begins with, by their paths in a folder of the user's own."""
    own = [file for file in sorted(STARTER.rglob("*.*")) if file.suffix in (".py", ".yaml")]
    files = {str(file.relative_to(STARTER)): file for file in own}
    shared = (CONFIGS / "round.yaml", BALANCED)
    return files | {str(file.relative_to(CONFIGS.parent)): file for file in shared}


def write_starter(folder: Path) -> list[str]:
    """Write these files, and return their paths; ConfigError if one is there already."""
    files = starter_files()
    if there := [name for name in files if (folder / name).exists()]:
        faults = [Fault(str(folder / name), "is there already") for name in there]
        raise ConfigError(*faults, "nothing was written: choose another folder, or a new one")
    try:
        for name, source in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(source.read_bytes())
    except OSError as error:
        raise refused(error, folder) from None
    return list(files)


def hint_for(missing: Path) -> str:
    """The command that writes a missing file, as a message goes on; empty if none does."""
    return "; `arena init` writes it" if missing.as_posix() in starter_files() else ""
