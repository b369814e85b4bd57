"""JSON: a list of rows for each frame; an unknown value is null."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pandas as pd

from arena.report.answer import Answer


def text(answer: Answer, frame: str | None = None) -> str:
    """The rows of one frame; or those of all by name, with the head, the verdict and the notes."""
    if frame:
        return json.dumps(records(answer.frame(frame)), indent=1)
    frames = {name: records(answer.frame(name)) for name in answer.frames}
    verdict = {"verdict": asdict(answer.verdict)} if answer.verdict else {}
    notes = [*answer.warnings, *answer.notes]
    return json.dumps({**answer.head, **verdict, "notes": notes, **frames}, indent=1)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame, as json has them."""
    return list(json.loads(frame.to_json(orient="records")))
