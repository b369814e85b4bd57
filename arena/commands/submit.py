"""`arena submit`: a test, with its files, into the queue of a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.queue.order import PRIORITIES, SHARES

FILE = click.Path(path_type=Path)
EXPORTED = ".json"


@click.command(short_help="Send a test to the queue of arena serve --queue.")
@click.argument("file", type=FILE)
@click.option(
    "--to", "address", required=True, metavar="URL", help="The link to submit, as it is printed."
)
@click.option(
    "--token",
    envvar="ARENA_TOKEN",
    show_envvar=True,
    help="The token to submit. [that of the link]",
)
@click.option(
    "--priority",
    type=click.IntRange(*PRIORITIES),
    default=0,
    show_default=True,
    help="Higher ones are played first.",
)
@click.option(
    "--share",
    type=click.FloatRange(*SHARES),
    default=1.0,
    show_default=True,
    help="Part of the time, in proportion to that of others of its priority.",
)
def submit(file: Path, address: str, token: str | None, priority: int, share: float) -> None:
    """Send the tournament or test of FILE to a queue, with the files that it names.

    FILE is as `arena run` takes it, and is checked as there, here and by the server. The code of
    its engines travels with it, and is run by the server: only the link to submit lets it in. A
    queue that was exported, as queue.json, is taken back in, with its own priorities and shares.
    """
    from arena.queue.sending import kept_submissions, sent, server_at, submission_of

    server = server_at(address, token)
    if file.suffix == EXPORTED:
        wanted = kept_submissions(file)
    else:
        from arena.commands.compiling import compiling_noticed

        with compiling_noticed():
            wanted = [submission_of(file, priority, share)]
    for test in sent(server, wanted):
        click.echo(f"{told(test)}: {server.origin}/queue")


def told(test: dict[str, Any]) -> str:
    """A test that was taken, in words."""
    total, time = test.get("total"), test.get("time")
    games = f", at most {total} games" if total else ""
    return f"{test.get('name')} is in the queue{games}{f', about {time}' if time else ''}"
