"""What is told of games where there is no terminal: lines, standings now and then, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from arena.cli import arena as command
from arena.report import live
from arena.report.live import MAX_LINES, watching
from arena.report.outlook import LiveTable, Progress, View


class Played(Progress):
    def view(self) -> View:
        return View(["a note", LiveTable(("name", "games"), [["alpha", str(self.games)]])])

    @property
    def lines(self) -> list[str]:
        return [f"game {self.games} ended"] if self.games else []


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    now = [0.0]
    with monkeypatch.context() as patch:
        patch.setattr(live.time, "monotonic", lambda: now[0])
        yield now


def told(clock: list[float], total: int | None, seconds: float, games: int) -> list[str]:
    """What is told of so many games, each of which takes so many seconds."""
    lines: list[str] = []
    with watching(Console(file=StringIO()), lines.append, "first") as watch:
        for played in range(games + 1):
            watch(Played(games=played, total=total, record=None))
            clock[0] += seconds
    return [each for each in lines if "games, played before" not in each and "0/" not in each[:2]]


def test_a_short_run_is_told_game_by_game(clock: list[float]) -> None:
    lines = [line for line in told(clock, MAX_LINES, 60, MAX_LINES) if "ended" in line]
    assert lines == [f"{n}/{MAX_LINES} game {n} ended" for n in range(1, MAX_LINES + 1)]


def test_a_long_run_is_told_by_standings_now_and_then(clock: list[float]) -> None:
    lines = told(clock, 10_000, 1, 10_000)
    blocks = [line for line in lines if "alpha" in line]
    assert len([line for line in lines if "ended" in line]) == MAX_LINES
    assert 18 <= len(blocks) <= 20
    assert blocks[0].split() == ["700/10000", "games", "a", "note", "name", "games", "alpha", "700"]


def test_standings_come_no_oftener_than_each_minute_and_within_ten(clock: list[float]) -> None:
    quick = [line for line in told(clock, 10_000, 0.01, 10_000) if "alpha" in line]
    assert len(quick) == 1
    slow = [line for line in told(clock, None, 30, 1_000) if "alpha" in line]
    assert len(slow) == (1_000 - MAX_LINES) * 30 // 600


def test_quiet_shows_the_report_and_nothing_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    two = ("match", "random_mover", "random_mover", "--limit", "d1", "--game", "gomoku:size=7")
    how = ("--openings", "random", "--workers", "0", "--games", "2")
    spoken = CliRunner().invoke(command, [*two, *how, "--name", "spoken"]).stdout.splitlines()
    quiet = CliRunner().invoke(command, [*two, *how, "--name", "quiet", "--quiet"]).stdout
    assert [line for line in spoken if line.startswith("2/2 ")]
    first, second, *_ = quiet.splitlines()
    assert first.startswith("Playing quiet.yaml")
    assert second.startswith("Not decided")
