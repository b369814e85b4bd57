"""The page about gates: its script ends with the verdict, and its job is one of GitHub's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from support.processes import finished
from support.samples import ROOT

PAGE = (ROOT / "docs/gate.md").read_text(encoding="utf-8")
(SCRIPT,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
(JOB,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)

BUILDS = {"sound": "brain_fives.py", "crippled": "brain_first.py"}
SMALL = {
    "BUILD": f"{{ echo '#!{sys.executable}'; cat brain.py; }} > pbrain; chmod +x pbrain",
    "GAME": "size: 9",
    "LIMIT": "seconds: 10",
    "ELO1": "300",
    "PAIRS": "20",
    "WORKERS": "2",
}


def git(folder: Path, *words: str) -> None:
    author = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    finished(["git", *author, *words], cwd=folder, check=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A brain's repository, with the script and a tag for each of its builds."""
    git(tmp_path, "init", "--quiet")
    (tmp_path / "gate.sh").write_text(SCRIPT)
    for tag, brain in BUILDS.items():
        (tmp_path / "brain.py").write_text((ROOT / "tests/data" / brain).read_text())
        git(tmp_path, "add", "brain.py")
        git(tmp_path, "commit", "--quiet", "-m", tag)
        git(tmp_path, "tag", tag)
    return tmp_path


def gate(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | SMALL | variables | {"PATH": path}
    return finished(["sh", "gate.sh"], cwd=folder, env=environment, text=True)


@pytest.mark.slow
def test_its_script_ends_with_the_verdict_both_ways_and_again(repository: Path) -> None:
    better = gate(repository, OLD="crippled", NEW="sound")
    assert better.returncode == 0, better.stderr
    assert "H1" in better.stdout
    worse = gate(repository, OLD="sound", NEW="crippled")
    assert worse.returncode == 1, worse.stderr
    assert "H0" in worse.stdout
    assert "Traceback" not in worse.stderr
    again = gate(repository, OLD="sound", NEW="crippled")
    assert again.returncode == 1
    assert "played before" in again.stdout


@pytest.mark.slow
def test_its_script_is_undecided_stops_in_time_and_tells_of_a_build_that_fails(
    repository: Path,
) -> None:
    builds = {"OLD": "crippled", "NEW": "sound"}
    assert gate(repository, **builds, BUILD="false").returncode == 2
    stopped = gate(repository, **builds, AT_MOST="1.5s", ELO1="1", PAIRS="1000")
    assert stopped.returncode == 130, stopped.stderr
    undecided = gate(repository, **builds, PAIRS="2")
    assert undecided.returncode == 3, undecided.stderr


def test_a_revision_that_is_not_there_is_named_and_so_is_an_arena_that_is_not(
    repository: Path, tmp_path: Path
) -> None:
    wrong = gate(repository, OLD="tpyo", NEW="sound")
    assert wrong.returncode == 2
    assert wrong.stderr == "gate.sh: no such revision: tpyo\n"
    nothing = {"cwd": repository, "env": {"PATH": str(tmp_path / "empty")}}
    without = finished([str(shutil.which("sh")), "gate.sh"], **nothing, text=True)
    assert without.returncode == 2
    assert "gate.sh: arena is not installed: set ARENA" in without.stderr


def test_its_job_runs_the_script_keeps_the_games_and_has_steps_that_shells_can_read() -> None:
    job: Any = YAML(typ="safe").load(JOB)["jobs"]["gate"]
    runs = [step["run"] for step in job["steps"] if "run" in step]
    assert any("sh gate.sh" in run for run in runs)
    for run in (SCRIPT, *runs):
        assert finished(["sh", "-n"], input=run, text=True).returncode == 0
    kept = [step["with"] for step in job["steps"] if "cache/" in step.get("uses", "")]
    assert [each["path"].split() for each in kept] == [["results", "build-*"]] * 2
    assert kept[0]["key"] == kept[1]["key"]
    assert kept[0]["key"].startswith(kept[0]["restore-keys"])


def test_its_script_asks_for_nothing_that_it_does_not_set() -> None:
    named = set(re.findall(r"\$\{?([A-Z][A-Z0-9_]*)", SCRIPT)) - {"PWD", "PATH"}
    assert named == set(re.findall(r'"\$\{(\w+):=', SCRIPT))
