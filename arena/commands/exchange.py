"""`arena export` and `arena import`: games for other programs, and from them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.commands import options
from arena.commands.options import FRESH, RESULTS
from arena.plugins.load import names

STANDARD_OUTPUT = "-"


@click.command(short_help="Write games of a run as SGF, PSQ or lines of JSON.")
@click.argument("run", shell_complete=options.runs)
@click.argument("games", nargs=-1, type=click.IntRange(1), metavar="[GAME]...")
@click.option(
    "--format",
    "form",
    type=click.Choice([*names("record format"), "openings"]),
    help="Format; openings writes each distinct opening as a line. [by the ending of FILE, or sgf]",
)
@click.option(
    "-o",
    "--output",
    default=STANDARD_OUTPUT,
    help="File to write; for a folder, or a name that ends with /, a file for each game. "
    "[standard output, also as -]",
)
@RESULTS
def export(run: str, games: tuple[int, ...], form: str | None, output: str, results: Path) -> None:
    """Write all games of RUN, or those with the numbers GAME, for other programs.

    SGF and PSQ are for games of stones. Both have moves, names, result and times; SGF also has
    scores, depths and the reason of the end. jsonl has everything that is kept, for any game.
    An existing file gives way only to one of its format. docs/records.md describes the formats.
    """
    from arena.tournament.exchange import exporting

    if output == STANDARD_OUTPUT:
        stream = sys.stdout.buffer
        exporting.export(run, games, form=form, output=stream, results=results)
        return
    count = exporting.export(run, games, form=form, output=output, results=results)
    noun = "opening" if form == "openings" else "game"
    click.echo(f"Wrote {count} {noun}{'s' * (count != 1)} to {output}")


@click.command("import", short_help="Make a run of games from elsewhere: SGF, PSQ, lines of JSON.")
@click.argument("name")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--game",
    metavar="GAME",
    shell_complete=options.named("game"),
    help="Game of files that do not name it, such as gomoku:rule=standard.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(names("record format")),
    help="Format of the files. [found from their beginning]",
)
@click.option(
    "--encoding",
    metavar="ENCODING",
    help="Encoding of the files, such as GB18030, Big5, Shift_JIS or EUC-KR. "
    "[UTF-8, what a game tells, or what is likely]",
)
@FRESH
@RESULTS
def import_(
    name: str,
    files: tuple[Path, ...],
    game: str | None,
    form: str | None,
    encoding: str | None,
    fresh: bool,
    results: Path,
) -> None:
    """Keep the games in each FILE as a run: results/NAME, for `arena report NAME`.

    Every game is played again by our rules. A game is left out, with a message that names its file
    and line, if it has an illegal move, moves after the end, no result, or a result that
    contradicts the rules. The exit code is 2 if no game was imported. docs/records.md has more.
    """
    from arena.experiment import open_experiment
    from arena.report.answer import keep_page
    from arena.tournament.exchange.importing import import_games

    found = import_games(
        name,
        files,
        game=game,
        form=form,
        encoding=encoding,
        fresh=fresh,
        results=results,
        told=lambda fault: click.echo(f"{fault}; left out", err=True),
    )
    for note in found.notes:
        click.echo(note, err=True)
    page = keep_page(open_experiment(found.folder).answer(), found.folder)
    left_out = f"; {found.left_out} left out" if found.left_out else ""
    click.echo(
        f"Imported {found.games} {'games' if found.games != 1 else 'game'} of {found.players} "
        f"players{left_out}. Kept in {found.folder}; to see them: arena report {found.folder}"
    )
    click.echo(f"To look at it in a browser: {page}")
