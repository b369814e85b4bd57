"""Forty studies played in one place are found, gone on with and proved in others."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.forty_studies import GAMES, TRIALS

SUPPORT = Path(__file__).parents[1] / "support"
SETTINGS = {"here": [], "plain": ["plain.py"], "libm": ["plain.py", "libm"]}


def command(words: list[str], *more: object) -> str:
    """What the studies' command prints, under a setting."""
    programs = [str(SUPPORT / word) if word.endswith(".py") else word for word in words]
    wrapped = [sys.executable, *programs] if programs else []
    line = [*wrapped, sys.executable, str(SUPPORT / "forty_studies.py"), *map(str, more)]
    return subprocess.run(line, check=True, capture_output=True, text=True, timeout=600).stdout


@pytest.mark.slow
def test_studies_are_found_gone_on_with_and_proved_on_other_processors(tmp_path: Path) -> None:
    played, folder = tmp_path / "played", tmp_path / "studies"
    command([], "play", folder)
    folder.rename(played)  # engines are found by their paths, which stay
    found: dict[str, dict[str, Any]] = {}
    for name, words in SETTINGS.items():
        shutil.copytree(played, folder)
        found[name] = json.loads(command(words, "go_on", folder))
        shutil.rmtree(folder)
    assert len(found["here"]) == (42 if find_spec("torch") else 37)
    for study, here in found["here"].items():
        for name in SETTINGS:
            there = found[name][study]
            before, after = there["before"], there["after"]
            assert before == here["before"], (study, name)
            assert after["asked"][: len(before["asked"])] == before["asked"], (study, name)
            assert after["told"][: len(before["told"])] == before["told"], (study, name)
            assert len(after["told"]) == TRIALS, (study, name)
            is_pruned = study.startswith("users")
            assert is_pruned or {*after["games"].values()} == {GAMES}, (study, name)
            assert before["told"], (study, name)
            if len(before["told"]) == TRIALS:
                assert after == before, (study, name)
            else:
                assert after["test"], (study, name)
