"""Lines kept as digests in one golden file, which tells the first line that differs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import pandas as pd
import pytest
from support.samples import ROOT

KEPT = ROOT / "tests/golden/same_games.json"
Digest = dict[str, Any]


def lines_of(rows: Iterable[Sequence[object]]) -> list[str]:
    return ["|".join(map(str, row)) for row in rows]


def table(frame: pd.DataFrame) -> list[str]:
    """A line for each row, and one of names; the last digits depend on the machine."""
    return frame.to_csv(index=False, float_format="%.6g").splitlines()


def digest(lines: list[str]) -> Digest:
    marks = " ".join(sha256(line.encode()).hexdigest()[:4] for line in lines)
    return {"sha256": sha256("\n".join(lines).encode()).hexdigest(), "each": wrap(marks, 99)}


def difference(lines: list[str], kept: Digest) -> str | None:
    found = digest(lines)
    if found == kept:
        return None
    marks = (" ".join(side["each"]).split() for side in (found, kept))
    pairs = zip_longest(lines, *marks)
    return next((f"{n}: {line}" for n, (line, a, b) in enumerate(pairs, 1) if a != b), "somewhere")


def check(name: str, parts: dict[str, list[str]], request: pytest.FixtureRequest) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    if request.config.getoption("--golden-update"):
        kept[name] = {part: digest(lines) for part, lines in parts.items()}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    assert parts.keys() == kept[name].keys()
    differences = {part: difference(lines, kept[name][part]) for part, lines in parts.items()}
    assert differences == dict.fromkeys(parts)
