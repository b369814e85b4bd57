"""The tutorial: its commands run from an empty folder, one step after the other."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from support.samples import ROOT

FILE = ROOT / "tests/docs/tutorial.py"
SPEC = importlib.util.spec_from_file_location("tutorial_steps", FILE)
assert SPEC
assert SPEC.loader
tutorial = importlib.util.module_from_spec(SPEC)
sys.modules["tutorial_steps"] = tutorial
SPEC.loader.exec_module(tutorial)


@pytest.mark.slow
def test_its_steps_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    said = list[str]()
    for page in tutorial.steps():
        tutorial.take(page, tmp_path, said.append)
    runs = {folder.name for folder in (tmp_path / "results").iterdir()}
    assert {"match", "narrower", "study", "two"} <= runs
    assert len([line for line in said if line.startswith("skipped")]) == 3


def test_it_has_five_steps_of_which_only_the_last_needs_what_is_not_here() -> None:
    needs = {
        page.stem: {block.needs for block in tutorial.blocks(page)} for page in tutorial.steps()
    }
    assert list(needs) == ["match", "engine", "test", "study", "rapfi"]
    assert [name for name, needed in needs.items() if needed - {""}] == ["rapfi"]


def test_its_yaml_begins_with_the_file_to_save_it_in() -> None:
    for page in tutorial.steps():
        for block in tutorial.blocks(page):
            assert block.language != "yaml" or block.text.startswith("# configs/")
