"""`arena init`: files to begin with, in a folder of the user's own."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

NEXT = {
    "arena play ./my_engine.py five_tuple:depth=2": "one game of your engine, on the screen",
    "pytest test_my_engine.py": "its tests (pip install pytest)",
    "arena match ./my_engine.py random_mover": "a match: which of the two is better?",
    "arena run configs/match.yaml": "a small tournament, with your engine",
    "arena run configs/sprt.yaml": "a test that stops as soon as it is sure",
    "arena tune configs/study.yaml": "a search for a better width of your engine",
    "arena run configs/round.yaml": "10 engines of the project against each other, 720 games",
}
"""Commands to type in the folder, and what each is."""
QUICK = 0.05  # Seconds of a move that may be twice as long within the limit that matches have


@click.command(short_help="Write configs and an engine to start from.")
@click.argument("folder", default=".", type=click.Path(path_type=Path))
@click.option(
    "--wrap",
    metavar="FILE[:NAME]",
    help="Write an engine beside FILE, a Python file of yours with a class or function (NAME) such "
    "as get_move(board). FILE is imported and tried, in a process of its own.",
)
def init(folder: Path, wrap: str | None) -> None:
    """Write files to start from into FOLDER, by default the current one.

    They are configs/ with a round robin, a match, a test (SPRT), a tuning study and a file of
    balanced openings, and a small engine of your own, my_engine.py, with its tests. Existing files
    are not overwritten. Books of more openings are part of the package, and need no file:
    `openings: {book: {name: freestyle15}}`, or freestyle20, standard15, renju15.
    """
    if wrap:
        return _wrap(wrap)
    from arena.config.shipped import write_starter

    for name in write_starter(folder):
        click.echo(f"Wrote {folder / name}")
    click.echo("\nWhat to type next:")
    if folder.resolve() != Path.cwd():
        click.echo(f"  cd {shlex.quote(str(folder))}")
    for command, about in NEXT.items():
        click.echo(f"  {command:<46}{about}")
    return None


def _wrap(typed: str) -> None:
    from arena.plugins.wrap import PATIENCE, wrap

    file, colon, name = typed.rpartition(":")
    if not colon or Path(typed).exists():
        file, name = typed, ""
    path = Path(file)
    click.echo(
        f"Trying the code of {path} in a process of its own, at most {PATIENCE:g} s", err=True
    )
    target, wrapping = wrap(path, name)
    click.echo(f"Wrote {target}, in which this was found by trying:\n{wrapping.words}")
    engine = shlex.quote(str(target) if os.sep in str(target) else f"./{target}")
    game = f" --game gomoku:size={wrapping.size}" if wrapping.size else ""
    limit = f" --limit {max(1, round(3 * wrapping.seconds))}s" if wrapping.seconds > QUICK else ""
    click.echo(f"\nTo see it play: arena match {engine} random_mover{game}{limit}")
