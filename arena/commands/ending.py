"""The early end of a command that plays: Ctrl-C once after the games in flight, twice at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from arena.commands.options import again
from arena.interrupt import stoppable

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether to stop.

    If it was so, say at the end which command goes on, and exit with code 130.
    """
    hint = f"To go on: {again(fresh=False, accept_changes=False)}"
    wait = "Ending after the games in flight; Ctrl-C again ends at once."
    try:
        with stoppable(lambda: click.echo(wait, err=True)) as is_pressed:
            yield is_pressed
    except (KeyboardInterrupt, BrokenPipeError):
        click.echo(f"\nStopped. {hint}", err=True)
        sys.exit(130)
    if is_pressed():
        click.echo(f"Stopped. {hint}", err=True)
        sys.exit(130)


def saying(console: Console) -> Callable[[str], None]:
    """A function that prints words beside what is shown while games are played."""

    def say(words: str) -> None:
        if console.is_terminal:
            console.print(words, markup=False, highlight=False)
        else:
            click.echo(words, err=True)

    return say
