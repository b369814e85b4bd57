"""The end of a command that plays: by Ctrl-C, by faulty players, or with the page in a browser."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from arena.commands.options import again
from arena.processes.interrupt import stoppable

if TYPE_CHECKING:
    from rich.console import Console

    from arena.report.answer import Answer
    from arena.report.verdict import Conclusion

FAULTY = 4
"""The exit status if a player's first games all ended by its own faults."""


COLOURS = {"good": "green", "bad": "red", "open": "yellow", "doubtful": "magenta"}
"""The colours of a verdict by its tone; only terminals are shown them."""


def verdict_line(verdict: Conclusion) -> str:
    """The verdict as a terminal shows it."""
    told = click.style(verdict.sentence, fg=COLOURS[verdict.tone], bold=True)
    return f"{told} {verdict.next_step}".rstrip()


def report_shown(answer: Answer) -> str:
    """The report as a terminal shows it: the verdict first."""
    from arena.report.export import report_text

    text, verdict = report_text(answer, "table"), answer.verdict
    return verdict_line(verdict) + text.removeprefix(str(verdict)) if verdict else text


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether to stop.

    If it was so, say at the end which command goes on, and exit with code 130.
    """
    wait = "Ending after the games in flight; Ctrl-C again ends at once."
    try:
        with stoppable(lambda: click.echo(wait, err=True)) as is_pressed:
            yield is_pressed
    except (KeyboardInterrupt, BrokenPipeError):
        click.echo("", err=True)
        exit_stopped()
    if is_pressed():
        exit_stopped()


def saying(console: Console) -> Callable[[str], None]:
    """A function that prints words beside what is shown while games are played."""

    def say(words: str) -> None:
        if console.is_terminal:
            console.print(words, markup=False, highlight=False)
        else:
            click.echo(words, err=True)

    return say


def exit_stopped() -> NoReturn:
    """Print the command that goes on with the run that was stopped, and exit."""
    hint = again(fresh=False, accept_changes=False)
    click.echo(f"Stopped. To go on: {hint}", err=True)
    sys.exit(130)


def exit_faulty(stopped: str, status: int = FAULTY) -> NoReturn:
    """Say why the games of a player that only lost by its own faults were stopped, and exit."""
    click.echo(f"Stopped: {stopped}", err=True)
    sys.exit(status)


def going_on() -> str:
    """The command that is running, as it would be typed to keep going."""
    return again(fresh=False, accept_changes=False, keep_going=True)


@contextmanager
def served(results: Path, is_wanted: bool, *configs: Path) -> Iterator[None]:
    """Show these results in a browser while this lasts; in a terminal, until Ctrl-C after it.

    The engines of the configs can be played against there.
    """
    if not is_wanted:
        yield
        return
    from arena.server.page_process import page_process

    with page_process(results, *configs) as page:
        click.echo(f"The page: {page.address}")
        yield
        if sys.stdout.isatty():
            click.echo("\nThe page stays until Ctrl-C.")
            page.linger()


def open_page(page: Path) -> None:
    """Open a page in the browser; where there is none, say so."""
    try:
        is_open = webbrowser.open(page.resolve().as_uri())
    except webbrowser.Error:
        is_open = False
    if not is_open:
        click.echo(f"No browser could be opened for {page}", err=True)
