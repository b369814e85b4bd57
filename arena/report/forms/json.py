"""JSON: a list of rows for each frame; an unknown value is null."""

from __future__ import annotations

from dataclasses import asdict

from arena.report.answer import Answer
from arena.report.numbers import json_text, records


def text(answer: Answer, frame: str | None = None) -> str:
    """The rows of one frame; or those of all by name, with the head, the verdict and the notes."""
    if frame:
        return json_text(records(answer.frame(frame)), indent=1)
    frames = {name: records(answer.frame(name)) for name in answer.frames}
    verdict = {"verdict": asdict(answer.verdict)} if answer.verdict else {}
    notes = [*answer.warnings, *answer.notes]
    return json_text({**answer.head, **verdict, "notes": notes, **frames}, indent=1)
