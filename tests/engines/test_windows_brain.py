"""A Windows brain plays under Wine."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support.processes import finished, living_in
from support.samples import ROOT

import arena
from arena.config.yaml_file import dump

COMPILER = "x86_64-w64-mingw32-gcc"
MISSING = [program for program in ("wine", COMPILER) if not shutil.which(program)]


@pytest.fixture
def windows_brain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A brain compiled for Windows, with a Wine of its own that has been started before."""
    monkeypatch.setenv("WINEPREFIX", str(tmp_path / "prefix"))
    monkeypatch.setenv("WINEDEBUG", "-all")
    program = tmp_path / "pbrain-first.exe"
    source = ROOT / "research/benchmarks/at_once.c"
    finished([COMPILER, "-O2", "-o", str(program), str(source)], check=True)
    finished(["wine", str(program)], stdin=subprocess.DEVNULL, check=True, timeout=120)
    return program


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_windows_brain_plays(windows_brain: Path, workers: int) -> None:
    command = {"engine": "gomocup", "command": ["wine", windows_brain.name], "startup": 60}
    tournament = {
        "name": "windows",
        "game": {"gomoku": {"size": 15}},
        "openings": {"list": ["7,7 7,8"]},
        "limit": {"seconds": 5},
        "engines": [{"name": "theirs", **command, "folder": "."}, {"engine": "random_mover"}],
    }
    file = windows_brain.parent / "windows.yaml"
    file.write_text(dump(tournament), encoding="utf-8")
    run = arena.run(file, workers=workers, results=windows_brain.parent / "results")
    games = run.report().games
    assert set(games["reason"]) <= {"line", "full board"}
    assert len(games) == 2
    assert living_in(windows_brain.parent) == []
