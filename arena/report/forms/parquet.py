"""Parquet: one file for each frame, with its types."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from arena.errors import ConfigError, install_command
from arena.files import written
from arena.report.answer import Answer
from arena.report.numbers import portable_frame
from arena.storage.folder import make_folder

SHOWS_NOTES = False


def text(answer: Answer, frame: str | None = None) -> NoReturn:
    """Raise a ConfigError, which says how to write files."""
    raise ConfigError("Parquet is no text: say where to with -o FOLDER, or --frame and -o FILE")


def save(answer: Answer, frame: str | None, path: Path) -> list[Path]:
    """Write one frame to this file, or each to a file of its name in this folder."""
    if find_spec("pyarrow") is None:
        raise ConfigError(f"Parquet needs pyarrow: {install_command('parquet')}")
    if not frame:
        make_folder(path)
    files = {frame: path} if frame else {name: path / f"{name}.parquet" for name in answer.frames}
    for name, file in files.items():
        with written(file, "parquet") as out:
            portable_frame(answer.frame(name)).to_parquet(out, engine="pyarrow", index=False)
    return list(files.values())
