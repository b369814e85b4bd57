"""`arena bench`: speed of the engines and of the arena, here and now."""

from __future__ import annotations

import pkgutil

import click

from arena.bench import measures
from arena.commands.options import AS_JSON

MEASURES = ", ".join(sorted(each.name for each in pkgutil.iter_modules(measures.__path__)))


@click.command(
    short_help="Measure searches, the referee, the workers.",
    help=f"""Measure, here and now: an engine's searches, or one of {MEASURES}.
    docs/benchmarks.md tells what each of them measures.

    Without NAME, all of them. Seconds are of CPU time; ratios are between things that were run in
    turn, because a machine's speed drifts.
    """,
)
@click.argument("name", required=False)
@AS_JSON
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Times that each is run; the median counts.",
)
@click.option("--against", help="A program (with its arguments) to time in turn with each search.")
def bench(name: str | None, as_json: bool, repeat: int, against: str | None) -> None:
    """Print the rows of a benchmark, or of all."""
    from arena.bench.runner import rows_text, run_bench

    click.echo(rows_text(run_bench(name, repeat, against), as_json))
