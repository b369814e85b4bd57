"""`arena export`: games of a run as files that other programs read."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.commands.options import RESULTS
from arena.plugins.load import names

STANDARD_OUTPUT = "-"


@click.command(short_help="Write games of a run as SGF, PSQ or lines of JSON.")
@click.argument("run")
@click.argument("games", nargs=-1, type=click.IntRange(1), metavar="[GAME]...")
@click.option(
    "--format",
    "form",
    type=click.Choice([*names("record format"), "openings"]),
    default="sgf",
    show_default=True,
    help="openings: each distinct one as a line.",
)
@click.option(
    "-o",
    "--output",
    default=STANDARD_OUTPUT,
    help="File to write; a folder, or a name with / at its end: a file for each game. "
    "[standard output, also as -]",
)
@RESULTS
def export(run: str, games: tuple[int, ...], form: str, output: str, results: Path) -> None:
    """Write all games of RUN, or those with the numbers GAME, for other programs.

    SGF and PSQ have games of stones: moves, names, result and times, and SGF also scores, depths
    and the reason of the end. jsonl has all that is kept, of any game. What is there is
    overwritten. docs/records.md has the formats.
    """
    from arena.tournament.exchange import exporting

    if output == STANDARD_OUTPUT:
        stream = sys.stdout.buffer
        exporting.export(run, games, form=form, output=stream, results=results)
        return
    count = exporting.export(run, games, form=form, output=output, results=results)
    noun = "opening" if form == "openings" else "game"
    click.echo(f"Wrote {count} {noun}{'s' * (count != 1)} to {output}")
