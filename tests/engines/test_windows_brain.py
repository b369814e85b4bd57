"""A Windows brain plays under Wine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.processes import finished, living_in
from support.samples import ROOT

import arena
from arena.config.yaml_file import dump

COMPILER = "x86_64-w64-mingw32-gcc"
MISSING = [program for program in ("wine", COMPILER) if not shutil.which(program)]


@pytest.fixture
def windows_brain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A brain compiled for Windows, with a Wine of its own that was never started before."""
    monkeypatch.setenv("WINEPREFIX", str(tmp_path / "prefix"))
    monkeypatch.delenv("WINEDEBUG", raising=False)
    program = tmp_path / "pbrain-first.exe"
    source = ROOT / "research/benchmarks/at_once.c"
    finished([COMPILER, "-O2", "-o", str(program), str(source)], check=True)
    yield program
    finished(["wineserver", "-k"])


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("command", ["./pbrain-first.exe", ["wine", "pbrain-first.exe"]])
def test_a_windows_brain_plays_although_others_end(
    windows_brain: Path, workers: int, command: str | list[str]
) -> None:
    theirs = {"engine": "gomocup", "command": command, "fresh": True}
    tournament = {
        "name": "windows",
        "game": {"gomoku": {"size": 15}},
        "openings": {"random": {"count": 4}},
        "limit": {"seconds": 5},
        "engines": [{"name": "theirs", **theirs, "folder": "."}, {"engine": "random_mover"}],
    }
    file = windows_brain.parent / "windows.yaml"
    file.write_text(dump(tournament), encoding="utf-8")
    run = arena.run(file, workers=workers, results=windows_brain.parent / "results")
    games = run.report().games
    assert set(games["reason"]) <= {"line", "full board"}
    assert len(games) == 8
    log = (run.folder / "arena.log").read_text(encoding="utf-8")
    assert "wine32" not in log
    assert ":err:" not in log
    assert living_in(windows_brain.parent) == []
