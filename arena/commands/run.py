"""`arena run`: a tournament, and everything around it that a person sees."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.options import RESULTS, again


@click.command(short_help="Play a tournament, or go on with it.")
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--workers", type=click.IntRange(0), help="Processes that play; 0: this one. [all cores]"
)
@click.option("--fresh", is_flag=True, help="Throw away what this run played before.")
@RESULTS
def run(config: Path, workers: int | None, fresh: bool, results: Path) -> None:
    """Play the tournament that CONFIG, a YAML file, describes.

    Shows live standings while it runs, and the report at the end. The games are kept in
    results/NAME; started again, a run goes on where it stopped.
    """
    from rich.console import Console

    from arena import tournament
    from arena.interrupt import Interrupt
    from arena.live import watching

    hint = f"To go on: {again(fresh=False)}"
    wait = "Ending after the games in flight; Ctrl-C again ends at once."
    try:
        with (
            Interrupt(lambda: click.echo(wait, err=True)) as interrupt,
            watching(Console()) as watch,
        ):
            played = tournament.run(
                config,
                workers=workers,
                fresh=fresh,
                results=results,
                watch=watch,
                stop=lambda: interrupt.pressed,
            )
    except (KeyboardInterrupt, BrokenPipeError):
        click.echo(f"\nStopped. {hint}", err=True)
        sys.exit(130)
    from arena.tables import report_text

    click.echo(report_text(played.report()))
    click.echo(f"\nKept in {played.folder}; to see this again: arena report {played.folder}")
    if interrupt.pressed:
        click.echo(f"Stopped. {hint}", err=True)
        sys.exit(130)
