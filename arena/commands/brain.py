"""`arena brain`: an engine as a Gomocup brain."""

from __future__ import annotations

from pathlib import Path

import click

from arena.commands import options
from arena.commands.options import compiling_noticed


@click.command(short_help="Make a Gomocup brain of an engine, for other managers.")
@click.argument("engine", shell_complete=options.engines)
@click.option(
    "--write",
    "file",
    type=click.Path(path_type=Path),
    help="Write an executable file that is such a brain, and end.",
)
def brain(engine: str, file: Path | None) -> None:
    """Play as a Gomocup brain: ENGINE talks the protocol on standard input and output.

    ENGINE is a name that `arena engines` lists, or a path, with parameters after a colon:
    balance:depth=8. Managers can only ask for less than its depth; patterns and search=selective
    ignore it under a limit.

    \b
    Other managers want a brain as one file:
      arena brain strong --write pbrain-strong
    """
    from arena.gomocup.engine_as_brain.executable import converse, write_brain
    from arena.plugins.load import parse_named

    with compiling_noticed():
        if file is None:
            converse(engine)
        else:
            write_brain(parse_named(engine), file)
            click.echo(f"Written: {file}", err=True)
