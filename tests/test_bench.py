"""`arena bench`: rows as they are measured, as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from arena.bench import Measurement, bench_lines, measured, timed_program
from arena.commands.bench import bench
from arena.errors import ConfigError

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
    assert list(bench_lines(ROWS, as_json=False)) == table.splitlines()[1:]


@pytest.mark.parametrize("rows", [[], ROWS[:1], ROWS])
def test_programs_read_a_list(rows: list[Measurement]) -> None:
    assert json.loads("\n".join(bench_lines(rows, as_json=True))) == rows


@pytest.mark.parametrize("as_json", [False, True])
def test_a_row_is_printed_before_the_next_one_is_measured(as_json: bool) -> None:
    taken = list[str]()

    def rows() -> Iterator[Measurement]:
        for row in ROWS:
            taken.append(row["name"])
            yield row

    assert next(bench_lines(rows(), as_json))
    assert taken == ["one"]


def test_the_command_shows_its_first_row_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second measurement fails, and the first is on the screen."""

    def rows(repeat: int) -> Iterator[Measurement]:
        yield {"name": "mine", "runs": repeat}
        raise ConfigError("no more")

    monkeypatch.setattr("arena.bench.pool_rows", rows)
    done = CliRunner().invoke(bench, ["pool", "--repeat", "7"])
    assert str(done.exception) == "no more"
    assert done.output.split() == ["name", "runs", "mine", "7"]


def test_a_program_without_measurable_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bench.getrusage", lambda _: (0.0, 0.0))
    with pytest.raises(ConfigError, match="true: took no measurable time"):
        timed_program(["true"])()


def test_the_benchmark_that_is_gone_is_refused_by_its_name() -> None:
    with pytest.raises(ConfigError, match=r"'openings' is gone: .* python -m benchmarks openings"):
        next(measured("openings", 1, None))
