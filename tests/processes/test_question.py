"""Functions called in a process of their own: their answers, and what becomes of the process."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.processes.child import Question, answer_of, is_confined


def asked(ask: Callable[[], object], close: Callable[[], object] | None = None) -> object:
    """The answer to a question with usual limits."""
    return answer_of(Question(ask, "engine it", "built", 9, 1000, close))


def test_an_answer_comes_from_a_confined_process() -> None:
    assert asked(lambda: (is_confined(), os.getpid() == os.getsid(0))) == (True, True)
    assert not is_confined()


def written_late(file: Path) -> None:
    """Write a file after a moment."""
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
