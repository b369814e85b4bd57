"""A server's address, and its output."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from arena.commands.serve import check_folder
from arena.errors import ConfigError
from arena.server import serving
from arena.server.access import Role
from arena.server.serving import MOST_LINES, Endpoint, endpoint, listening, spare_log
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
