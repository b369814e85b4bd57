"""Reports as they leave a machine: for programs the same from every processor, for people without
the places of their users' files.

Records of games, databases and configs are no reports: there every number is exact.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Any

from arena.stats.rounding import reported

if TYPE_CHECKING:
    import pandas as pd


def without_home(text: str) -> str:
    """A text for people whose paths begin at the folder that they work in, or at their home."""
    shorter = {os.path.expanduser("~"): "~/"}
    with suppress(OSError):  # that folder may be gone
        shorter = {os.getcwd(): ""} | shorter
    shorter.pop(os.sep, None)
    for folder, short in shorter.items():
        text = re.sub(rf"(?<![\w.~-]){re.escape(folder)}/", short, text)
    return text


def json_text(value: Any, indent: int | None = None) -> str:
    """A value in JSON: floats with the digits that programs are told, null for what is unknown."""
    return json.dumps(_portable(value), indent=indent, allow_nan=False)


def records(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    """The rows of a frame; None where a value is missing."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def portable_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy of a frame, of the same types, whose floats have the digits that programs are told."""
    found = frame.copy()
    for place, (_, column) in enumerate(frame.items()):
        if column.dtype.kind in "fO":
            values = [reported(each) if isinstance(each, float) else each for each in column]
            found.isetitem(place, type(column)(values, dtype=column.dtype).array)
    return found


def _portable(value: Any) -> Any:
    """The value with numbers of Python, and without those that JSON has not."""
    if isinstance(value, Mapping):
        return {key: _portable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_portable(each) for each in value]
    if isinstance(value, float):
        return reported(value) if isfinite(value) else None
    return value
