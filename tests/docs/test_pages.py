"""The pages for readers lead somewhere, and files that a forge and a release read are so."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from support.processes import finished
from support.samples import ROOT

import arena
from arena.cli import arena as command
from arena.commands.playing import FAULTY

PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("changes/*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("research/**/*.md"),
    *ROOT.glob("results/*.md"),
]
STARTER = ROOT / "configs/starter"  # The files that `arena init` writes
FOLDERS = r"(?:arena|configs|docs|engines|research|tests)/"


def found(pattern: str) -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for match in re.findall(pattern, page.read_text(encoding="utf-8")):
            yield page, match


def is_there(name: str, page: Path) -> bool:
    """True for a file of the repository, of the folder that `arena init` fills, or, on a page of
    `research/`, of that folder."""
    folders = ROOT, STARTER, *(each for each in page.parents if each == ROOT / "research")
    return any((folder / name).exists() for folder in folders)


@cache
def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.exists() and (not anchor or anchor in anchors(target))


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    links = [(page, link) for page, link in found(r"\]\(([^)\s]*)\)") if "://" not in link]
    assert len(links) > 50
    assert not [(page.name, link) for page, link in links if not leads_somewhere(page, link)]


def test_every_file_that_is_named_is_there() -> None:
    named = [*found(rf"`({FOLDERS}[\w./]*)`")]
    named = [(page, name) for page, name in named if "NAME." not in name]  # a file to be added
    assert len(named) > 50
    assert not [(page.name, name) for page, name in named if not is_there(name, page)]


def test_every_file_that_a_command_is_given_is_there() -> None:
    typed = [*found(r"(?:arena|pytest)[^`\n]* ((?:configs|research|tests)/[\w./]+)")]
    typed = [(page, name) for page, name in typed if not re.search("bold_threes|NAME\\.", name)]
    assert len(typed) > 10
    for page, name in typed:
        is_shown = f"# {name}\n" in page.read_text(encoding="utf-8")  # the page has it, to be saved
        assert is_there(name, page) or is_shown, (page.name, name)


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
STABILITY = (ROOT / "docs/stability.md").read_text(encoding="utf-8")


def read(file: Path) -> dict[str, Any]:
    return dict(YAML(typ="safe").load(file))


def jobs(file: Path) -> dict[str, Any]:
    return dict(read(file)["jobs"])


def test_only_the_job_that_publishes_may_ask_for_a_token_and_none_has_a_password() -> None:
    for file in WORKFLOWS:
        assert read(file)["permissions"] == {"contents": "read"}
        assert "secrets" not in file.read_text(encoding="utf-8")
        asking = [name for name, job in jobs(file).items() if "permissions" in job]
        assert asking == (["publish"] if file.stem == "release" else [])


def test_workflows_try_every_python_that_is_promised() -> None:
    named = {text.split(" :: ")[-1] for text in PROJECT["project"]["classifiers"]}
    matrix = jobs(ROOT / ".github/workflows/check.yml")
    tried = {*matrix["pythons"]["strategy"]["matrix"]["python"], "3.11"}
    assert tried == {name for name in named if name.startswith("3.")}


def test_the_tag_of_a_release_must_be_the_version(tmp_path: Path) -> None:
    steps = jobs(ROOT / ".github/workflows/release.yml")["build"]["steps"]
    (script,) = [each["run"] for each in steps if "tag" in each.get("name", "")]
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    version = PROJECT["project"]["version"]
    for tag, status in ((f"v{version}", 0), ("v9.9.9", 1)):
        done = finished(["bash", "-c", script], cwd=tmp_path, env={"GITHUB_REF_NAME": tag})
        assert done.returncode == status


def test_the_citation_and_the_changes_are_of_this_version() -> None:
    version = PROJECT["project"]["version"]
    assert str(read(ROOT / "CITATION.cff")["version"]) == version
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## (\S+)", changes, re.MULTILINE)[0]
    # What a version to come changes stands in `changes` until it is released.
    assert newest != version if ".dev" in version else newest == version


@pytest.mark.skipif(not importlib.util.find_spec("towncrier"), reason="no towncrier")
def test_a_fragment_comes_into_the_changes(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes/7.added.md").write_text("Games can be whistled.")
    build = [sys.executable, "-m", "towncrier", "build", "--yes", "--version", "0.2.0"]
    finished([*build, "--date", "2027-01-02"], cwd=tmp_path, check=True)
    text = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.index("## 0.2.0 (2027-01-02)") < text.index("whistled") < text.index("## 0.1.0")


def test_every_fragment_has_a_kind() -> None:
    kinds = "|".join(kind["directory"] for kind in PROJECT["tool"]["towncrier"]["type"])
    fragments = [file.name for file in (ROOT / "changes").glob("*.md") if file.stem != "README"]
    assert not [name for name in fragments if not re.fullmatch(rf"[+\w-]+\.({kinds})\.md", name)]


def test_the_promise_names_files_commands_and_statuses_that_are_so() -> None:
    table = STABILITY.partition("## Exit statuses")[2]
    assert f"| {FAULTY} | `run`, `match`, `tune`, `fit` |" in table
    for cell in re.findall(r"^\|[^|]*\|([^|]*)\|", table, re.MULTILINE):
        for name in re.findall(r"`([a-z]+)", cell):
            assert name in command.commands, name
    assert "arena.__all__" in STABILITY
    assert arena.__all__
