"""`arena bench`: how fast everything is, here and now."""

from __future__ import annotations

import click

from arena.commands.options import AS_JSON


@click.command(short_help="Measure searches, the referee, the workers.")
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
    """Measure, here and now: an engine's searches, `match` (the referee), `renju` (its forbidden
    points), `pool` (the workers), `ratings` (of a large field), `tune` (methods
    on landscapes with a known answer), `study` (what tuning costs beside its games) or `endurance`
    (100 000 games).

    Without NAME, all of them. Seconds are of CPU time; ratios are between things that were run in
    turn, because a machine's speed drifts.
    """
    from arena.bench.runner import rows_text, run_bench

    click.echo(rows_text(run_bench(name, repeat, against), as_json))
