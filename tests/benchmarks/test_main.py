"""`python -m benchmarks`: its commands are the files of benchmarks/measures, and one more."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.samples import ROOT

from benchmarks.__main__ import main, measure_command

MINE = """
'Nothing at all.'

def rows(repeat):
    yield {"name": "mine", "runs": repeat, "seconds": 0.5}
"""


def row(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    (found,) = json.loads(done.stdout)
    return dict(found)


def test_a_new_benchmark_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    measures = importlib.import_module("benchmarks.measures")
    monkeypatch.setattr(measures, "__path__", [*measures.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    command = measure_command(tmp_path / "mine.py")
    assert command.help == "Nothing at all."
    done = CliRunner().invoke(command, ["--repeat", "7", "--json"])
    assert json.loads(done.stdout) == [{"name": "mine", "runs": 7, "seconds": 0.5}]


@pytest.mark.parametrize("name", sorted(main.commands))
def test_the_page_names_every_benchmark(name: str) -> None:
    assert f"\n`{name}` " in (ROOT / "research/benchmarks/README.md").read_text(encoding="utf-8")


def test_the_help_tells_what_a_benchmark_is() -> None:
    assert "The referee: microseconds a ply" in CliRunner().invoke(main, ["match", "--help"]).output


@pytest.mark.slow
def test_the_referee_is_measured() -> None:
    assert row("match", "--repeat", "1", "--json")["microseconds_per_ply"] > 0
    assert row("renju", "--repeat", "1", "--json")["milliseconds_per_board"] > 0
    found = row("ratings", "--repeat", "1", "--json")
    assert (found["players"], found["games"]) == (20, 100_320)
    assert found["seconds"] > 0
