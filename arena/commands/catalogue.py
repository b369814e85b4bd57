"""`arena engines`, `arena games` and `arena formats`: lists of what there is."""

from __future__ import annotations

import click

from arena.commands import options
from arena.commands.options import AS_JSON
from arena.plugins.catalogue import catalogue_text


@click.command(short_help="List the engines, or describe one.")
@click.argument("name", required=False, shell_complete=options.engines)
@AS_JSON
def engines(name: str | None, as_json: bool) -> None:
    """List the engines. With a NAME or a path, describe this engine: where it comes from, its
    games, and its parameters with their ranges and meanings."""
    click.echo(catalogue_text("engine", name, as_json))


@click.command(short_help="List the games, or describe one.")
@click.argument("name", required=False, shell_complete=options.named("game"))
@AS_JSON
def games(name: str | None, as_json: bool) -> None:
    """List the games. With a NAME, describe this game: where it comes from, the engines that play
    it, and its parameters with their ranges and meanings."""
    click.echo(catalogue_text("game", name, as_json))


@click.command(short_help="List the formats of tournaments, or describe one.")
@click.argument("name", required=False, shell_complete=options.named("format"))
@AS_JSON
def formats(name: str | None, as_json: bool) -> None:
    """List the formats. With a NAME, describe this format: its pairings, and its parameters with
    their ranges and meanings."""
    click.echo(catalogue_text("format", name, as_json))
