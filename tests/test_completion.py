"""Shell completion and `--version`: answers as a shell and a person get them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from support.samples import ROOT

from arena.cli import arena
from arena.commands.version import PACKAGE, commit
from arena.plugins.load import module, names


def completed(*words: str) -> list[str]:
    """The words that a shell offers for the last of these."""
    shell = ShellComplete(arena, {}, "arena", "_ARENA_COMPLETE")
    return [item.value for item in shell.get_completions([*words[:-1]], words[-1])]


@pytest.mark.parametrize(
    "before", [["engines"], ["match"], ["match", "strong"], ["play", "human"], ["bench"], ["brain"]]
)
def test_engines_are_completed_wherever_one_is_typed(before: list[str]) -> None:
    assert completed(*before, "five") == ["five_tuple"]


def test_games_and_formats_are_completed_by_their_names() -> None:
    assert completed("games", "") == [*names("game")]
    assert completed("formats", "sw") == ["swiss"]
    assert completed("match", "strong", "balance", "--game", "ren") == ["renju"]


def test_a_path_is_left_to_the_shell() -> None:
    shell = ShellComplete(arena, {}, "arena", "_ARENA_COMPLETE")
    (item,) = shell.get_completions(["match"], "./my")
    assert (item.value, item.type) == ("./my", "file")


@pytest.mark.parametrize("command", ["report", "replay", "export"])
def test_runs_are_those_in_the_folder_of_results(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("round", "rapid", "match"):
        (tmp_path / "results" / name).mkdir(parents=True)
        (tmp_path / "results" / name / "config.yaml").touch()
    (tmp_path / "results" / "rest").mkdir()
    monkeypatch.chdir(tmp_path)
    assert completed(command, "r") == ["rapid", "round"]
    monkeypatch.chdir("/")
    assert completed(command, "--results", str(tmp_path / "results"), "m") == ["match"]


def test_frames_are_those_that_reports_have() -> None:
    assert completed("report", "--frame", "sta") == ["standings"]
    kinds = [module("experiment", name) for name in names("experiment")]
    assert {*completed("report", "--frame", "")} == {each for kind in kinds for each in kind.FRAMES}


def test_the_version_has_the_commit_of_a_checkout() -> None:
    shown = CliRunner().invoke(arena, ["--version"]).output
    known = commit()
    assert re.fullmatch(
        r"arena \d+\.\d+\.\d+(\.dev\d+)?( \(commit [0-9a-f]{7,}(-dirty)?\))?\n", shown
    )
    assert ("commit" in shown) == bool(known)
    if (ROOT / ".git").exists():
        assert known


def test_what_was_built_has_the_commit_that_it_was_built_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "commit.txt").write_text("1a2b3c4\n")
    monkeypatch.setattr("arena.commands.version.PACKAGE", tmp_path)
    assert CliRunner().invoke(arena, ["--version"]).output.endswith(" (commit 1a2b3c4)\n")
    monkeypatch.setattr("arena.commands.version.PACKAGE", tmp_path / "elsewhere")
    assert "commit" not in CliRunner().invoke(arena, ["--version"]).output
    assert (PACKAGE / "cli.py").is_file()
