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

TYPES = {
    "bool": r"(\w+_)?doubtful|chosen|has_hidden_loss|is_sure|log|passed|stopped_early",
    "int64": r"attempt|decile|draws|epoch|(won_by_)?faults|games\w*|group|losses|opponents|openings"
    r"|pairs|proposer|seen|trials?|wins",
    "float64": r"(centre|elo|expected|gain|llr|slope)(_?\w+)?|chance|error|estimate|fitted|held_out"
    r"|(range_)?(high|low)|lower|result|((default|tuned)_)?score|scored|share|upper|value",
}
"""Columns of numbers in frames that may be empty, by their types; others are text."""


def text_type() -> str:
    """The type that pandas has for columns of text, beside mere objects."""
    import pandas as pd

    return "str" if pd.Series([""]).dtype == "str" else "string"


def shaped(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the types that columns without a value would lack: those of all others."""
    text, types, nullable = text_type(), {}, {"bool": "boolean", "int64": "Int64"}
    for column in frame.columns[frame.isna().all()]:
        if frame[column].dtype.kind == "O":
            found = next((kind for kind in TYPES if re.fullmatch(TYPES[kind], column)), text)
            types[column] = found if frame.empty else nullable.get(found, found)
    return frame.astype(types)


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
