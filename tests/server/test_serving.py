"""A server's address, its output, and the processor time that it may take from the games."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response
from support.page_requests import completed

from arena.commands.serve import check_folder
from arena.errors import ConfigError
from arena.server import serving
from arena.server.keys import Role
from arena.server.serving import MOST_LINES, Endpoint, endpoint, listening, spare_log
from arena.server.watch import followed_run
from arena.server.watch.followed_run import CpuBudget, paced
from arena.server.watch.run_list import RunFolders
from arena.storage.folder import CONFIG, DATABASE


@pytest.fixture(autouse=True)
def own_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@contextmanager
def opened(
    host: str = "127.0.0.1", public: str = "", encrypted: bool = False
) -> Iterator[Endpoint]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(each) for each in listening(host, 0)]
        yield endpoint(sockets, host, public, encrypted)


def has_second_loopback() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_second_loopback(), reason="no IPv6")
def test_nobody_else_can_listen_where_a_browser_looks_for_the_name() -> None:
    with opened() as here:
        assert [each.getsockname()[0] for each in here.sockets] == ["127.0.0.1", "::1"]
        with pytest.raises(OSError, match="in use"):
            socket.create_server(("::1", here.keys.port), family=socket.AF_INET6)
    with (
        socket.create_server(("::1", 0), family=socket.AF_INET6) as taken,
        pytest.raises(ConfigError, match="is in use; choose another --port"),
    ):
        listening("127.0.0.1", taken.getsockname()[1])


def test_the_address_that_is_printed_is_one_that_keeps_the_entry() -> None:
    with opened() as here:
        assert here.has_links
        assert here.origin == f"http://{here.keys.host}:{here.keys.port}"
        assert (
            here.link(Role.LOOK, "/now") == f"{here.origin}/now?token={here.keys.token(Role.LOOK)}"
        )
    with opened(public="https://a.example") as here:
        assert (here.has_links, here.origin) == (True, "https://a.example")
    with opened(encrypted=True) as here:
        assert (here.has_links, here.origin) == (True, f"https://127.0.0.1:{here.keys.port}")
    for host in ("0.0.0.0", "127.0.0.2"):
        with opened(host) as here:
            shown = socket.gethostname() if host == "0.0.0.0" else host
            assert (here.has_links, here.origin) == (False, f"http://{shown}:{here.keys.port}")


def test_a_few_messages_a_minute_are_told_and_the_others_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(serving, "monotonic", lambda: now)
    log = spare_log()

    def tell(times: int) -> list[str]:
        for number in range(times):
            found = logging.LogRecord("asyncio", logging.ERROR, "", 0, "no %d", (number,), None)
            log.handle(found)
        return capsys.readouterr().err.splitlines()

    assert tell(1000) == [f"no {number}" for number in range(MOST_LINES)]
    now = 61.0
    assert tell(2) == [f"({1000 - MOST_LINES} messages left out)", "no 0", "no 1"]


def test_a_newcomer_is_served_an_empty_list_until_the_first_run_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    results = Path("results")
    check_folder(results)
    assert "the first `arena run` makes it" in capsys.readouterr().out
    assert not results.exists()
    served = RunFolders(results)
    assert served.runs() == []
    (results / "round").mkdir(parents=True)
    for name in (CONFIG, DATABASE):
        (results / "round" / name).touch()
    assert [run.name for run in served.runs()] == ["round"]


def test_a_folder_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no folder of results"):
        check_folder(tmp_path / "reslts")
    (tmp_path / "results").touch()
    with pytest.raises(ConfigError, match="is no folder of results"):
        check_folder(tmp_path / "results")


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
