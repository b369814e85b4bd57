"""The body of the commands that play: what `run`, `match`, `tune` and `fit` have in common."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from arena.commands.options import (
    ACCEPT_CHANGES,
    CLUSTER,
    FRESH,
    KEEP_GOING,
    OPEN,
    QUIET,
    RESULTS,
    SERVE,
    STOPPED,
    Command,
    again,
    compiling_noticed,
    workers_option,
)
from arena.processes.interrupt import stoppable

if TYPE_CHECKING:
    from rich.console import Console

    from arena.report.answer import Answer
    from arena.report.verdict import Conclusion
    from arena.workers.pool import Site
    from arena.workers.runner import Stop

FAULTY = 4  # The exit status if a player's first games all ended by its own faults

SEE_AGAIN = "see this again: arena report {}"

COLOURS = {"good": "green", "bad": "red", "open": "yellow", "doubtful": "magenta"}
"""The colours of a verdict by its tone; only terminals are shown them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """The options of a command that plays: see their help."""

    workers: int | None
    cluster: str | None
    fresh: bool
    accept_changes: bool
    keep_going: bool
    exit_status: bool = False
    quiet: bool
    serve: bool
    in_browser: bool
    results: Path

    @property
    def changes(self) -> dict[str, Any]:
        return {"fresh": self.fresh, "accept_changes": self.accept_changes}

    @contextmanager
    def session(self, *configs: Path) -> Iterator[PlaySession]:
        """Open the workers or the cluster, and the page if it is asked for.

        The engines of the configs can be played against there. If Ctrl-C ends it, say which
        command goes on, and exit with code 130.
        """
        from rich.console import Console

        from arena.cluster.places import site_of

        console = Console()
        page = served(self.results, *configs) if self.serve else nullcontext()
        workers = site_of(self.workers, self.cluster, _saying(console))
        with page, interruptible() as stop, workers as site:
            yield PlaySession(site, stop, console, self.in_browser, self.quiet)


def playing(*own: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """The options of a command that plays, its `own` among them, as one `PlayOptions`; kernels
    that it compiles are noticed."""
    common = (workers_option, CLUSTER, FRESH, ACCEPT_CHANGES, KEEP_GOING)
    options = (*common, *own, QUIET, SERVE, OPEN, RESULTS)

    def decorated(command: Command) -> Command:
        @wraps(command)
        def noticed(**values: Any) -> Any:
            names = values.keys() & PlayOptions.__dataclass_fields__.keys()
            how = PlayOptions(**{name: values.pop(name) for name in names})
            with compiling_noticed(), _going_on_told():
                return command(**values, how=how)

        return reduce(lambda done, option: option(done), reversed(options), noticed)

    return decorated


@dataclass(frozen=True, slots=True)
class PlaySession:
    """The place where a command plays, and the screen that it has for it."""

    site: Site
    stop: Stop
    console: Console
    in_browser: bool
    quiet: bool

    def play(self, play: Callable[..., None], first: str = "", **how: Any) -> None:
        """Call `play` with the site, and show its games; the line `first` comes before them."""
        from arena.report.live import watching

        if how.get("fresh"):  # told first: nothing goes if standard output takes no more
            click.echo("What was played before goes, by --fresh")
        with watching(self.console, click.echo, first, self.quiet) as watch:
            play(self.site, watch=watch, stop=self.stop, **how)

    def show_end(
        self,
        folder: Path,
        answer: Answer,
        shown: str,
        *last: str,
        again: str = SEE_AGAIN,
        page_has: str = "",
        is_over: bool = True,
    ) -> None:
        """Print what is `shown` of a report, write its page, and say where all is kept; open the
        page, if that is wanted and the games are over. The `last` words come at the end."""
        from arena.report.answer import keep_page

        click.echo(shown)
        page = keep_page(answer, folder)
        click.echo(f"\nKept in {folder}; to {again.format(folder)}")
        click.echo(f"To look at it in a browser{page_has}: {page}")
        for words in last:
            click.echo(f"\n{words}")
        if self.in_browser and is_over:
            _open_page(page)


def exit_as(folder: Path, is_over: bool, stopped: str, status: int | None = None) -> NoReturn:
    """Exit with a test's status, if there is one; say if the games in a folder were stopped on
    their page, or stopped by themselves for the reason `stopped`."""
    from arena.storage.folder import is_asked_to_stop

    if not is_over and any(map(is_asked_to_stop, (folder, *folder.iterdir()))):
        _exit_stopped()
    if stopped:
        click.echo(f"Stopped: {stopped}", err=True)
        sys.exit(FAULTY if status is None else status)
    sys.exit(status)


def verdict_line(verdict: Conclusion) -> str:
    sentence = click.style(verdict.sentence, fg=COLOURS[verdict.tone], bold=True)
    return f"{sentence} {verdict.next_step}".rstrip()


def report_shown(answer: Answer) -> str:
    from arena.report.answer import report_text

    text, verdict = report_text(answer, "table"), answer.verdict
    return verdict_line(verdict) + text.removeprefix(str(verdict)) if verdict else text


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether to stop.

    If it was so, say at the end which command goes on, and exit with code 130.
    """
    wait = "Ending after the games in flight; Ctrl-C again ends at once."
    with _going_on_told(), stoppable(lambda: click.echo(wait, err=True)) as is_pressed:
        yield is_pressed
    if is_pressed():
        _exit_stopped()


@contextmanager
def _going_on_told() -> Iterator[None]:
    """Where Ctrl-C ends a command at once, or its reader is gone, say which command goes on."""
    try:
        yield
    except (KeyboardInterrupt, BrokenPipeError):
        click.echo("", err=True)
        _exit_stopped()


def _saying(console: Console) -> Callable[[str], None]:
    def say(words: str) -> None:
        if console.is_terminal:
            console.print(words, markup=False, highlight=False)
        else:
            click.echo(words, err=True)

    return say


def _exit_stopped() -> NoReturn:
    hint = again(fresh=False, accept_changes=False)
    click.echo(f"Stopped. To go on: {hint}", err=True)
    sys.exit(STOPPED)


def going_on() -> str:
    return again(fresh=False, accept_changes=False, keep_going=True)


@contextmanager
def served(results: Path, *configs: Path) -> Iterator[None]:
    """Show these results in a browser while this lasts; in a terminal, until Ctrl-C after it."""
    from arena.server.page_process import page_process

    with page_process(results, *configs) as page:
        click.echo(f"The page: {page.address}")
        yield
        if sys.stdout.isatty():
            click.echo("\nThe page stays until Ctrl-C.")
            page.linger()


def _open_page(page: Path) -> None:
    try:
        is_open = webbrowser.open(page.resolve().as_uri())
    except webbrowser.Error:
        is_open = False
    if not is_open:
        click.echo(f"No browser could be opened for {page}", err=True)
