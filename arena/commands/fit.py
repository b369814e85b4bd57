"""`arena fit`: weights fitted to games, and proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.compiling import compiling_noticed
from arena.commands.ending import (
    exit_faulty,
    exit_stopped,
    interruptible,
    open_page,
    report_shown,
    saying,
    served,
)
from arena.commands.options import (
    ACCEPT_CHANGES,
    CLUSTER,
    FRESH,
    KEEP_GOING,
    OPEN,
    RESULTS,
    SERVE,
    workers_option,
)

if TYPE_CHECKING:
    from rich.console import Console

    from arena.tuning.fit.fit import Fit
    from arena.workers.runner import Stop
    from arena.workers.site import Site


@click.command(short_help="Fit an engine's weights to games, and test them.")
@click.argument("config", type=click.Path(path_type=Path))
@workers_option
@CLUSTER
@FRESH
@ACCEPT_CHANGES
@KEEP_GOING
@SERVE
@OPEN
@RESULTS
def fit(
    config: Path,
    workers: int | None,
    cluster: str | None,
    fresh: bool,
    accept_changes: bool,
    keep_going: bool,
    serve: bool,
    in_browser: bool,
    results: Path,
) -> None:
    """Fit the weights of the engine that CONFIG, a YAML file, names to games.

    The games are those of earlier or imported runs, or are played first. The fit finds the weights
    with which the engine's values of positions predict the results best (Texel's method). Games
    that are held out tell when to stop. With `target: moves`, it finds the worths by which the
    engine sorts moves, so that the moves that were played come first. At the end, a test on
    openings that were not used before, and matches against engines that took no part, tell whether
    the fitted weights are better. If they are, tuned.yaml is written.

    Everything is kept in results/NAME, with report.html, the report for a browser. The same command
    goes on with a fit that was stopped. The exit status is 4 if it stopped because a player lost
    its first eight games by its own faults (see --keep-going).
    """
    from rich.console import Console

    from arena.cluster.places import site_of
    from arena.tuning.fit.fit import Fit
    from arena.tuning.fit.reader import read_fit

    console = Console()
    wanted = Fit(results, read_fit(config).going_on(keep_going))
    with (
        served(results, serve),
        interruptible() as stop,
        site_of(workers, cluster, saying(console)) as site,
    ):
        wanted.begin(fresh=fresh)
        play_games(wanted, site, console, stop, accept_changes)
        if wanted.has_games:
            with compiling_noticed(), telling(console, stop) as say:
                wanted.fit(say)
            prove(wanted, site, console, stop)
        show_end(wanted, in_browser)
    exit_if_stopped(wanted)


def play_games(fit: Fit, site: Site, console: Console, stop: Stop, accept_changes: bool) -> None:
    """Play the games that are to be made."""
    from arena.tournament.live import watching_run

    if fit.config.make:
        click.echo(f"Making {fit.config.make.games:,} games to fit to.")
        with compiling_noticed(), watching_run(console, click.echo) as watch:
            fit.make_games(site, accept_changes=accept_changes, watch=watch, stop=stop)


def prove(fit: Fit, site: Site, console: Console, stop: Stop) -> None:
    """Show the fit before its proof begins, and play what is to prove its gain."""
    from arena.tournament.live import watching_run

    if not fit.proof:
        click.echo(report_shown(fit.answer()))
    with watching_run(console, click.echo) as watch:
        fit.matches.play(site, watch=watch, stop=stop)


def show_end(fit: Fit, in_browser: bool) -> None:
    """Write the page, say where it is, and tell the verdict; open the page, if wanted."""
    from arena.report.export import save
    from arena.storage.folder import REPORT_PAGE

    answer = fit.answer()
    (page,) = save(answer, "html", None, fit.folder / REPORT_PAGE)
    click.echo(report_shown(answer))
    click.echo(f"\nKept in {fit.folder}; to see this again: arena report {fit.folder}")
    click.echo(f"To look at it in a browser: {page}")
    if in_browser:
        open_page(page)


def exit_if_stopped(fit: Fit) -> None:
    """Exit with the status of a fit that was stopped, or stopped by itself."""
    from arena.storage.at_play import is_asked_to_stop

    if any(map(is_asked_to_stop, fit.folder.iterdir())):
        exit_stopped()
    if stopped := fit.stopped:
        exit_faulty(stopped)


@contextmanager
def telling(console: Console, stop: Stop) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows how far a computation is, and ends it once `stop` says so."""
    with console.status("") as status:

        def say(words: str) -> None:
            if stop():
                raise KeyboardInterrupt
            status.update(words)

        yield say
