"""The law of losing, case by case: from what has happened to the loser and the reason."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from arena import ConfigError, Limit
from arena.game import Outcome, Reason
from arena.match.record import GameRecord, Job, record
from arena.match.terms import Clock
from arena.match.verdicts import (
    KILLED_FROM_OUTSIDE,
    MOST_KILLS,
    Verdict,
    crashed,
    not_built,
    raised,
    reviewed,
    unanswered,
    unplayable,
)


@pytest.mark.parametrize(
    ("limit", "margin", "budget"),
    [
        (Limit(), 0.5, None),
        (Limit(depth=3, nodes=9), 0.5, None),
        (Limit(seconds=2), 0.0, 2.0),
        (Limit(seconds=2), 0.5, 2.5),
        (Limit(time_left=60, increment=3), 0.5, 60.5),
        (Limit(seconds=2, time_left=60), 0.5, 2.5),
        (Limit(seconds=2, time_left=1), 0.5, 1.5),
        (Limit(seconds=0), 0.5, 0.5),
        (Limit(time_left=0), 0.5, 0.5),
    ],
)
def test_a_move_may_take_the_shortest_of_its_limits_and_the_margin(
    limit: Limit, margin: float, budget: float | None
) -> None:
    assert Clock(limit, margin).budget() == budget


@pytest.mark.parametrize(
    ("verdict", "loser", "reason", "detail"),
    [
        (unanswered(1, 0.25, 0.5), 1, "time", "0.750 s over, no answer yet"),
        (unanswered(2, 0.25, 0.0), 2, "time", "0.250 s over, no answer yet"),
        (unanswered(2, 0.25, None), 2, "hang", "0.250 s over, no answer yet"),
        (unplayable(1, None), 1, "resignation", ""),
        (unplayable(2, "3,3"), 2, "illegal move", "3,3"),
        (raised(1, ValueError("lost")), 1, "exception", "ValueError: lost"),
        (raised(2, SystemExit(3)), 2, "exception", "SystemExit: 3"),
        (raised(1, MemoryError()), 1, "memory", "MemoryError: "),
        (not_built(2, ConfigError("no book")), 2, "exception", "no book"),
        (crashed(1, 7), 1, "crash", "exit code 7"),
        (crashed(2, 0), 2, "crash", "exit code 0"),
        (crashed(2, -11), 2, "crash", "exit code -11"),
        (crashed(1, None), 1, "crash", "exit code None"),
    ],
)
def test_whoever_is_at_fault_loses_and_the_record_says_why(
    verdict: Verdict, loser: int, reason: Reason, detail: str
) -> None:
    assert verdict == Verdict(loser, reason, detail)
    assert verdict.outcome == Outcome(3 - loser, reason)


def test_nobody_loses_by_a_kill_from_outside_or_before_anybody_was_asked() -> None:
    assert KILLED_FROM_OUTSIDE == (-signal.SIGKILL, -signal.SIGTERM)
    assert [crashed(1, -9), crashed(2, -15), crashed(0, 1)] == [None, None, None]
    assert [crashed(1, -9, 2), crashed(0, -9, 3), crashed(0, -15, 99)] == [None, None, None]


def test_three_kills_of_a_game_at_the_same_players_turn_are_its_own_doing() -> None:
    detail = "killed at its turn in 3 attempts, exit code -9"
    assert crashed(2, -9, MOST_KILLS) == Verdict(2, "crash", detail)
    assert crashed(2, 7, MOST_KILLS) == Verdict(2, "crash", "exit code 7")


def game(winner: int | None, reason: Reason) -> GameRecord:
    return record(Job("one", "two"), Outcome(winner, reason), "a detail", "3,3")


@pytest.mark.parametrize("winner", [1, 2, None])
@pytest.mark.parametrize("forked", [1, 2])
def test_a_fork_loses_whatever_the_game_came_to(winner: int | None, forked: int) -> None:
    played = game(winner, "line" if winner else "full board")
    told = {"reason": "exception", "detail": "forked its process (as preexec_fn does)"}
    assert reviewed(played, forked, (0, 0, 0)) == replace(played, winner=3 - forked, **told)


@pytest.mark.parametrize(
    ("grown", "winner"), [((0, 9, 5), 2), ((0, 5, 9), 1), ((99, 5, 9), 1), ((0, 5, 5), 1)]
)
def test_want_of_memory_is_the_fault_of_the_largest(
    grown: tuple[int, int, int], winner: int
) -> None:
    played = game(1, "memory")
    assert reviewed(played, 0, grown) == replace(played, winner=winner)


def test_memory_is_nobodys_fault_in_a_game_that_did_not_want_for_it() -> None:
    played = game(1, "exception")
    assert reviewed(played, 0, (0, 9, 5)) == played
