"""`arena bench`: speed of the engines and of the workers, here and now."""

from __future__ import annotations

import click

from arena.commands import options
from arena.commands.options import AS_JSON, compiling_noticed


@click.command(short_help="Measure the speed of engines, and of this machine's workers.")
@click.argument("name", required=False, shell_complete=options.engines)
@AS_JSON
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Number of times that each row is measured; the median is shown.",
)
@click.option("--against", help="Program, with its arguments, to measure in turn with each search.")
def bench(name: str | None, as_json: bool, repeat: int, against: str | None) -> None:
    """Measure the speed of an engine's searches; NAME is its name or file. Without NAME, all
    engines are measured.

    `arena bench pool` measures the workers of this machine. Each row is printed as soon as it is
    measured. Seconds are CPU time, but elapsed time in pool. Ratios are taken between measurements
    that were made in turn, because the speed of a machine drifts. docs/benchmarks.md explains the
    rows.
    """
    from arena.bench import bench_lines, measured

    with compiling_noticed():
        for line in bench_lines(measured(name, repeat, against), as_json):
            click.echo(line)
