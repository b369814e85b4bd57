"""The games that count in a run."""

from __future__ import annotations

from itertools import islice, repeat

from arena.format import Pairing
from arena.tournament.schedule import until_waiting


def test_what_follows_a_missing_result_is_not_asked_for() -> None:
    known = [Pairing("a", "b", "", 1), Pairing("a", "c", "", 1)]
    waiting = iter([*known, *repeat(None, 1000)])
    assert list(islice(until_waiting(waiting), 500)) == [*known, None]
    assert len(list(waiting)) == 999
    assert list(until_waiting(known)) == known
