"""Processes of ours: values each way, an end that is always seen, and questions answered in one."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.errors import ConfigError
from arena.processes.child import (
    SIZE_PREFIX,
    Child,
    Question,
    ValuePipe,
    answer_of,
    is_confined,
    pair,
    ready_ends,
)

Start = Callable[..., Child]
WAYS = [Child.forked, Child.executed]
LARGE = bytes(2**22)


@pytest.fixture(name="start")
def fixture_start() -> Iterator[Start]:
    started: list[Child] = []

    def start(way: Start, *arguments: Any) -> Child:
        started.append(way(*arguments))
        return started[-1]

    yield start
    for each in started:
        each.end()


def echo(pipe: ValuePipe) -> None:
    with suppress(EOFError):
        while True:
            pipe.send(pipe.receive())


def facts(pipe: ValuePipe, *arguments: Any) -> None:
    pipe.send((arguments, sys.path, os.getpid()))


def write(pipe: ValuePipe, data: bytes, code: int | None = None) -> None:
    os.write(pipe.fileno(), data)
    if code is not None:
        os._exit(code)
    time.sleep(99)


def leave(pipe: ValuePipe) -> None:
    pipe.send(Child.executed(idle, keep=[pipe.fileno()]).pid)
    os._exit(5)


def idle(pipe: ValuePipe) -> None:
    time.sleep(98)


def close(pipe: ValuePipe) -> None:
    pipe.close()
    time.sleep(99)


def descriptors() -> list[str]:
    """The open descriptors of this process; those of processes before it are closed."""
    gc.collect()
    return os.listdir("/proc/self/fd")


@pytest.mark.parametrize("way", WAYS)
def test_values_go_each_way_in_order(start: Start, way: Start) -> None:
    found = start(way, echo)
    values = ["one", ["two", 3], None, LARGE]
    for value in values[:3]:
        found.send(value)
    assert [found.receive(9) for _ in values[:3]] == values[:3]
    assert found.end(9) == 0
    with pytest.raises(EOFError):
        found.receive(9)


@pytest.mark.parametrize("way", WAYS)
def test_a_large_value_passes_in_parts(start: Start, way: Start) -> None:
    assert len(start(way, send_large).receive(9)) == len(LARGE)


def send_large(pipe: ValuePipe) -> None:
    pipe.send(LARGE)


@pytest.mark.parametrize("way", WAYS)
def test_a_child_has_its_arguments_and_our_path(start: Start, way: Start) -> None:
    found = start(way, facts, 3, "four")
    arguments, path, pid = found.receive(9)
    assert arguments == (3, "four")
    assert path == sys.path
    assert pid == found.pid


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("data", [b"", b"abc", SIZE_PREFIX.pack(9) + b"half"])
def test_an_end_without_a_whole_value_is_seen(start: Start, way: Start, data: bytes) -> None:
    found = start(way, write, data, 7)
    with pytest.raises(EOFError):
        found.receive(9)
    assert found.end(1) == 7


@pytest.mark.parametrize("data", [b"", b"abc", SIZE_PREFIX.pack(9) + b"half"])
def test_a_value_that_does_not_come_in_time_is_none(start: Start, data: bytes) -> None:
    found = start(Child.forked, write, data)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        found.receive(0.2)
    assert 0.2 <= time.monotonic() - began < 2
    assert found.end() is None


@pytest.mark.parametrize(
    "data",
    [
        SIZE_PREFIX.pack(2**40),
        SIZE_PREFIX.pack(3) + b"abc",
        SIZE_PREFIX.pack(21) + b"cno_such_module\nx\n." + b"..",
        SIZE_PREFIX.pack(18) + b"cantigravity\nfly\n.",
    ],
)
def test_rubbish_is_no_value(start: Start, data: bytes) -> None:
    found = start(Child.forked, write, data)
    with pytest.raises(pickle.UnpicklingError):
        found.receive(9)
    assert "antigravity" not in sys.modules


def test_without_patience_what_has_come_is_taken(start: Start) -> None:
    found = start(Child.forked, echo)
    with pytest.raises(TimeoutError):
        found.receive(0)
    found.send("a value")
    assert ready_ends([found.pipe.fileno()], 99)
    assert found.receive(0) == "a value"
    found.kill()
    with pytest.raises(EOFError):
        found.receive(0)


def test_a_flood_of_bytes_does_not_outlast_the_patience(start: Start) -> None:
    found = start(Child.forked, flood)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        found.receive(0.3)
    assert time.monotonic() - began < 5


def flood(pipe: ValuePipe) -> None:
    os.write(pipe.fileno(), SIZE_PREFIX.pack(2**20))
    while True:
        os.write(pipe.fileno(), b"x")
        time.sleep(0.01)


def test_something_else_may_wake_the_one_that_waits(start: Start) -> None:
    found = start(Child.forked, echo)
    ours, theirs = os.pipe()
    try:
        os.write(theirs, b"!")
        assert found.receive(9, ours) is None
        assert ready_ends([ours], 0) == [ours], "left as it is"
        found.send("a value")
        ready_ends([found.pipe.fileno()], 9)
        assert found.receive(9, ours) == "a value", "that comes first"
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_death_is_seen_though_another_process_holds_the_pipe(start: Start) -> None:
    found = start(Child.forked, leave)
    sleeper = psutil.Process(found.receive(9))
    try:
        with pytest.raises(EOFError):
            found.receive(9)
        assert found.end(1) == 5
    finally:
        sleeper.kill()


def test_one_that_has_closed_its_pipe_and_lives_on_is_killed(start: Start) -> None:
    found = start(Child.forked, close)
    with pytest.raises(EOFError):
        found.receive(9)
    began = time.monotonic()
    assert found.end(0.1) is None
    assert time.monotonic() - began < 2
    assert found.code == -9


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_open(way: Start) -> None:
    before = descriptors()
    found = way(echo)
    found.end(9)
    found.end()
    del found
    assert descriptors() == before


@pytest.mark.parametrize("function", ["forking", "subprocess.Popen"])
def test_one_not_started_leaves_none_open(monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BlockingIOError

    before = descriptors()
    with monkeypatch.context() as patch:
        patch.setattr(f"arena.processes.child.{function}", fail)
        for way in WAYS:
            with suppress(BlockingIOError):
                way(echo).end()
    assert descriptors() == before


def test_to_send_to_one_that_is_gone_is_no_fault(start: Start) -> None:
    found = start(Child.forked, write, b"", 3)
    found.await_end()
    found.send(LARGE)
    with pytest.raises(EOFError):
        found.receive(1)


def test_a_fork_holds_none_of_the_pipes_of_its_parent(start: Start) -> None:
    first = start(Child.forked, echo)
    start(Child.forked, close)  # it was forked later, and lives on
    first.pipe.close()
    first.await_end(5)
    assert first.code == 0, "it has seen the end of its pipe"


def test_the_programs_of_a_process_end_with_it(start: Start) -> None:
    found = start(Child.executed, sleeping)
    sleeper = psutil.Process(found.receive(9))
    found.end()
    deadline = time.monotonic() + 5
    while sleeper.is_running() and sleeper.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def sleeping(pipe: ValuePipe) -> None:
    pipe.send(Child.forked(idle).pid)
    time.sleep(98)


def test_a_new_one_prints_where_errors_go(start: Start, capfd: pytest.CaptureFixture[str]) -> None:
    found = start(Child.executed, printing)
    assert found.receive(9) == ""
    assert capfd.readouterr() == ("", "printed\n")


def printing(pipe: ValuePipe) -> None:
    print("printed", flush=True)
    pipe.send(sys.stdin.read())


def test_the_last_value_of_many_is_taken_and_none_is_left_unseen() -> None:
    one, other = map(ValuePipe, pair())
    for value in range(5):
        one.send(value)
    os.write(one.fileno(), SIZE_PREFIX.pack(3) + b"x")  # the beginning of another
    assert other.receive_last() == 4
    assert not ready_ends([other.fileno()], 0)
    one.close()
    with pytest.raises(EOFError):
        other.receive_last()
    other.close()


def test_one_that_closes_its_end_with_values_unread_is_at_its_end() -> None:
    ours, theirs = map(ValuePipe, pair())
    ours.send("unread")
    theirs.close()
    with pytest.raises(EOFError):
        ours.receive()
    ours.close()
    ours.close()


def test_ended_twice_it_closes_pipes_once(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second end comes while the first one closes, as from another thread."""
    child, closed = start(Child.forked, echo), list[int]()
    close = os.close

    def close_while_another_ends(descriptor: int) -> None:
        if descriptor not in closed:
            closed.append(descriptor)
            child.end()
            close(descriptor)
        else:
            closed.append(descriptor)

    monkeypatch.setattr(os, "close", close_while_another_ends)
    child.end()
    assert len(closed) == len({*closed}) == 2


