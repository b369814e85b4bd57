"""The heartbeat: whose answer is due and until when, as the parent reads it."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.engine import Limit, Remark
from arena.game import Position
from arena.match.terms import Clock
from arena.match.verdicts import CUT_OFF

if sys.platform == "win32":
    pytest.skip("workers need a system that can fork", allow_module_level=True)

from arena.workers.heartbeat import MOST_CHOICES, Heartbeat


@pytest.fixture
def heartbeat(monkeypatch: pytest.MonkeyPatch) -> Iterator[Heartbeat]:
    """One that this process writes to, at a moment that stands still."""
    monkeypatch.setattr(time, "monotonic_ns", lambda: 10**9)
    heartbeat = Heartbeat(hang=60)
    with Path(os.devnull).open() as pipe:
        heartbeat.become_writer(pipe.fileno())
        yield heartbeat


def test_nobody_is_due_before_anybody_is_asked_nor_after_a_reset(heartbeat: Heartbeat) -> None:
    assert (heartbeat.seat, heartbeat.overdue()) == (0, None)
    heartbeat.prepares(2)
    assert (heartbeat.seat, heartbeat.overdue()) == (2, -60)
    heartbeat.reset()
    assert (heartbeat.seat, heartbeat.overdue()) == (0, None)


@pytest.mark.parametrize(
    ("limit", "overdue", "margin"),
    [(Limit(seconds=2), -2.5, 0.5), (Limit(time_left=9), -9.5, 0.5), (Limit(depth=1), -60, None)],
)
def test_an_answer_is_due_within_its_budget_or_else_before_it_counts_as_a_hang(
    heartbeat: Heartbeat, limit: Limit, overdue: float, margin: float | None
) -> None:
    heartbeat.asks(Position(b"", 1), Clock(limit, 0.5), 1)
    assert (heartbeat.seat, heartbeat.overdue(), heartbeat.margin) == (1, overdue, margin)


def test_an_engine_that_is_built_has_no_limit_of_time(heartbeat: Heartbeat) -> None:
    heartbeat.asks(Position(b"", 1), Clock(Limit(seconds=2)), 1)
    heartbeat.prepares(1)
    assert (heartbeat.overdue(), heartbeat.margin) == (-60, None)


def test_the_moves_after_the_opening_are_told_but_not_those_of_the_game_before(
    heartbeat: Heartbeat,
) -> None:
    heartbeat.asks(Position(b"", 1, (7, 8)), Clock(Limit()), 1)
    for moves in ((7, 8, 9), (7, 8, 9, 4)):
        p = Position(b"", 1 + len(moves) % 2, moves)
        heartbeat.played(p, Remark(1))
        heartbeat.asks(p, Clock(Limit()), p.turn)
    assert heartbeat.moves(opening=2) == [9, 4]
    heartbeat.reset()
    assert heartbeat.moves(opening=2) == []


def test_a_move_counts_for_the_record_once_the_next_one_is_asked_for(heartbeat: Heartbeat) -> None:
    heartbeat.asks(Position(b"", 1), Clock(Limit()), 1)
    heartbeat.played(Position(b"", 2, (7,)), Remark(1))
    assert heartbeat.moves(opening=0) == []
    assert heartbeat.choices() == [(7, Remark(1))]


def test_the_choices_of_a_game_are_told_with_all_numbers(heartbeat: Heartbeat) -> None:
    most = 2**63 - 1
    said = [Remark(2, 0.25, 900, 4, None), Remark(1, 1e6, most, most, -most)]
    for move, remark in zip((7, most), said, strict=True):
        heartbeat.played(Position(b"", 1, (move,)), remark)
    assert heartbeat.choices() == [(7, said[0]), (most, said[1])]
    heartbeat.reset()
    assert heartbeat.choices() == []


def test_of_a_very_long_game_the_first_choices_are_noted(heartbeat: Heartbeat) -> None:
    for move in range(MOST_CHOICES + 5):
        heartbeat.played(Position(b"", 1, (move,)), Remark(1))
    assert [move for move, _ in heartbeat.choices()] == list(range(MOST_CHOICES))


@pytest.mark.parametrize(
    "goes_on",
    [
        lambda heartbeat: heartbeat.asks(Position(b"", 2, (7,)), Clock(Limit()), 2),
        lambda heartbeat: heartbeat.prepares(2),
        lambda heartbeat: heartbeat.growth(),
    ],
    ids=["asked", "prepared", "over"],
)
def test_a_closed_pipe_ends_the_process_before_anybody_else_is_to_act(
    heartbeat: Heartbeat,
    goes_on: Callable[[Heartbeat], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heartbeat.asks(Position(b"", 1), Clock(Limit()), 1)
    with Path(os.devnull).open() as pipe:
        heartbeat.become_writer(pipe.fileno())
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit, match=str(CUT_OFF)):
        goes_on(heartbeat)
    assert (heartbeat.seat, heartbeat.moves(opening=0)) == (1, [])


def test_growth_is_told_once(heartbeat: Heartbeat) -> None:
    heartbeat.prepares(1)
    assert heartbeat.growth()[0] > 0
    assert heartbeat.growth()[0] == 0


def test_growth_is_put_down_to_whoever_took_time_for_it(
    heartbeat: Heartbeat, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = iter((1000, 1500, 1600))
    monkeypatch.setattr(resource, "getrusage", lambda _: Mock(ru_maxrss=next(sizes)))
    for moment, seat in ((1.0, 1), (2.0, 2), (2.00003, 1), (2.00006, 2)):
        monkeypatch.setattr(time, "monotonic_ns", lambda moment=moment: int(moment * 1e9))
        heartbeat.prepares(seat)
    assert heartbeat.growth() == [1000, 500, 100], "nobody looks after short turns"
