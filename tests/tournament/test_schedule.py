"""The games that count in a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.game_records import game, games_of
from support.samples import Write

from arena.config.reader import read_config
from arena.format import Pairing
from arena.match.pairs import Results
from arena.tournament.schedule import Schedule


def test_games_are_found_by_their_pairings_and_none_after_a_missing_result(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pairings(results: Results) -> Iterator[Pairing | None]:
        yield Pairing("one", "two", "o", 1)
        yield Pairing("one", "three", "o", 1)
        yield None
        pytest.fail("no more is asked for")

    schedule, seats = Schedule(read_config(write())), ["three one", "two three", "two one"]
    monkeypatch.setattr(schedule, "_pairings", pairings)
    kept = games_of([game(*each.split(), 1) for each in seats])  # type: ignore[misc]
    found = schedule.scheduled(kept, Results())
    assert list(found.games.numbers) == [2, 4]
    assert [f"{row.result.first} {row.result.second}" for row in found.games.rows] == seats[::-2]
    assert not found.is_over
