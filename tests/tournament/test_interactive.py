"""Games that a notebook plays: they are shown there, and an interrupt of the kernel keeps them."""

from __future__ import annotations

import builtins
import os
import signal
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from rich.jupyter import JupyterRenderable
from support.samples import Write
from support.studies import COIN, FIT, STUDY

import arena

MATCH = ("five_tuple:depth=1", "random_mover")
QUICK: dict[str, Any] = {"limit": "d1", "game": "gomoku:size=7", "workers": 0, "games": 8}


class ZMQInteractiveShell:
    """The shell of a notebook, by whose name rich knows it."""


class Cell:
    """What is shown below a cell, as text."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def display(self, *drawn: object, display_id: bool = False, **_: object) -> Cell | None:
        self.shown += map(self._text, drawn)
        return self if display_id else None

    def update(self, drawn: object) -> None:
        self.shown.append(self._text(drawn))

    @staticmethod
    def _text(drawn: object) -> str:
        if isinstance(drawn, JupyterRenderable):
            return drawn.text
        out = StringIO()
        Console(file=out, width=100, force_jupyter=False).print(drawn)
        return out.getvalue()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    cell, shell = Cell(), ZMQInteractiveShell()
    ipython, display = ModuleType("IPython"), ModuleType("IPython.display")
    vars(ipython).update(get_ipython=lambda: shell, display=display)
    vars(display).update(display=cell.display)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(builtins, "get_ipython", lambda: shell, raising=False)
    return cell


def interrupting(*numbers: int) -> Callable[[SimpleNamespace], None]:
    """A watcher that interrupts the process after games of these numbers."""
    seen = 0

    def watch(progress: Any) -> None:
        nonlocal seen
        seen += progress.record is not None
        if progress.record and seen in numbers:
            os.kill(os.getpid(), signal.SIGINT)

    return watch


def test_a_notebook_shows_games_the_time_left_and_the_leader(cell: Cell) -> None:
    arena.match(*MATCH, **QUICK)
    first, *_, last = cell.shown
    assert "0/8" in first
    assert "8/8" in last
    assert "left" in last
    leader = next(line for line in last.splitlines() if "100.0 %" in line)
    assert "five_tuple-depth-1" in leader


@pytest.mark.parametrize("options", [{"progress": False}, {"watch": lambda progress: None}])
def test_a_notebook_shows_nothing_if_told_so(cell: Cell, options: dict[str, Any]) -> None:
    arena.match(*MATCH, **QUICK, **options)
    assert cell.shown == []


@pytest.mark.parametrize(("progress", "last"), [(None, ""), (False, ""), (True, "8/8 ")])
def test_a_script_prints_nothing_unless_asked(
    progress: bool | None, last: str, capfd: pytest.CaptureFixture[str]
) -> None:
    arena.match(*MATCH, **QUICK, progress=progress)
    out, error = capfd.readouterr()
    assert error == ""
    assert out.splitlines()[-1:] == [] if not last else out.splitlines()[-1].startswith(last)


def played_match(watch: Any) -> Any:
    return arena.match(*MATCH, **QUICK, watch=watch)


RANDOM = [{"name": name, "engine": "random_mover"} for name in "ab"]
RUN = {"name": "r", "game": {"gomoku": {"size": 7}}, "engines": RANDOM}
PLAYED: dict[str, Callable[[Any], Any]] = {
    "match": played_match,
    "run": lambda watch: arena.run(RUN, workers=0, watch=watch),
    "study": lambda watch: arena.tune("study.yaml", workers=0, watch=watch),
    "fit": lambda watch: arena.fit("fit.yaml", workers=0, watch=watch),
}


@pytest.mark.parametrize("play", PLAYED.values(), ids=PLAYED)
def test_an_interrupt_keeps_the_games_and_says_how_to_go_on(
    play: Callable[[Any], Any], cell: Cell, write: Write
) -> None:
    write(COIN, "coin.py")
    write(STUDY, "study.yaml")
    write(FIT, "fit.yaml")
    before = signal.getsignal(signal.SIGINT)
    stopped = play(interrupting(2))
    assert type(stopped) in (arena.Run, arena.Study, arena.Fit)
    assert "after the games in flight" in cell.shown[0]
    assert "run the cell again" in cell.shown[-1]
    assert signal.getsignal(signal.SIGINT) is before
    told: list[int] = []
    play(lambda progress: told.append(progress.games) or interrupting(1)(progress))
    assert told[:2] == [2, 3]


def test_a_second_interrupt_ends_at_once_and_keeps_the_games(cell: Cell) -> None:
    with pytest.raises(KeyboardInterrupt):
        played_match(lambda progress: [interrupting(1)(progress) for _ in range(2)])
    assert len(arena.open_run("five_tuple-depth-1-vs-random_mover").games()) == 1


def test_in_a_script_an_interrupt_ends_at_once_as_in_any_other(
    capfd: pytest.CaptureFixture[str],
) -> None:
    # Where the tests run in the background of a shell, this signal is ignored at first.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            played_match(interrupting(2))
    finally:
        signal.signal(signal.SIGINT, before)
    assert capfd.readouterr() == ("", "")
    assert len(arena.open_run("five_tuple-depth-1-vs-random_mover").games()) == 2
