"""`arena bench`: speed of the engines, of the workers and of openings made, here and now."""

from __future__ import annotations

import click

from arena.commands import completion
from arena.commands.compiling import compiling_noticed
from arena.commands.options import AS_JSON


@click.command(short_help="Time the searches of engines, and this machine's workers.")
@click.argument("name", required=False, shell_complete=completion.engines)
@AS_JSON
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Times that each is measured; the median counts.",
)
@click.option("--against", help="A program (with its arguments) to time in turn with each search.")
def bench(name: str | None, as_json: bool, repeat: int, against: str | None) -> None:
    """Time the searches of an engine, by its name or file; without NAME, of all engines.

    `arena bench pool` times the workers of this machine, `arena bench openings` the making of
    balanced openings. Each row is printed as soon as it is
    measured. Seconds are CPU time, but elapsed time in pool. Ratios are between things that were
    run in turn, because a machine's speed drifts. docs/benchmarks.md explains the rows.
    """
    from arena.bench.runner import bench_lines, measured

    with compiling_noticed():
        for line in bench_lines(measured(name, repeat, against), as_json):
            click.echo(line)
