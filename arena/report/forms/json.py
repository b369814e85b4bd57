"""JSON: a list of rows for each frame; an unknown value is null."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pandas as pd

from arena.report.export import Contents


def text(contents: Contents, frame: str | None = None) -> str:
    """The rows of one frame; or those of all by name, with the head, the verdict and the notes."""
    if frame:
        return json.dumps(records(contents.frame(frame)), indent=1)
    frames = {name: records(contents.frame(name)) for name in contents.frames}
    verdict = {"verdict": asdict(contents.verdict)} if contents.verdict else {}
    notes = [*contents.warnings, *contents.notes]
    return json.dumps({**contents.head, **verdict, "notes": notes, **frames}, indent=1)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame, as json has them."""
    return list(json.loads(frame.to_json(orient="records")))
