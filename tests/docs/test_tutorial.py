"""The tutorial: its commands run from an empty folder, one step after the other."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.processes import finished
from support.samples import ROOT

import arena
from arena.cli import arena as command
from arena.config.reader import read_config
from arena.config.shipped import STARTER, write_starter
from arena.engine import Limit
from arena.tuning.settings.reader import read_tuning

PAGES = ROOT / "docs/tutorial"
FILE = ROOT / "tests/docs/tutorial.py"
SPEC = importlib.util.spec_from_file_location("tutorial_steps", FILE)
assert SPEC
assert SPEC.loader
tutorial = importlib.util.module_from_spec(SPEC)
sys.modules["tutorial_steps"] = tutorial
SPEC.loader.exec_module(tutorial)


@pytest.mark.slow
def test_its_first_step_runs_and_what_needs_rapfi_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script itself takes all steps: CONTRIBUTING.md."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    said = list[str]()
    first, *_, last = tutorial.steps()
    for page in (first, last):
        tutorial.take(page, tmp_path, said.append)
    assert [line[:5] for line in said].count("$ are") == 3
    assert [line[:7] for line in said].count("skipped") == 3
    (run,) = (tmp_path / "results").iterdir()
    assert len(arena.open_run(run).games()) == 40


def test_its_files_can_be_read(tmp_path: Path) -> None:
    write_starter(tmp_path)
    (study,) = [block for block in tutorial.blocks(PAGES / "study.md") if block.language == "yaml"]
    file = tmp_path / "configs/two.yaml"
    file.write_text(study.text, encoding="utf-8")
    assert read_tuning(file).name == "two"


def test_its_tournament_is_the_one_that_init_writes() -> None:
    (match,) = [each for each in tutorial.blocks(PAGES / "engine.md") if each.language == "yaml"]
    assert match.text == (STARTER / "configs/match.yaml").read_text(encoding="utf-8")


def test_its_errors_are_those_that_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_starter(Path())
    file = Path("configs/match.yaml")
    text = file.read_text().replace("engine: five_tuple,", "engine: five_tupel,", 1)
    file.write_text(text.replace("width: 12", "width: 0"))
    with pytest.raises(arena.ConfigError) as caught:
        read_config(file)
    page = (PAGES / "engine.md").read_text(encoding="utf-8")
    assert f"```\n{caught.value}\n```" in page


@pytest.mark.slow
def test_the_lines_for_users_of_fastchess_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    tutorial.take(tutorial.FASTCHESS, tmp_path, lambda _: None)
    everyone, gauntlet, league = (
        arena.open_run(name, results=tmp_path / "results")
        for name in ("balance-vs-4-others", "gauntlet", "new-vs-old")
    )
    assert [len(run.games()) for run in (everyone, gauntlet, league)] == [20, 8, 2]
    assert len(everyone.standings()) == 5
    assert league.config.terms.game.parameters["rule"] == "standard"
    assert league.config.terms.memory == 350
    new, old = league.config.players
    assert new.engine.parameters["info"] == {"thread_num": 1}
    assert old.limit == Limit(seconds=3)


def test_the_page_for_users_of_fastchess_names_options_of_the_command() -> None:
    known = {option for each in command.commands["match"].params for option in each.opts}
    page = tutorial.FASTCHESS.read_text(encoding="utf-8")
    ours = " ".join(re.findall(r"^\|.*\|(.*)\|$", page, re.MULTILINE))
    assert {*re.findall(r"--[a-z]+", ours)} <= known


OURS = [
    span
    for row in re.findall(r"^\| `-.*\| (.*) \|$", tutorial.FASTCHESS.read_text(), re.MULTILINE)
    for span in re.findall(r"`([^`]*)`", row)
    if span.startswith(("arena ", "./", '"', "--", *"0123456789d"))
]
"""What the table for users of fastchess says to type here, in its order."""


@pytest.mark.slow
@pytest.mark.parametrize("line", OURS)
def test_each_line_for_users_of_fastchess_runs(line: str, brains: Path) -> None:
    words = shlex.split(line.replace("NAME", "kept -o games.sgf").replace("FOLDER", "talk"))
    if words[0][0] == "-":
        words = ["./new", "./old", *words]
    elif words[0][0] in "0123456789d":
        words = ["./new", "./old", "--limit", *words]
    elif words[0] != "arena":
        words = [words[0], "./old"]
    if words[0] != "arena":
        words = ["arena", "match", *words]
    limit = [] if {"--limit", "--preset"} & {*words} else ["--limit", "5s"]
    if words[1] == "match":
        games = [words.pop(words.index("--games") + 1)] if "--games" in words else []
        words = [word for word in words if word != "--games"] if games else words
        words += [*limit, "--games", "2", "--name", "tried", "--workers", "1", "--fresh"]
    done = finished(words, cwd=brains, text=True)
    assert done.returncode == 0, done.stderr
    assert "crash" not in done.stdout


@pytest.fixture(scope="module")
def brains(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the brains and the book that the table names, and a match."""
    folder = tmp_path_factory.mktemp("fastchess")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
        for name, depth in (("new", 1), ("old", 1)):
            engine = f"five_tuple:depth={depth}"
            finished(["arena", "brain", engine, "--write", name], cwd=folder, check=True)
        (folder / "book.txt").write_text("0,0 1,1 2,0\n")
        match = ["arena", "match", "./new", "./old", "--limit", "5s", "--games", "2"]
        finished([*match, "--name", "kept", "--workers", "1"], cwd=folder, check=True)
        yield folder
