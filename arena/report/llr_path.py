"""The log-likelihood ratio of a test after each of its pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.match.pairs import identity, pair_points
from arena.match.record import GameRecord
from arena.stats.sprt import llr


def llr_path(records: Sequence[GameRecord], test: Mapping[str, Any]) -> list[tuple[int, float]]:
    """Pairs that counted so far, and the LLR, after each of them, in the order of the schedule.

    `test` is the row of its match: see `formats/sprt.py`. Copies do not count, and nor does what
    comes after a pair that is not complete.
    """
    counts, seen = [0] * 5, set[int]()
    hypotheses = test["elo0"], test["elo1"], test["model"]
    path = [(0, 0.0)]
    for there, back in in_pairs(records, test["one"]):
        games = identity(there, back)
        if games not in seen:
            seen.add(games)
            counts[pair_points(there, back)] += 1
            path.append((sum(counts), llr(counts, *hypotheses)))
    return path


def in_pairs(records: Sequence[GameRecord], one: str) -> Iterator[tuple[GameRecord, GameRecord]]:
    """The pairs up to the first that is not complete, the game first that `one` began."""
    waiting: dict[tuple[str, int], GameRecord] = {}
    order: dict[tuple[str, int], tuple[GameRecord, GameRecord] | None] = {}
    for record in records:
        where = record.opening, record.round
        other = waiting.pop(where, None)
        if other is None:
            waiting[where] = record
            order[where] = None
        else:
            order[where] = (record, other) if record.first == one else (other, record)
    for pair in order.values():
        if pair is None:
            return
        yield pair
