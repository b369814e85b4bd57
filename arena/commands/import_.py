"""`arena import`: games of other programs as a run."""

from __future__ import annotations

from pathlib import Path

import click

from arena.commands.options import FRESH, RESULTS
from arena.plugins.load import names


@click.command("import", short_help="Make a run of games from elsewhere: SGF, PSQ, lines of JSON.")
@click.argument("name")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option("--game", metavar="GAME", help="As gomoku:rule=standard; where files do not tell.")
@click.option(
    "--format",
    "form",
    type=click.Choice(names("record format")),
    help="Format of the files. [told from how they begin]",
)
@FRESH
@RESULTS
def import_(
    name: str,
    files: tuple[Path, ...],
    game: str | None,
    form: str | None,
    fresh: bool,
    results: Path,
) -> None:
    """Keep the games in each FILE as a run: results/NAME, for `arena report NAME`.

    Every game is played again by our rules. Those that are doubtful (a move that is not legal,
    moves after the end, another result than by the rules, or none) are named by file and line, and
    left out. Exit code 2 if no game came in. docs/records.md has more.
    """
    from arena.tournament.exchange.importing import import_games

    found = import_games(
        name,
        files,
        game=game,
        form=form,
        fresh=fresh,
        results=results,
        told=lambda fault: click.echo(f"{fault}; left out", err=True),
    )
    left_out = f"; {found.left_out} left out" if found.left_out else ""
    click.echo(
        f"Imported {found.games} {'games' if found.games != 1 else 'game'} of {found.players} "
        f"players{left_out}. Kept in {found.folder}; to see them: arena report {found.folder}"
    )
