"""The board to think with: seconds until an engine's first line, and until it thinks no more."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

from arena.bench import Measurement
from arena.server.analysis.analysis import Analyses
from arena.server.play.offer import Offer

ANALYSED = ("random_mover", "five_tuple", "strong")
MOVES = (112, 97, 113, 98, 128)
PAUSE = 0.001
TIMES = 10


def rows(repeat: int) -> Iterator[Measurement]:
    """Wall seconds of each engine: with a new process, with a warm one, and until its end."""
    offer = Offer()
    for name in ANALYSED:
        with closing(Analyses(offer)) as analyses:
            yield measured(analyses, offer, name, max(repeat, TIMES))


def measured(analyses: Analyses, offer: Offer, name: str, times: int) -> Measurement:
    """The row of one engine; all seconds but the first are medians, beside the slowest."""
    wish = wish_for(offer, name)
    id, *_ = analyses.look(wish)
    new = seconds_until(lambda: has_line(analyses, id))
    warm, end = [], []
    for turn in range(times):
        began = time.perf_counter()
        analyses.look(wish | {"id": id, "moves": list(MOVES[: 1 + turn % len(MOVES)])})
        seconds_until(lambda: has_line(analyses, id))
        warm.append(time.perf_counter() - began)
        began = time.perf_counter()
        if found := analyses.find(id):
            found.rest()
        seconds_until(lambda: not thinkers())
        end.append(time.perf_counter() - began)
    return {
        "name": f"analysis/{name}",
        "new_process": new,
        "first_line": median(warm),
        "slowest_first_line": max(warm),
        "until_its_end": median(end),
        "slowest_end": max(end),
    }


def wish_for(offer: Offer, engine: str) -> dict[str, Any]:
    """The start of gomoku, as a page asks for it."""
    game = next(i for i, each in enumerate(offer.games) if each.name == "gomoku")
    values = [choices.index(each.default) for each, choices in offer.games[game].parameters]
    number = [each.player.name for each in offer.engines].index(engine)
    return {"game": game, "values": values, "moves": [], "engine": number, "lines": 2}


def has_line(analyses: Analyses, id: str) -> bool:
    """True once there is a line for the last position; asking keeps the engine thinking."""
    found = analyses.find(id)
    return found is not None and bool(found.state["lines"])


def seconds_until(is_so: Callable[[], bool]) -> float:
    """Wait, and tell how long."""
    began = time.perf_counter()
    while not is_so():
        time.sleep(PAUSE)
    return time.perf_counter() - began


def thinkers() -> list[str]:
    """The processes in which engines think."""
    warm = children_of(os.getpid())
    return [each for pid in warm for each in children_of(int(pid))]


def children_of(pid: int) -> list[str]:
    """The children of a process, by all of its threads."""
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [child for file in files for child in file.read_text().split()]
