"""Extras: the packages that pip is told to install, in messages and on the pages."""

from __future__ import annotations

import re
import tomllib

import pytest
from support.samples import ROOT

from arena.errors import DISTRIBUTION, ConfigError, install_command
from arena.server.serving import check_packages

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PLACES = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("arena/**/*.py")]


@pytest.mark.parametrize("extra", ["cluster", "dashboard", "gp", "parquet", "web"])
def test_the_command_names_an_extras_packages_as_pyproject_has_them(extra: str) -> None:
    packages = [re.split("[><=]", needed)[0] for needed in EXTRAS[extra]]
    assert install_command(extra) == f"pip install {' '.join(packages)}"


def test_a_server_without_its_packages_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.server.serving.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install starlette uvicorn$"):
        check_packages()


def test_no_page_and_no_message_has_pip_look_for_the_project_by_its_name() -> None:
    wrong = re.compile(rf"(pip install [^`\n]*{DISTRIBUTION})|({DISTRIBUTION}\[)")
    for place in PLACES:
        assert not wrong.search(place.read_text(encoding="utf-8")), place


def test_pages_name_the_packages_of_extras() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in ROOT.glob("docs/*.md"))
    assert all(install_command(extra) in pages for extra in ("cluster", "dashboard", "gp", "web"))
