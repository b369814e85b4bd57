"""Fixtures that many tests need: a tournament's file, made from a few lines, and a browser."""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import compress
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

# Each worker of pytest has one core: matrices in threads only get in the way of the others.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import given, settings, strategies as st
from support import sweep
from support.browsers import chromium
from support.samples import ROUND, Write

from arena.storage import connection

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from arena.game import Game, Position

# A machine that others use, too, makes any example slow now and then. The same few examples each
# time, so that who changes nothing sees nothing fail; to look for more:
# --hypothesis-profile=searching, and for still more rubbish: --hypothesis-profile=thorough.
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("searching", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=20_000)
settings.load_profile("steady")


# Reports tell of a busy machine, which one that tests is.
os.getloadavg = lambda: (0.5, 0.5, 0.5)


class Watched(sqlite3.Connection):
    """Holds a connection that complains if it is not closed, as all do from Python 3.13 on."""

    is_closed = True

    def __init__(self, *values: Any, **options: Any) -> None:
        super().__init__(*values, **options)
        self.is_closed = False

    def close(self) -> None:
        super().close()
        self.is_closed = True

    def __del__(self) -> None:
        if not self.is_closed:
            warnings.warn(f"unclosed database in {self!r}", ResourceWarning, stacklevel=2)


if sys.version_info < (3, 13):
    sqlite3.dbapi2.connect = sqlite3.connect = partial(sqlite3.connect, factory=Watched)

    class WatchedPatient(Watched, connection.PatientConnection):
        pass

    connection.PatientConnection = WatchedPatient  # type: ignore[misc]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file into the test's folder: `write(text, "round.yaml")`."""

    def write(text: str = ROUND, name: str = "round.yaml") -> Path:
        file = tmp_path / name
        file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        return file

    return write


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a config be read without drawing thousands of openings: one stands for all of them."""

    def first(game: Game, plies: int, *_: object) -> Position:
        p = game.start()
        for _ in range(plies):
            p = game.play(p, game.moves(p)[0])
        return p

    monkeypatch.setattr("arena.match.openings.random.fresh", first)


@pytest.fixture(scope="session", name="browser")
def fixture_browser() -> Iterator[Browser]:
    """The browser that all tests of pages share: a process can drive but one."""
    with chromium() as browser:
        yield browser


def pytest_configure(config: pytest.Config) -> None:
    if config.option.markexpr == "sweep":
        sweep.step = sweep.WHOLE


def pytest_collection_finish() -> None:
    """Thousands of tests stay to the end: the garbage collector need not look at them again.

    Hypothesis looks for the owners of its random numbers at its first example, which it could not
    find once they are frozen: so that one comes before.
    """
    given(st.none())(lambda _: None)()
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)  # after the tests of other markers are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.quarter:
        is_tried = [sweep.is_quarter_in_turn(each.nodeid) for each in items]
        left_out = [each for each, tried in zip(items, is_tried, strict=True) if not tried]
        config.hook.pytest_deselected(items=left_out)
        items[:] = compress(items, is_tried)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quarter", action="store_true", help="run a quarter of the tests, in turn")
    parser.addoption("--golden-update", action="store_true", help="write the golden files anew")
