"""The place that a user names: an address of a cluster, or this machine, without dask."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.cluster.address import address_of, unsafe_text
from arena.cluster.places import site_of
from arena.errors import ConfigError
from arena.workers.pool import Local


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("tcp://10.0.0.5:8786", "tcp://10.0.0.5:8786"),
        ("tls://head:8786", "tls://head:8786"),
        ("head:8786", "tcp://head:8786"),
        ("tcp://[::1]:8786", "tcp://[::1]:8786"),
        ("local:4", "local:4"),
    ],
)
def test_an_address_is_a_schedulers_or_a_trial(text: str, shown: str) -> None:
    assert str(address_of(text)) == shown


def test_so_is_the_path_of_a_scheduler_file(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text('{"type": "Scheduler", "address": "tcp://127.0.0.1:8786"}')
    assert address_of(str(file)).file == str(file)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"address": null}', "name: round\n"])
def test_another_file_is_none(text: str, tmp_path: Path) -> None:
    file = tmp_path / "round.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match="is no scheduler file"):
        address_of(str(file))


@pytest.mark.parametrize(
    "text", ["local:0", "local:x", "http://head:8786", "tcp://head", "no.json"]
)
def test_anything_else_is_a_fault_that_says_what_is_wanted(text: str) -> None:
    with pytest.raises(ConfigError, match="tcp://HOST:PORT"):
        address_of(text)


@pytest.mark.parametrize("url", ["tcp://127.0.0.1:1", "tcp://localhost:1", "tls://192.0.2.1:1"])
def test_nobody_is_warned_who_stays_here_or_uses_tls(url: str) -> None:
    assert unsafe_text(url) is None


def test_who_sends_engines_in_clear_text_to_others_is_warned() -> None:
    assert "not encrypted" in (unsafe_text("tcp://192.0.2.1:8786") or "")


def test_without_the_extra_an_address_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install distributed$"), site_of(None, "local:2"):
        pass
    with site_of(3) as site:
        assert site == Local(3)


def test_workers_and_a_cluster_are_not_both_given() -> None:
    with pytest.raises(ConfigError, match="either --workers or --cluster"), site_of(2, "local:2"):
        pass
