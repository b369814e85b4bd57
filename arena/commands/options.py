"""Options that several commands share."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

RESULTS = click.option(
    "--results",
    default="results",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder that holds the runs' folders.",
)

WORKERS = click.option(
    "--workers", type=click.IntRange(0), help="Processes that play; 0: this one. [all cores]"
)

CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a dask cluster: its scheduler's address or file, or local:4 to try it here.",
)

FRESH = click.option("--fresh", is_flag=True, help="Throw away what was played before.")

ACCEPT_CHANGES = click.option(
    "--accept-changes",
    is_flag=True,
    help="Go on although engines' code has changed; the report will say so.",
)

KEEP_GOING = click.option(
    "--keep-going",
    is_flag=True,
    help="Play on although a player's first 8 games all ended by its own faults.",
)

SERVE = click.option(
    "--serve",
    is_flag=True,
    help="Show it in a browser meanwhile; in a terminal, until Ctrl-C after the end.",
)

AS_JSON = click.option("--json", "as_json", is_flag=True, help="For programs, as json.")


Command = Callable[..., Any]


def forms(*names: str, about: str) -> Callable[[Command], Command]:
    """The options `--format` (the first is the default) and `--json`."""
    form = click.option("--format", "form", type=click.Choice(names), default=names[0], help=about)
    json = click.option("--json", "form", flag_value="json", help="As --format json.")
    return lambda command: form(json(command))


def again(**changed: object) -> str:
    """The command that is running, as it would be typed with these values instead."""
    context = click.get_current_context()
    values, words = context.params | changed, ["arena", str(context.info_name)]
    for parameter in context.command.params:
        value = values[str(parameter.name)]
        if value is None:
            continue
        if isinstance(parameter, click.Argument):
            words.append(str(value))
        elif isinstance(parameter, click.Option) and str(value) != str(
            parameter.get_default(context)
        ):
            if not parameter.is_flag:
                words += [parameter.opts[0], str(value)]
            elif value is True:
                words.append(parameter.opts[0])
    return shlex.join(words)
