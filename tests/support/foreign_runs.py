"""Runs that others wrote: their folders may hold anything."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from arena.match.record import GameRecord
from arena.storage.database import Store
from arena.storage.folder import DATABASE

MARKUP = "</script><img src=x onerror=alert(1)><script>alert(2)</script>'\"&{{7*7}}"
"""A text that would run in a page that takes it for more than text."""

CONFIG: dict[str, Any] = {"kind": "tournament", "format": {"round_robin": {}}, "rounds": 3}
CONFIG |= {"game": {"gomoku": {"size": 7, "rule": "freestyle"}}, "openings": {"list": [""]}}
CONFIG |= {"limit": {}, "seed": 0, "margin": 0.05, "hang": 60.0}
CONFIG |= dict.fromkeys(("max_plies", "memory", "draw", "draw_at_empty", "resign"))
CONFIG |= dict.fromkeys(("scale", "remarks", "keep_going"), False)


def foreign_run(folder: Path, one: str = "one", engine: str = "random_mover", **evil: Any) -> Path:
    """A run of two games, in which fields of the first have these values."""
    folder.mkdir(parents=True)
    engines = [{"name": name, "engine": engine} for name in (one, "two")]
    config = json.dumps({**CONFIG, "name": one, "engines": engines})
    (folder / "config.yaml").write_text(config, encoding="utf-8")
    plain = {"opening": "", "round": 1, "seed": 0, "reason": "line", "detail": "", "plies": 3}
    thought = {"moves": "3,3 2,2 1,1", "times": "0.1 0.2 0.3", "nodes": "1 2 3"}
    more = {"depths": "1 1 1", "scores": "5 - 7", "start": "a", "pv": "", "info": ""}
    shared = {**plain, **thought, **more}
    rows = [
        {"first": one, "second": "two", "winner": 1, **shared, "digest": "b", **evil},
        {"first": "two", "second": one, "winner": None, **shared, "digest": "c"},
    ]
    with closing(Store(folder / DATABASE)) as store:
        for row in rows:
            store.append(GameRecord(**row))
    return folder