def asked(ask: Callable[[], object], close: Callable[[], object] | None = None) -> object:
    return answer_of(Question(ask, "engine it", "built", 9, 1000, close))


def test_an_answer_comes_from_a_confined_process() -> None:
    assert asked(lambda: (is_confined(), os.getpid() == os.getsid(0))) == (True, True)
    assert not is_confined()


def written_late(file: Path) -> None:
    time.sleep(0.1)
    file.write_text("closed")


def test_there_is_time_to_close_after_the_answer(tmp_path: Path) -> None:
    assert asked(lambda: 3, partial(written_late, tmp_path / "file")) == 3
    assert (tmp_path / "file").exists()


def test_a_process_that_does_not_close_in_time_is_ended() -> None:
    began = time.monotonic()
    assert asked(lambda: 3, partial(time.sleep, 99)) == 3
    assert time.monotonic() - began < 9


def test_all_faults_of_a_request_come_back() -> None:
    def fail() -> None:
        raise ConfigError("one", "two")

    with pytest.raises(ConfigError, match=r"^one\ntwo$"):
        asked(fail)


@pytest.mark.parametrize("ask", [lambda: lambda: 3, lambda: 1 / 0], ids=["unpicklable", "raises"])
def test_an_answer_that_cannot_be_sent_is_a_fault(ask: Callable[[], object]) -> None:
    with pytest.raises(ConfigError, match="took its process down as it was built: exit code 1"):
        asked(ask)
