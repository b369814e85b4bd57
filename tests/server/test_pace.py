"""The processor time that looking on may take from the games."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from starlette.responses import Response
from support.page_requests import completed

from arena.server.watch import followed_run
from arena.server.watch.followed_run import CpuBudget, paced


@pytest.fixture(name="now")
def fixture_now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which passes as tests say."""
    found = [1000.0]
    monkeypatch.setattr(followed_run.time, "monotonic", lambda: found[0])
    return found


def test_a_share_of_all_time_may_be_taken_and_some_at_once(now: list[float]) -> None:
    budget = CpuBudget(share=0.1, at_once=2.0)
    budget.spend(1.9)
    assert budget.wait() == 0.0
    budget.spend(0.6)
    assert budget.wait() == pytest.approx(5.0)
    now[0] += 5.0
    assert budget.wait() == 0.0
    budget.spend(0.01)
    assert budget.wait() == pytest.approx(0.1)


def test_a_long_rest_is_worth_no_more_than_a_short_one(now: list[float]) -> None:
    budget = CpuBudget(share=0.1, at_once=2.0)
    now[0] += 1e6
    budget.spend(2.5)
    assert budget.wait() == pytest.approx(5.0)


def busy(request: Any) -> Response:
    """An answer that takes 20 ms of CPU time."""
    end = time.thread_time() + 0.02
    while time.thread_time() < end:
        pass
    return Response("done")


def test_answers_wait_for_room_while_games_are_played() -> None:
    budget = CpuBudget(share=0.5, at_once=0.0)
    view = paced(busy, lambda: True, budget)

    async def ask_often() -> None:
        await asyncio.gather(*(view(None) for _ in range(10)))  # type: ignore[arg-type]

    began = time.monotonic()
    completed(ask_often())
    # Two may be under way as the next one's turn comes.
    assert time.monotonic() - began >= 7 * 0.02 / 0.5
    assert budget.wait() > 0.0


def test_answers_wait_for_nothing_where_no_games_are_played() -> None:
    budget = CpuBudget(share=0.001)
    budget.spend(1e6)
    answer = completed(paced(busy, lambda: False, budget)(None))  # type: ignore[arg-type]
    assert answer.body == b"done"


def test_those_who_wait_as_the_server_ends_are_let_go_without_a_word() -> None:
    budget = CpuBudget(share=0.001)
    budget.spend(1e6)

    async def begin_and_end() -> int:
        waiting = asyncio.ensure_future(paced(busy, lambda: True, budget)(None))  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        waiting.cancel()
        return (await waiting).status_code

    assert completed(begin_and_end()) == 503
