"""`arena bench`: speed of the engines and of the arena, here and now."""

from __future__ import annotations

import click

from arena.commands.compiling import compiling_noticed
from arena.commands.options import AS_JSON
from arena.plugins import load
from arena.plugins.catalogue import about


class ListingCommand(click.Command):
    """A command whose help ends with all benchmarks; they are imported only then."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the name of each benchmark, and the first line of its file."""
        with formatter.section("Benchmarks beside the engines"):
            formatter.write_dl([(n, about("benchmark", n)) for n in load.names("benchmark")])


@click.command(cls=ListingCommand, short_help="Measure searches, the referee, the workers.")
@click.argument("name", required=False)
@AS_JSON
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Times that each is measured; the median counts. endurance and tune run once.",
)
@click.option("--against", help="A program (with its arguments) to time in turn with each search.")
def bench(name: str | None, as_json: bool, repeat: int, against: str | None) -> None:
    """Measure an engine's searches, or one of the benchmarks below; without NAME, all of them.

    Each row is printed as soon as it is measured. Seconds are CPU time, but elapsed time in
    endurance, pool and study. Ratios are between things that were run in turn, because a machine's
    speed drifts. docs/benchmarks.md explains the rows.
    """
    from arena.bench.runner import bench_lines, measured

    with compiling_noticed():
        for line in bench_lines(measured(name, repeat, against), as_json):
            click.echo(line)
