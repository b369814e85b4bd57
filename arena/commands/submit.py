"""`arena submit`: a test, with its files, into the queue of a server; and the tests in there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.queue.order import PRIORITIES

FILE = click.Path(path_type=Path)


@click.command(short_help="Send a test to the queue of arena serve --queue.")
@click.argument("file", type=FILE, required=False)
@click.option(
    "--to",
    "address",
    required=True,
    metavar="URL",
    help="The link for submitting, as arena serve prints it.",
)
@click.option(
    "--token",
    envvar="ARENA_TOKEN",
    show_envvar=True,
    help="The token for submitting. [that of the link]",
)
@click.option(
    "--priority",
    type=click.IntRange(*PRIORITIES),
    default=0,
    show_default=True,
    help="Tests of higher priority are played first.",
)
@click.option("--list", "is_list", is_flag=True, help="List the tests of the queue, and send none.")
def submit(
    file: Path | None, address: str, token: str | None, priority: int, is_list: bool
) -> None:
    """Send the tournament or test of FILE to a queue, with the files that it names.

    FILE is a file for `arena run`. It is checked in the same way, here and by the server. The code
    of its engines is sent with it, and the server runs this code. Only the link for submitting lets
    you do this.
    """
    from arena.commands.options import compiling_noticed
    from arena.queue.submission import send, server_at, submission_of, tests_at

    if is_list != (file is None):
        raise click.UsageError("give either a FILE to send, or --list")
    server = server_at(address, token)
    if file is None:
        lines = [listed(test) for test in tests_at(server)]
        click.echo("\n".join(lines or ["The queue has no tests."]))
        return
    with compiling_noticed():
        submission = submission_of(file, priority)
    click.echo(f"{told(send(server, submission))}: {server.origin}/queue")


def told(test: dict[str, Any]) -> str:
    total, time = test.get("total"), test.get("time")
    games = f", at most {total} games" if total else ""
    return f"{test.get('name')} is in the queue{games}{f', about {time}' if time else ''}"


def listed(test: dict[str, Any]) -> str:
    from arena.errors import one_line

    name, state, games, verdict = map(test.get, ("name", "state", "games", "verdict"))
    return one_line(f"{state!s:<8} {games!s:>7} games  {name}  {verdict or ''}".rstrip())
