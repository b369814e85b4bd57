"""What is installed: dependencies, extras, Pythons, and the container file."""

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

from arena.config.shipped import STARTER
from arena.errors import DISTRIBUTION, ConfigError, install_command
from arena.server.serving import check_packages

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHON = "Programming Language :: Python :: "


def test_dependencies_have_a_lowest_version_and_every_python_is_named() -> None:
    for needed in [*PROJECT["dependencies"], *EXTRAS["parquet"]]:
        assert re.fullmatch(r"[\w.-]+>=[\d.]+", needed)
    assert "--resolution lowest-direct" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    pythons = [each for each in PROJECT["classifiers"] if each.startswith(PYTHON)]
    named = [each.removeprefix(PYTHON) for each in pythons]
    first, last = (int(version.removeprefix("3.")) for version in (named[0], named[-1]))
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert named == [f"3.{minor}" for minor in range(first, last + 1)]


EXTRAS = PROJECT["optional-dependencies"]
PLACES = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("arena/**/*.py")]


@pytest.mark.parametrize("extra", ["cluster", "dashboard", "gp", "parquet", "web"])
def test_the_command_names_an_extras_packages_as_pyproject_has_them(extra: str) -> None:
    packages = [re.split("[><=]", needed)[0] for needed in EXTRAS[extra]]
    assert install_command(extra) == f"pip install {' '.join(packages)}"


def test_a_server_says_how_to_install_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.serving.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install starlette uvicorn$"):
        check_packages()


def test_no_page_and_no_message_has_pip_look_for_the_project_by_its_name() -> None:
    wrong = re.compile(rf"(pip install [^`\n]*{DISTRIBUTION})|({DISTRIBUTION}\[)")
    for place in PLACES:
        assert not wrong.search(place.read_text(encoding="utf-8")), place
    pages = "".join(page.read_text(encoding="utf-8") for page in ROOT.glob("docs/*.md"))
    assert all(install_command(extra) in pages for extra in ("cluster", "dashboard", "gp", "web"))


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
    return [argument for each, argument in stages()[stage] if each == word]


def test_it_has_its_extras_and_runs_as_an_ordinary_user_in_a_folder_of_its_own() -> None:
    (user,) = values("USER")
    assert user not in ("root", "0")
    assert any(f"useradd --create-home --uid 1000 {user}" in line for line in values("RUN"))
    assert values("WORKDIR") == [f"/home/{user}"]
    words = [word for word, _ in stages()[1]]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert "RUN" not in words[words.index("USER") :]
    (extras,) = re.findall(r"/source\[([\w,]+)\]", "\n".join(values("RUN", 0)))
    assert {"cluster", "web"} <= {*extras.split(",")} <= {*EXTRAS}


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
    home, variables = tmp_path / "home", {"PATH": "/usr/bin:/bin", "PYTHONPATH": paths}
    for words in ("init", "match ./my_engine.py random_mover --games 4"):
        finished([str(opt / "bin/arena"), *words.split()], cwd=home, env=variables, check=True)
    assert (home / "my_engine.py").read_text() == (STARTER / "my_engine.py").read_text()


def setuptools_alone(folder: Path) -> Path:
    """A folder with nothing but this environment's setuptools; skips the test without a new one."""
    found = pytest.importorskip("setuptools", minversion="77")
    folder.mkdir()
    for part in Path(found.__file__).parents[1].glob("*setuptools*"):
        (folder / part.name).symlink_to(part)
    return folder
