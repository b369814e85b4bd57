"""A new kind of experiment is a file in experiments/, one in config/, and a command: it then has a
report, a page, csv, a cell in a notebook, and a place in the list of runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.samples import ROOT

PATCH = ROOT / "research" / "exercises" / "limits.patch"
FILE = """\
kind: limits
name: ladder
game: {gomoku: {size: 9}}
engine: {engine: five_tuple}
limits: [{depth: 1}, {depth: 2}]
openings: {random: {plies: 4, count: 2, seed: 3}}
"""
NOTEBOOK = """\
from pathlib import Path
from arena.experiment import open_experiment
from arena.server.watch.run_list import readable_summary
from arena.server.watch.followed_run import snapshot_of
print(open_experiment("ladder").answer()._repr_html_())
print(readable_summary(Path("results/ladder")).verdict.text)
print(snapshot_of(Path("results/ladder")).document.subtitle)
"""


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("patched")
    for name in ("arena", "engines"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(["git", "apply", PATCH], cwd=folder, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    (folder / "ladder.yaml").write_text(FILE)
    python(folder, "-m", "arena", "limits", "ladder.yaml")
    return folder


def python(folder: Path, *words: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.slow
def test_the_patch_is_one_experiment_one_config_and_one_command() -> None:
    changed = [line.split()[2] for line in PATCH.read_text().splitlines() if line[:5] == "diff "]
    made = [f"a/arena/{place}/limits.py" for place in ("commands", "config", "experiments")]
    assert changed == ["a/arena/cli.py", *made]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["report", "ladder"], "What each step buys"),
        (["report", "ladder", "--format", "markdown"], "| depth 2 | depth 1 |"),
        (["report", "ladder", "--format", "csv"], "limit,before,games,score,elo,elo_low,elo_high"),
        (["report", "ladder", "--format", "html"], 'id="limits-title">What each step buys<'),
        (["report", "ladder", "--format", "csv", "--frame", "standings"], "name,games,wins"),
        (["ratings"], "depth 2"),
    ],
)
def test_it_has_every_form_of_a_report(patched: Path, words: list[str], told: str) -> None:
    assert told in python(patched, "-m", "arena", *words)


@pytest.mark.slow
def test_it_has_a_cell_in_a_notebook_and_a_live_view(patched: Path) -> None:
    told = python(patched, "-c", NOTEBOOK.replace('"ladder")', '"results/ladder")', 1))
    assert "<td>depth 2</td>" in told
    assert "1 steps up gain for sure" in told
    assert "One engine at several limits" in told
