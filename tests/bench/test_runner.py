"""Benchmarks are found by the names of their files."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.bench import measures, runner, timing
from arena.commands.bench import bench
from arena.errors import ConfigError
from arena.plugins import load

MINE = '''
"""Nothing at all."""

def rows(repeat):
    yield {"name": "mine", "runs": repeat, "seconds": 0.5}
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of one's own among the benchmarks."""
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    monkeypatch.setattr(measures, "__path__", [*measures.__path__, str(tmp_path)])
    importlib.invalidate_caches()


@pytest.mark.usefixtures("mine")
def test_a_new_benchmark_is_one_file() -> None:
    rows = runner.run_bench("mine", 7, None)
    assert rows == [{"name": "mine", "runs": 7, "seconds": 0.5}]
    assert runner.rows_text(rows, as_json=False) == "name  runs  seconds\nmine     7    0.500"


@pytest.mark.parametrize("name", load.names("benchmark"))
def test_the_command_and_the_documentation_name_every_benchmark(name: str) -> None:
    assert name in CliRunner().invoke(bench, ["--help"]).output
    page = Path(__file__).parents[2] / "docs/benchmarks.md"
    assert f"\n`{name}` " in page.read_text(encoding="utf-8")
    assert callable(load.factory("benchmark", name))


def test_the_help_tells_what_a_benchmark_is() -> None:
    assert (
        "The referee: microseconds a ply of Gomoku" in CliRunner().invoke(bench, ["--help"]).output
    )


def test_a_program_that_takes_no_measurable_time_cannot_be_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(timing, "getrusage", lambda _: (0.0, 0.0))
    with pytest.raises(ConfigError, match="true: took no measurable time"):
        timing.timed_program(["true"])()
