"""Benchmarks are found by the names of their files."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
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
    rows = runner.measured("mine", 7, None)
    assert list(rows) == [{"name": "mine", "runs": 7, "seconds": 0.5}]


ROWS = [
    {"name": "one", "runs": 7, "seconds": 0.5},
    {"name": "the second", "runs": 12_345, "seconds": 1234.5},
    {"name": "other", "nodes_per_second": None},
]


def test_people_read_a_table_that_begins_anew_with_other_columns() -> None:
    table = """
                           name         runs      seconds
                            one            7        0.500
                     the second       12,345        1,234
                           name  nodes_per_second
                          other                  """
    assert list(runner.bench_lines(ROWS, as_json=False)) == table.splitlines()[1:]


@pytest.mark.parametrize("rows", [[], ROWS[:1], ROWS])
def test_programs_read_a_list(rows: list[timing.Measurement]) -> None:
    assert json.loads("\n".join(runner.bench_lines(rows, as_json=True))) == rows


@pytest.mark.parametrize("as_json", [False, True])
def test_a_row_is_printed_before_the_next_one_is_measured(as_json: bool) -> None:
    taken = list[str]()

    def rows() -> Iterator[timing.Measurement]:
        for row in ROWS:
            taken.append(row["name"])
            yield row

    assert next(runner.bench_lines(rows(), as_json))
    assert taken == ["one"]


def test_the_command_shows_its_first_row_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second measurement fails, and the first is on the screen."""

    def rows(repeat: int) -> Iterator[timing.Measurement]:
        yield {"name": "mine", "runs": repeat}
        raise ConfigError("no more")

    monkeypatch.setattr(load, "factory", lambda kind, name: rows)
    done = CliRunner().invoke(bench, ["match", "--repeat", "7"])
    assert str(done.exception) == "no more"
    assert done.output.split() == ["name", "runs", "mine", "7"]


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
