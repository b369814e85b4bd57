"""The container file: an ordinary user, and steps that can be typed by hand."""

from __future__ import annotations

import os
import re
import sys
import tomllib
import venv
from pathlib import Path

import pytest
from support.processes import finished
from support.samples import ROOT

FILE = ROOT / "Containerfile"
OFFLINE = " --no-build-isolation --no-deps --no-compile --no-index --quiet"
KNOWN = {"FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "EXPOSE", "ENTRYPOINT", "CMD"}


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage: word and argument. Raises ValueError for an unknown one."""
    found: list[list[tuple[str, str]]] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        word, _, argument = line.partition(" ")
        if word not in KNOWN:
            raise ValueError(f"{word} is no instruction")
        if word == "FROM":
            found.append([])
        found[-1].append((word, argument))
    return found


def values(word: str, stage: int = 1) -> list[str]:
    """The arguments of an instruction in a stage."""
    return [argument for each, argument in stages()[stage] if each == word]


def test_it_runs_as_an_ordinary_user_in_a_folder_of_its_own() -> None:
    (user,) = values("USER")
    assert user not in ("root", "0")
    assert any(f"useradd --create-home --uid 1000 {user}" in line for line in values("RUN"))
    assert values("WORKDIR") == [f"/home/{user}"]
    words = [word for word, _ in stages()[1]]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert "RUN" not in words[words.index("USER") :]


def test_its_extras_are_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (extras,) = re.findall(r"/source\[([\w,]+)\]", "\n".join(values("RUN", 0)))
    assert {*extras.split(",")} <= {*project["optional-dependencies"]}
    assert {"cluster", "web"} <= {*extras.split(",")}


@pytest.mark.slow
def test_its_steps_install_an_arena_that_runs(tmp_path: Path) -> None:
    """The steps that need no daemon, no Debian and no network: environment, install, entry."""
    opt = tmp_path / "opt"
    typed = [line for line in values("RUN", 0) if not line.startswith("apt-get")]
    assert typed[0] == "python3 -m venv /opt/arena"
    venv.create(opt, with_pip=True)
    install = typed[1].replace("/opt/arena", str(opt)).replace("/source", str(ROOT))
    install = install.replace("[cluster,parquet,web]", "") + OFFLINE
    variables = {**os.environ, "PYTHONPATH": str(setuptools_alone(tmp_path / "tools"))}
    finished(["/bin/sh", "-c", install], check=True, cwd=tmp_path, env=variables)
    # What it depends on is that of this environment.
    paths = os.pathsep.join(each for each in sys.path if each.endswith("site-packages"))
    (tmp_path / "home").mkdir()
    shown = finished(
        [str(opt / "bin/arena"), "games"],
        cwd=tmp_path / "home",
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": paths},
        text=True,
        check=True,
    )
    assert "two_eat_one" in shown.stdout


def setuptools_alone(folder: Path) -> Path:
    """A folder with nothing but this environment's setuptools; skips the test without a new one."""
    found = pytest.importorskip("setuptools", minversion="77")
    folder.mkdir()
    for part in Path(found.__file__).parents[1].glob("*setuptools*"):
        (folder / part.name).symlink_to(part)
    return folder
