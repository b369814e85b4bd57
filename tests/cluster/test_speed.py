"""Speeds of machines, and limits of time that follow them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.game_records import game

from arena.cluster import speed
from arena.cluster.speed import MachinePace, measured_speed, scaled_record, scaled_referee
from arena.config.settings import Player
from arena.engine import Limit
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.workers.referee import Referee


def test_a_machine_is_as_fast_as_it_was_a_moment_ago() -> None:
    assert measured_speed() == pytest.approx(measured_speed(), rel=0.5)


def test_a_slower_machine_gives_more_time_and_forgives_as_much() -> None:
    terms = Terms(game=Named("tictactoe"), limit=Limit(depth=3, seconds=0.5), margin=0.1)
    own = Limit(time_left=60.0, increment=1.0)
    players = [Player("a", Named("random_mover")), Player("b", Named("random_mover"), own)]
    slow = scaled_referee(Referee(terms, players), 2.0)
    assert slow.limit("a") == Limit(depth=3, seconds=1.0)
    assert slow.limit("b") == Limit(time_left=120.0, increment=2.0)
    assert slow.terms.margin == 0.1


def test_its_times_are_told_in_seconds_of_the_machine_that_the_limit_is_from() -> None:
    played = replace(game("a", "b", 1), times="0.500000 1.000000")
    assert scaled_record(played, 2.0).times == "0.250000 0.500000"


@pytest.mark.parametrize(("is_scaled", "factor"), [(True, 4.0), (False, 1.0)])
def test_a_machine_of_a_quarter_of_the_speed_has_four_times_the_time_if_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch, is_scaled: bool, factor: float
) -> None:
    monkeypatch.setattr(speed, "measured_speed", lambda: 25.0)
    pace = MachinePace(100.0, is_scaled)
    pace.measure()
    assert (pace.speed, pace.factor) == (0.25, factor)


def test_no_machine_is_measured_unless_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "measured_speed", lambda: 1 / 0)
    pace = MachinePace(None, is_scaled=True)
    pace.measure()
    assert (pace.speed, pace.factor) == (None, 1.0)


def test_a_machine_is_measured_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [100.0, 50.0]
    monkeypatch.setattr(speed, "measured_speed", lambda: found.pop(0))
    pace = MachinePace(100.0, is_scaled=True)
    pace.measure()
    pace.measure()
    assert (pace.speed, found) == (1.0, [50.0])
    monkeypatch.setattr(speed, "MEASURE_PERIOD", 0.0)
    pace.measure()
    assert (pace.speed, pace.factor) == (0.5, 2.0)
