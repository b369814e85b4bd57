"""Options that several commands share."""

from __future__ import annotations

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


Command = Callable[..., Any]


def forms(*names: str, about: str) -> Callable[[Command], Command]:
    """The options `--format` (the first is the default) and `--json`."""
    kind = click.Choice(names)

    def with_forms(command: Command) -> Command:
        command = click.option("--json", "form", flag_value="json", help="As --format json.")(
            command
        )
        option = click.option("--format", "form", type=kind, default=names[0], help=about)
        return option(command)

    return with_forms
